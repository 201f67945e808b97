#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "theory/stepwise.h"

namespace speclab {

// Cai et al.: "Medusa" (2024), typical acceptance and similar rules: a drafted token is
// accepted deterministically where it is in a set A that depends on t.

/// Accepts A; corrects from `correction`, a law: the token follows d on A plus d(not A) times it.
/// @param accepted  whether a token is in A
template <class Real>
StepLaw<Real> accepted_set_step(std::span<const Real> draft, const std::vector<bool>& accepted,
                                std::span<const Real> correction) {
  StepLaw<Real> law;
  Sum<Real> refused;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    law.accepted.push_back(accepted[x] ? draft[x] : Real(0));
    if (!accepted[x]) refused += draft[x];
  }
  for (const Real& share : correction) law.corrected.push_back(refused.value() * share);
  return law;
}

/// The point mass on the most probable token, ties to the lowest.
template <class Real>
std::vector<Real> argmax_law(std::span<const Real> law) {
  std::vector<Real> point(law.size(), Real(0));
  point[static_cast<std::size_t>(std::max_element(law.begin(), law.end()) - law.begin())] = 1;
  return point;
}

/// Typical acceptance's A = {t > least}, least = min(eps, alpha e^{-H(t)}) in (0, 1].
template <class Real>
std::vector<bool> typical_set(std::span<const Real> target, const Real& least) {
  std::vector<bool> accepted;
  for (const Real& share : target) accepted.push_back(share > least);
  return accepted;
}

/// The n most probable tokens (ties to the lowest) within delta of the largest.
template <class Real>
std::vector<bool> top_within_set(std::span<const Real> target, std::size_t n, const Real& delta) {
  std::vector<std::size_t> order(target.size());
  for (std::size_t x = 0; x < order.size(); ++x) order[x] = x;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return target[b] < target[a]; });
  std::vector<bool> accepted(target.size(), false);
  for (std::size_t k = 0; k < std::min(n, order.size()); ++k) {
    accepted[order[k]] = !(target[order[k]] < target[order[0]] - delta);
  }
  return accepted;
}

}  // namespace speclab
