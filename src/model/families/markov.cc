// markov(vocabulary=, horizon=, seed=): the instance of yin2024, Figures 2, 4 and 5.
//
// All horizon * V * V uniforms of the draft first, then those of the target, each row normalised;
// the token before position 1 is uniform. The uniforms are those of NumPy's legacy generator:
// MT19937 seeded by init_genrand(seed), two outputs a >> 5 and b >> 6 giving (a 2^26 + b) / 2^53.
#include <boost/random/mersenne_twister.hpp>

#include "model/chain.h"
#include "model/families/families.h"
#include "model/normalise.h"

namespace speclab {
namespace {

constexpr long long kMaxMarkovVocabulary = 4096;
constexpr long long kMaxHorizon = 1'000'000;
/// Entries of one model's table; both models at this size take 512 MB.
constexpr long long kMaxChainEntries = 1LL << 25;

double numpy_uniform(boost::random::mt19937& engine) {
  const std::uint32_t high = engine() >> 5;
  const std::uint32_t low = engine() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

std::vector<double> random_rows(boost::random::mt19937& engine, std::size_t rows,
                                std::size_t vocabulary) {
  std::vector<double> table(rows * vocabulary);
  for (double& entry : table) entry = numpy_uniform(engine);
  for (std::size_t row = 0; row < rows; ++row) {
    normalise(std::span(table).subspan(row * vocabulary, vocabulary));
  }
  return table;
}

}  // namespace

PairPointer make_markov(SpecReader& spec) {
  const long long vocabulary = spec.integer("vocabulary", 1, kMaxMarkovVocabulary, 7);
  const long long horizon = spec.integer("horizon", 1, kMaxHorizon, 50);
  const auto seed = static_cast<std::uint32_t>(spec.integer("seed", 0, kMaxSeed, 10));
  if (horizon * vocabulary * vocabulary > kMaxChainEntries) {
    spec.refuse("horizon * vocabulary^2 = " + std::to_string(horizon * vocabulary * vocabulary) +
                " is above " + std::to_string(kMaxChainEntries) + "; lower horizon or vocabulary");
  }
  boost::random::mt19937 engine(seed);
  const auto rows = static_cast<std::size_t>(horizon * vocabulary);
  const auto width = static_cast<std::size_t>(vocabulary);
  std::vector<double> draft = random_rows(engine, rows, width);
  std::vector<double> target = random_rows(engine, rows, width);
  return std::make_shared<ChainPair<double>>(std::move(draft), std::move(target),
                                             uniform_prompt(static_cast<Token>(vocabulary)),
                                             static_cast<int>(horizon));
}

}  // namespace speclab
