#pragma once

#include <algorithm>
#include <vector>

#include "claims/papers/zhong2025/rates.h"

namespace speclab {

// What the claims on the length of SPRINTER's runs share.

inline constexpr Family kRuns{
    .text = "two pairs with r acceptable tokens first, then none: r = 0..3/4/5, gamma r + 3",
    .make =
        [](Effort effort) {
          std::vector<Instance> instances;
          for (int acceptable = 0; acceptable <= Sized(3, 4, 5).at(effort); ++acceptable) {
            instances.push_back(acceptable_first(acceptable, false, acceptable + 3));
            // Longer runs of the pair whose draft branches are left to the other.
            if (acceptable > 2) continue;
            instances.push_back(acceptable_first(acceptable, true, acceptable + 3));
          }
          return instances;
        },
};

/// r: how many of the first tokens are acceptable whatever they are. @pre an instance of kRuns
inline int acceptable_of(const Instance& instance) {
  State state = instance.start();
  int acceptable = 0;
  const auto equal = [&] {
    const auto draft = instance.rows->draft(state);
    return std::equal(draft.begin(), draft.end(), instance.rows->target(state).begin());
  };
  for (; equal(); ++acceptable) state = instance.rows->next(state, 0);
  return acceptable;
}

/// What is enumerated of a run whose window holds gamma tokens.
struct Run {
  std::vector<Rational> law;   ///< P(N = i); N >= gamma is one cell
  std::vector<Rational> tail;  ///< P(N >= i), i = 0 .. gamma

  Run(const Instance& instance, const Rates& rates)
      : law(exact_answer(rates.verifier(), instance).fractions(QuantityId::accepted_law)),
        tail(law.size()) {
    Rational sum(0);
    for (std::size_t i = law.size(); i-- > 0;) tail[i] = sum += law[i];
  }

  /// Where the laws stay the same from before the window's last step on, each further token passes
  /// with the probability of that step: P(N >= gamma + k) = P(N >= gamma) step^k, step < 1.
  [[nodiscard]] Rational step() const {
    const Rational& before = tail[tail.size() - 2];
    return before == 0 ? Rational(0) : Rational(tail.back() / before);
  }
  /// Sum of P(N >= i) over i > gamma.
  [[nodiscard]] Rational beyond() const { return tail.back() * step() / (1 - step()); }

  /// E[N] without a window.
  [[nodiscard]] Rational passed() const {
    Rational sum = beyond();
    for (std::size_t i = 0; i < law.size(); ++i) sum += static_cast<long>(i) * law[i];
    return sum;
  }
  /// E[tokens drafted] without a window: those that pass and the one that does not.
  [[nodiscard]] Rational drafted() const {
    Rational sum = tail.back() / (1 - step());
    for (std::size_t i = 0; i + 1 < law.size(); ++i) sum += static_cast<long>(i + 1) * law[i];
    return sum + static_cast<long>(law.size() - 1) * law.back();
  }
  /// E[tokens that pass beyond the first `acceptable`] without a window.
  [[nodiscard]] Rational passed_beyond(int acceptable) const {
    Rational sum = beyond();
    for (auto i = static_cast<std::size_t>(acceptable) + 1; i < tail.size(); ++i) sum += tail[i];
    return sum;
  }
};

}  // namespace speclab
