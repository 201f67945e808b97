#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "theory/stepwise.h"

namespace speclab {

// Drafts that stop before the end of their window, as in inference engines.

/// Token verification whose draft ends where max d < theta: there a token is emitted from the
/// target and none is accepted; elsewhere the step is that of token verification. Every step emits
/// the target's law, so the rule is lossless; stepwise_tail gives P(tau >= i). Worked example: toy
/// pair, theta = 7/10: nothing is ever drafted.
template <class Real>
StepRule<Real> stopped_by_law(const Real& theta) {
  return StepRule<Real>([theta](std::span<const Real> draft, std::span<const Real> target) {
    if (!(*std::max_element(draft.begin(), draft.end()) < theta)) return token_step(draft, target);
    return StepLaw<Real>{std::vector<Real>(draft.size(), Real(0)), {target.begin(), target.end()}};
  });
}

}  // namespace speclab
