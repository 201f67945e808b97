#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "theory/stepwise.h"

namespace speclab {

// Daliri, Musco, Suresh: "Coupling without Communication and Drafter-Invariant Speculative
// Decoding" (2024), Gumbel sampling: X = argmin E/d and Y = argmin E/t over one set of Exp(1)
// clocks E.

/// P(X = Y = i) = 1 / sum over v of max(d(v)/d(i), t(v)/t(i)); 0 where d(i) or t(i) is 0.
/// Worked example: toy pair, i = 0: 1 / (1 + 2) = 1/3.
template <class Real>
Real gumbel_match(std::span<const Real> draft, std::span<const Real> target, std::size_t i) {
  if (!(draft[i] > 0) || !(target[i] > 0)) return Real(0);
  Sum<Real> sum;
  for (std::size_t v = 0; v < draft.size(); ++v) {
    const Real by_draft = draft[v] / draft[i];
    const Real by_target = target[v] / target[i];
    sum += by_draft < by_target ? by_target : by_draft;
  }
  return 1 / sum.value();
}

/// P(X = i, Y = j), i != j: the integral of ds / g(s)^2 over d(j)/d(i) <= s <= t(j)/t(i), with
/// g(s) = sum over v of max(d(v)/d(i), s t(v)/t(j)): given E_i = e the least E_j is between e
/// d(j)/d(i) and e t(j)/t(i), and every clock v is at least the larger of its two bounds.
/// g is linear between its bends; over a piece [a, b] the integral is (b - a) / (g(a) g(b)).
/// Worked example: toy pair, (0, 1): s from 1/2 to 2, g(s) = max(1, s/2) + max(1/2, s) = 1 + s:
/// (3/2) / (3/2 3) = 1/3.
template <class Real>
Real gumbel_mismatch(std::span<const Real> draft, std::span<const Real> target, std::size_t i,
                     std::size_t j) {
  if (!(draft[i] > 0) || !(target[j] > 0)) return Real(0);
  const auto g = [&](const Real& s) {
    Sum<Real> sum;
    for (std::size_t v = 0; v < draft.size(); ++v) {
      const Real by_draft = draft[v] / draft[i];
      const Real by_target = s * target[v] / target[j];
      sum += by_draft < by_target ? by_target : by_draft;
    }
    return sum.value();
  };
  const Real low = draft[j] / draft[i];
  std::optional<Real> high;  // empty: infinity
  if (target[i] > 0) high = target[j] / target[i];
  if (high && !(low < *high)) return Real(0);
  std::vector<Real> bends{low};
  for (std::size_t v = 0; v < draft.size(); ++v) {
    if (!(target[v] > 0)) continue;
    const Real bend = draft[v] * target[j] / (draft[i] * target[v]);
    if (low < bend && (!high || bend < *high)) bends.push_back(bend);
  }
  if (high) bends.push_back(*high);
  std::sort(bends.begin(), bends.end());
  Sum<Real> sum;
  for (std::size_t k = 0; k + 1 < bends.size(); ++k) {
    sum += (bends[k + 1] - bends[k]) / (g(bends[k]) * g(bends[k + 1]));
  }
  // Beyond all bends g has the slope sum t / t(j) = 1 / t(j).
  if (!high) sum += target[j] / g(bends.back());
  return sum.value();
}

/// The step law of one position: the accepted token is X = Y, the correction is Y.
template <class Real>
StepLaw<Real> gumbel_step(std::span<const Real> draft, std::span<const Real> target) {
  StepLaw<Real> law;
  for (std::size_t j = 0; j < draft.size(); ++j) {
    law.accepted.push_back(gumbel_match(draft, target, j));
    Sum<Real> sum;
    for (std::size_t i = 0; i < draft.size(); ++i) {
      if (i != j) sum += gumbel_mismatch(draft, target, i, j);
    }
    law.corrected.push_back(sum.value());
  }
  return law;
}

/// gumbel_step in O(V^2) steps: Y follows the target, so the correction has mass t(j) - P(X = Y =
/// j).
template <class Real>
StepLaw<Real> gumbel_matches(std::span<const Real> draft, std::span<const Real> target) {
  StepLaw<Real> law;
  for (std::size_t j = 0; j < draft.size(); ++j) {
    law.accepted.push_back(gumbel_match(draft, target, j));
    law.corrected.push_back(positive_part<Real>(target[j] - law.accepted.back()));
  }
  return law;
}

}  // namespace speclab
