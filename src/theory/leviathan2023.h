#pragma once

#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/power.h"
#include "theory/stepwise.h"

namespace speclab {

// Leviathan, Kalman, Matias: "Fast Inference from Transformers via Speculative Decoding" (2023),
// for acceptance rates a = 1 - TV(d, t) that are the same at every position.

/// Equation (1): expected tokens of one iteration of token verification, (1 - a^(g+1)) / (1 - a) =
/// 1 + a + ... + a^g, which is g + 1 at a = 1.
template <class Real>
Real expected_tokens(const Real& acceptance, int gamma) {
  if constexpr (!std::is_same_v<Real, double>) {
    if (acceptance == 1) return Real(gamma + 1);
    return (1 - power(acceptance, gamma + 1LL)) / (1 - acceptance);
  }
  Sum<Real> sum;  // in doubles 1 - a rounds where a is near 1
  Real term(1);
  sum += term;
  for (int i = 1; i <= gamma; ++i) {
    term *= acceptance;
    sum += term;
  }
  return sum.value();
}

/// Theorem 3.8: expected tokens of an iteration in the time of one target call, (1 - a^(g+1)) /
/// ((1 - a) (g c + 1)), c = time of a draft token / time of a target call. The paper calls it the
/// improvement in walltime: that of a long run, in which all iterations are identically
/// distributed; the last one, cut at the horizon, is neglected.
template <class Real>
Real expected_improvement(const Real& acceptance, int gamma, const Real& cost) {
  return expected_tokens(acceptance, gamma) / (Real(gamma) * cost + 1);
}

/// Appendix A.5, lenience l > 0: accept with min(1, t / (l d)), correct from [t - d]+; so a token
/// is accepted with min(d, t / l). Empty where a correction is needed although d = t.
template <class Real>
std::optional<StepLaw<Real>> lenient_step(std::span<const Real> draft, std::span<const Real> target,
                                          const Real& lenience) {
  std::vector<Real> accepted, weights;
  Sum<Real> rejected;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    accepted.push_back(lesser<Real>(draft[x], target[x] / lenience));
    rejected += draft[x] - accepted.back();
    weights.push_back(positive_part<Real>(target[x] - draft[x]));
  }
  return step_law(std::move(accepted), std::move(weights), rejected.value());
}

}  // namespace speclab
