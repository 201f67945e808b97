// logits(vocabulary=, sharpness=, error=, seed=): a random language model and a perturbed draft.
//
// A chain over the tokens: the context x is the last token, uniform at first. In context x
//   target(y) proportional to exp(s_x z_xy),            s_x uniform on [0, 2 sharpness)
//   draft(y)  proportional to exp(s_x z_xy + error h_xy)
// with z and h standard normal from MT19937 seeded with `seed`: s_x of every context, then
// context by context the z and the h of its row. Some contexts are flat and some nearly certain, as
// a language model's are. error = 0 makes the draft the target; the laws of one seed vary
// continuously with the error.
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "model/chain.h"
#include "model/families/families.h"
#include "model/normalise.h"

namespace speclab {
namespace {

constexpr long long kMaxLogitsVocabulary = 2048;  ///< two tables of this squared: 64 MB
/// Beyond these, exponents come near overflow and laws are one-hot in doubles.
constexpr int kMaxSharpness = 32;
constexpr int kMaxError = 64;

}  // namespace

PairPointer make_logits(SpecReader& spec) {
  const auto width = static_cast<std::size_t>(spec.integer("vocabulary", 1, kMaxLogitsVocabulary));
  const double sharpness = to_double(spec.number_between("sharpness", 0, kMaxSharpness));
  const double error = to_double(spec.number_between("error", 0, kMaxError));
  const auto seed = static_cast<std::uint32_t>(spec.integer("seed", 0, kMaxSeed, 1));
  boost::random::mt19937 engine(seed);
  boost::random::uniform_real_distribution<double> uniform(0, 1);
  boost::random::normal_distribution<double> normal;
  std::vector<double> scale(width);
  for (double& each : scale) each = 2 * sharpness * uniform(engine);
  std::vector<double> draft(width * width), target(width * width);
  for (std::size_t x = 0; x < width; ++x) {
    const std::span row(target.data() + x * width, width);
    const std::span drafted(draft.data() + x * width, width);
    for (double& logit : row) logit = scale[x] * normal(engine);
    for (std::size_t y = 0; y < width; ++y) drafted[y] = row[y] + error * normal(engine);
    for (const std::span<double>& law : {row, drafted}) {
      const double most = *std::max_element(law.begin(), law.end());
      for (double& logit : law) logit = std::exp(logit - most);
      normalise(law);
    }
  }
  return std::make_shared<ChainPair<double>>(
      std::move(draft), std::move(target), uniform_prompt(static_cast<Token>(width)), std::nullopt);
}

}  // namespace speclab
