#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "theory/stepwise.h"

namespace speclab {

// Miao et al.: "SpecInfer" (2023), naive sampling: the target's draw is emitted, and is an
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

/// The draft's most probable token, ties to the lowest: P(accept) = t(argmax d).
/// Worked example: toy pair: 1/3.
template <class Real>
StepLaw<Real> argmax_match_step(std::span<const Real> draft, std::span<const Real> target) {
  const auto drafted = std::max_element(draft.begin(), draft.end()) - draft.begin();
  StepLaw<Real> law{std::vector<Real>(draft.size(), Real(0)), {target.begin(), target.end()}};
  std::swap(law.accepted[static_cast<std::size_t>(drafted)],
            law.corrected[static_cast<std::size_t>(drafted)]);
  return law;
}

/// Adds to tail[i], i > depth, the terms of target_only_tail below a path of `depth` tokens that
/// ends in `state`; `draft` and `target` are its D and T, `weight` the probability of its start.
template <class Real>
void add_target_only(const Rows<Real>& rows, State state, const Real& draft, const Real& target,
                     const Real& weight, int drafts, std::size_t depth,
                     std::vector<Sum<Real>>& tail, Budget& budget) {
  if (depth + 1 == tail.size()) return;
  budget.spend<Real>(4.0 * static_cast<double>(rows.vocabulary()), static_cast<int>(depth));
  for (std::size_t x = 0; x < rows.draft(state).size(); ++x) {
    const Real longer_draft = draft * rows.draft(state)[x];
    const Real longer_target = target * rows.target(state)[x];
    if (!(longer_draft > 0) || !(longer_target > 0)) continue;
    tail[depth + 1] += weight * longer_target * (1 - power<Real>(1 - longer_draft, drafts));
    add_target_only(rows, rows.next(state, static_cast<Token>(x)), longer_draft, longer_target,
                    weight, drafts, depth + 1, tail, budget);
  }
}

/// tail[i] = sum over x^i of T [1 - (1 - D)^K], i = 0..gamma: the target's own draw is among K
/// i.i.d. drafts of i tokens. Worked example: toy pair, K = 2, gamma = 1: 1, 2/3.
template <class Real>
std::vector<Real> target_only_tail(const Rows<Real>& rows, const Measure<Real>& start, int drafts,
                                   int gamma, Budget& budget) {
  std::vector<Sum<Real>> sums(static_cast<std::size_t>(gamma) + 1);
  sums[0] += Real(1);
  for (const auto& [state, weight] : start.entries()) {
    add_target_only(rows, state, Real(1), Real(1), weight, drafts, 0, sums, budget);
  }
  return values_of(sums);
}

}  // namespace speclab
