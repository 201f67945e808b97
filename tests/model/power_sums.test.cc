// Sums of t (1 - s d / t)^j by the binomial theorem, and token by token where its terms cancel:
// against the same sums in fractions.
#include "model/power_sums.h"

#include <vector>

#include "base/rational.h"
#include "catch.h"
#include "model/state_table.h"

namespace speclab::power_sums_test {
namespace {

constexpr Token kTokens = 8;

/// Draft and target; all tokens have draft < target but for one, which has what the draft lacks.
struct Laws {
  std::vector<double> draft, target;

  /// @param gap  1 - draft / target of the first token; the k-th has 1 + k / 8 times that
  explicit Laws(double gap) {
    double drafted = 0;
    for (int k = 0; k < kTokens; ++k) {
      target.push_back((k + 1) / 64.0);
      draft.push_back(target.back() * (1 - gap * (1 + k / 8.0)));
      drafted += draft.back();
    }
    target.push_back(1 - 36 / 64.0);
    draft.push_back(1 - drafted);
  }

  [[nodiscard]] Rational weight(Token x, int power) const {
    const auto at = static_cast<std::size_t>(x);
    const Rational t(target[at]), d(draft[at]);
    Rational weight = t;
    for (int j = 0; j < power; ++j) weight *= 1 - d / t;
    return weight;
  }
};

TEST_CASE("power sums: masses and draws, with and without cancellation") {
  constexpr int kSteps = 1 << 14;
  // With a gap of 2^-33 the terms of power 16 cancel to 2^-528 of their size.
  for (const double gap : {0.25, 0x1p-33}) {
    const Laws laws(gap);
    const StateTable table(laws.draft, laws.target);
    for (const int power : {1, 2, 5, PowerSums::kMost}) {
      CAPTURE(gap, power);
      const PowerSums& sums = table.powers(power);
      Rational whole(0);
      for (Token x = 0; x < kTokens; ++x) whole += laws.weight(x, power);
      const Wide mass = sums.mass(Wide(1), 0, kTokens);
      CHECK(to_double(Rational(Rational(mass.value()) / whole)) == Approx(1).epsilon(1e-12));
      std::vector<int> counts(kTokens);
      for (int i = 0; i < kSteps; ++i) {
        const auto rank = sums.pick(Wide(1), kTokens, (i + 0.5) / kSteps * mass.value());
        REQUIRE(rank < kTokens);
        ++counts[static_cast<std::size_t>(table.token(rank))];
      }
      for (Token x = 0; x < kTokens; ++x) {
        const double share = to_double(Rational(laws.weight(x, power) / whole));
        CAPTURE(x, share);
        CHECK(std::abs(counts[static_cast<std::size_t>(x)] - share * kSteps) < 1.5);
      }
    }
  }
}

}  // namespace
}  // namespace speclab::power_sums_test
