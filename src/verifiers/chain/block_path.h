#pragma once

#include "verifiers/chain/block_coin.h"
#include "verifiers/choices.h"
#include "verifiers/pauses.h"

namespace speclab {

/// The law proportional to [scale t - d]+.
struct ResidualOfLaws {
  template <class Laws>
  auto operator()(const Laws& laws, const typename Laws::Real& scale) const {
    return laws.residual(scale);
  }
};

/// Block verification of the draft in out.path, of any length, where step i has the weight w_i:
/// sun2025 Algorithm 2 after the drafting. The whole draft is accepted with probability `whole`
/// (w_gamma there) and continued by `after`; else the longest sub-block whose coin
/// accepts (see block_coin), and Y ~ residual(laws, w_i), the law proportional to [w_i t - d]+.
/// @param least  the shortest sub-block that may be accepted: 0, which needs no coin, or 1
/// @returns whether a sub-block is accepted; nothing is emitted where none is
template <class View, class Choices, class Residual = ResidualOfLaws>
bool settle_block(const View& view, const typename View::Node& root, int least, Window after,
                  const typename View::Real& whole, Choices& choices, Iteration<View>& out,
                  const Residual& residual = {}) {
  using Real = typename View::Real;
  const int length = static_cast<int>(out.path.size());
  if (length == 0 || choices.accept(whole)) {
    out.accept_path(length);
    out.finish(view, choices, after);
    return true;
  }
  for (int i = length - 1; i >= least; --i) {
    if (paused_before(choices, i)) return true;
    const auto* step = i > 0 ? &out.path[static_cast<std::size_t>(i) - 1] : nullptr;
    const Real weight = step != nullptr ? step->weight : Real(1);
    const auto laws = view.at(step != nullptr ? step->node : root);
    const auto law = residual(laws, weight);
    if (step != nullptr) {
      const Real coin = block_coin<Real>(law.mass(), weight);
      if (!(coin > 0) || !choices.accept(coin)) continue;
    }
    out.accept_path(i);
    out.correct(view, choices, law);
    return true;
  }
  return false;
}

}  // namespace speclab
