#pragma once

#include <utility>

#include "verifiers/choices.h"
#include "verifiers/pauses.h"

namespace speclab {

/// Greedy block verification (see GreedyBlockVerification) of the draft in out.path, of any length,
/// where step i has the weight r_i. The whole draft is accepted with probability min(1, r_i) at its
/// end and continued by `after`; else the longest sub-block whose coin accepts, and Y with the
/// carry.
/// @param root   the context that the draft begins in, equal to out.node
/// @param least  the shortest sub-block that may be accepted: 0, which needs no coin, or 1
/// @param span   the carry lasts for span - tau - 1 tokens after Y
/// @returns whether a sub-block is accepted; nothing is emitted where none is
template <class View, class Choices>
bool settle_greedily(const View& view, const typename View::Node& root, int least, Window after,
                     int span, Choices& choices, Iteration<View>& out) {
  using Real = typename View::Real;
  static const Real one(1);
  const int length = static_cast<int>(out.path.size());
  if (length == 0 || choices.accept(out.path.back().weight)) {
    out.accept_path(length);
    out.finish(view, choices, after);
    return true;
  }
  for (int i = length - 1; i >= least; --i) {
    if (paused_before(choices, i)) return true;
    const auto* step = i == 0 ? nullptr : &out.path[static_cast<std::size_t>(i) - 1];
    const Real& ratio = step == nullptr ? one : step->weight;
    const auto laws = view.at(step == nullptr ? root : step->node);
    const auto residual = laws.residual(ratio);
    const Real& excess = residual.mass();
    const Real deficit = excess + (1 - ratio);
    // The empty block needs no coin. An excess of at least the deficit accepts with probability 1.
    if (i > 0 && !(excess > 0)) continue;
    if (i > 0 && !(excess >= deficit) && !choices.accept(Real(excess / deficit))) continue;
    out.accept_path(i);
    const Token y = choices.correct(residual);
    out.add(view, y, Ending::correction);
    if (y != kUndefined) {
      const Real share = laws.draft(y) / (ratio * laws.target(y));
      out.node = view.modified(std::move(out.node), share, span - i - 1);
    }
    return true;
  }
  return false;
}

}  // namespace speclab
