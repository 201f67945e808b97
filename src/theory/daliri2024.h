#pragma once

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

/// The step law of one position: the accepted token is X = Y, the correction is Y. Y follows the
/// target, so the correction has mass t(j) - P(X = Y = j).
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
