#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "theory/stepwise.h"

namespace speclab {

// Narasimhan et al.: "Faster Cascades via Speculative Decoding" (2025): token verification against
// a relaxed target pi, a function of d and t, which the token emitted follows:
// P(accept) = 1 - TV(d, pi).

/// w t + (1 - w) d: P(accept) = 1 - w TV(d, t), TV of the token to the target (1 - w) TV(d, t).
template <class Real>
std::vector<Real> ensemble_law(std::span<const Real> draft, std::span<const Real> target,
                               const Real& weight) {
  std::vector<Real> pi;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    pi.push_back(draft[x] + weight * (target[x] - draft[x]));
  }
  return pi;
}

/// [OPT]: t where max d < max t - alpha TV(d, t), else d.
template <class Real>
std::vector<Real> cascade_opt_law(std::span<const Real> draft, std::span<const Real> target,
                                  const Real& alpha) {
  const Real best_draft = *std::max_element(draft.begin(), draft.end());
  const Real best_target = *std::max_element(target.begin(), target.end());
  const bool defers = best_draft + alpha * total_variation(draft, target) < best_target;
  const auto& pi = defers ? target : draft;
  return {pi.begin(), pi.end()};
}

/// [Token-specific, top]: d on A = {t >= (1 - alpha) max t}, plus d(not A) t everywhere; with
/// alpha = 0 A is the lowest of the most probable tokens of t. TV to the target is at most d(A).
template <class Real>
std::vector<Real> cascade_top_law(std::span<const Real> draft, std::span<const Real> target,
                                  const Real& alpha) {
  const auto first = std::max_element(target.begin(), target.end());
  std::vector<Real> pi(target.begin(), target.end());
  Sum<Real> trusted;
  for (std::size_t x = 0; x < pi.size(); ++x) {
    const bool only = &target[x] == &*first;
    if (alpha > 0 ? !(target[x] < (1 - alpha) * *first) : only) trusted += draft[x];
  }
  for (std::size_t x = 0; x < pi.size(); ++x) {
    const bool only = &target[x] == &*first;
    pi[x] = (1 - trusted.value()) * target[x];
    if (alpha > 0 ? !(target[x] < (1 - alpha) * *first) : only) pi[x] += draft[x];
  }
  return pi;
}

}  // namespace speclab
