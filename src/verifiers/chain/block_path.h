#pragma once

#include "verifiers/chain/block_coin.h"
#include "verifiers/choices.h"
#include "verifiers/pauses.h"

namespace speclab {

/// Block verification of the draft in out.path, of any length, where step i has the weight w_i:
/// sun2025 Algorithm 2 after the drafting. The whole draft is accepted with probability `whole`
/// (w_gamma there) and continued by `after`; else the longest sub-block whose coin
/// accepts (see block_coin), and Y ~ residual(laws, w_i), the law proportional to [w_i t - d]+.
template <class View, class Choices, class Residual>
void settle_block(const View& view, const typename View::Node& root, Window after,
                  const typename View::Real& whole, Choices& choices, Iteration<View>& out,
                  const Residual& residual) {
  using Real = typename View::Real;
  const int length = static_cast<int>(out.path.size());
  if (length == 0 || choices.accept(whole)) {
    out.accept_path(length);
    return out.finish(view, choices, after);
  }
  for (int i = length - 1; i >= 0; --i) {
    if (paused_before(choices, i)) return;
    const auto* step = i > 0 ? &out.path[static_cast<std::size_t>(i) - 1] : nullptr;
    const Real weight = step != nullptr ? step->weight : Real(1);
    const auto laws = view.at(step != nullptr ? step->node : root);
    const auto law = residual(laws, weight);
    if (step != nullptr) {
      const Real coin = block_coin<Real>(law.mass(), weight);
      if (!(coin > 0) || !choices.accept(coin)) continue;
    }
    out.accept_path(i);
    return out.correct(view, choices, law);
  }
}

}  // namespace speclab
