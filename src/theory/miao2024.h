#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "theory/stepwise.h"

namespace speclab {

// Miao et al.: "SpecInfer" (2024), naive sampling: the target's own draw is emitted and is an
// accepted token where it equals the draft; here on one chain (sample-match).

/// A sampled draft: P(x drafted and emitted) = t(x) d(x), so P(accept) = sum t d.
/// Worked example: toy pair: 1/3 2/3 + 2/3 1/3 = 4/9.
template <class Real>
StepLaw<Real> sample_match_step(std::span<const Real> draft, std::span<const Real> target) {
  StepLaw<Real> law;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    law.accepted.push_back(target[x] * draft[x]);
    law.corrected.push_back(target[x] * (1 - draft[x]));
  }
  return law;
}

/// The draft's most probable token, of equal ones the lowest: P(accept) = t(argmax d).
/// Worked example: toy pair: 1/3.
template <class Real>
StepLaw<Real> argmax_match_step(std::span<const Real> draft, std::span<const Real> target) {
  const auto drafted = std::max_element(draft.begin(), draft.end()) - draft.begin();
  StepLaw<Real> law{std::vector<Real>(draft.size(), Real(0)), {target.begin(), target.end()}};
  std::swap(law.accepted[static_cast<std::size_t>(drafted)],
            law.corrected[static_cast<std::size_t>(drafted)]);
  return law;
}

}  // namespace speclab
