#pragma once

#include <algorithm>
#include <utility>

#include "theory/inquiry.h"
#include "theory/likelihood_walk.h"
#include "theory/weight_bounds.h"

namespace speclab {

/// What is left to a walk over all paths of a setting that allows bounds more work than other
/// forms.
template <class Real>
Budget walk_budget(const Inquiry<Real>& inquiry) {
  return Budget(std::min(inquiry.setting().max_work, Setting().max_work));
}

/// Adds the law of tau where P(tau >= i) = E_d[min(1, w_i)], by the walk over paths. A memoryless
/// pair of too many paths has it in doubles too: to gamma = 2 by prefix sums, beyond as bounds, if
/// the setting allows so much work.
template <class Real>
std::optional<std::vector<Real>> add_weight_tail(Inquiry<Real>& inquiry, WeightRule rule) {
  const int gamma = inquiry.drafts();
  Budget walked = walk_budget(inquiry);
  try {
    const auto tail = walk_sums(
        LikelihoodWalk<Real>(inquiry.rows, inquiry.start, rule == WeightRule::clamped, walked),
        gamma, [](const Real& w) { return min_one<Real>(w); });
    inquiry.add_accepted(tail);
    return tail;
  } catch (const LimitError&) {
    if (!std::is_same_v<Real, double> || !inquiry.setting().pair->memoryless()) throw;
  }
  if constexpr (std::is_same_v<Real, double>) {
    constexpr double kWanted = 5e-10;
    const auto draft = inquiry.rows.draft(0);
    const auto target = inquiry.rows.target(0);
    Budget budget(inquiry.setting().max_work);
    if (gamma <= 2) {
      budget.spend<double>(40.0 * inquiry.rows.vocabulary());
      inquiry.add_accepted(short_weight_tail(draft, target, gamma, rule));
    } else {
      const auto bounds = weight_tail_bounds(draft, target, gamma, rule, kWanted, budget);
      inquiry.add_accepted_bounds(bounds.low, bounds.high);
    }
  }
  return std::nullopt;
}

}  // namespace speclab
