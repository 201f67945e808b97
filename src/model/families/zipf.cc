// zipf(vocabulary=, draft=, target=, seed=, noise=): one pair of long-tailed laws.
//
//   target(x) proportional to (x + 1)^-target
//   draft(x)  proportional to rank(x)^-draft,  rank(x) = (x + 1) exp(noise u_x)
//
// with u_x uniform on [-1, 1) from MT19937 seeded with `seed`. The draft thus ranks the tokens
// nearly as the target does and errs on each by a bounded factor, as a small model does; noise = 0
// makes both exact Zipf laws.
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "model/families/families.h"
#include "model/normalise.h"

namespace speclab {
namespace {

class ZipfPair final : public DoublePair {
 public:
  ZipfPair(Token vocabulary, double draft, double target, std::uint32_t seed, double noise)
      : draft_(static_cast<std::size_t>(vocabulary)),
        target_(static_cast<std::size_t>(vocabulary)) {
    boost::random::mt19937 engine(seed);
    const boost::random::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t x = 0; x < draft_.size(); ++x) {
      const double rank = static_cast<double>(x) + 1;
      draft_[x] = std::pow(rank * std::exp(noise * uniform(engine)), -draft);
      target_[x] = std::pow(rank, -target);
    }
    normalise(draft_);
    normalise(target_);
  }

  using DoublePair::rows;
  [[nodiscard]] Token vocabulary() const override { return static_cast<Token>(draft_.size()); }
  [[nodiscard]] State states() const override { return 1; }
  [[nodiscard]] State next(State, Token) const override { return 0; }
  void rows(State, std::span<double> draft, std::span<double> target) const override {
    std::copy(draft_.begin(), draft_.end(), draft.begin());
    std::copy(target_.begin(), target_.end(), target.begin());
  }

 private:
  std::vector<double> draft_;
  std::vector<double> target_;
};

/// Above this every law is one-hot in doubles, and powers approach overflow.
constexpr int kMaxExponent = 32;
constexpr int kMaxNoise = 10;

}  // namespace

PairPointer make_zipf(SpecReader& spec) {
  const auto vocabulary = static_cast<Token>(spec.integer("vocabulary", 1, kMaxVocabulary));
  const Rational draft = spec.number_between("draft", 0, kMaxExponent);
  const Rational target = spec.number_between("target", 0, kMaxExponent);
  const auto seed = static_cast<std::uint32_t>(spec.integer("seed", 0, kMaxSeed, 1));
  const Rational noise = spec.number_between("noise", 0, kMaxNoise, Rational(1));
  return std::make_shared<ZipfPair>(vocabulary, to_double(draft), to_double(target), seed,
                                    to_double(noise));
}

}  // namespace speclab
