#pragma once

#include "base/spec.h"
#include "verifiers/chain/block_coin.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// The Python listing of sun2025 appendix A exactly as printed. Its loop runs over the sub-blocks
/// of lengths 0..gamma-1 only: the last step, which would accept the whole draft and add a bonus
/// token, is missing, so an iteration always ends with a residual token; and it divides 0 by 0,
/// which stops the program, wherever w = 1 and d = t.
///
/// A sub-block of length i is chosen by the coin of block verification, the longest chosen is
/// accepted.
struct BlockListing {
  static constexpr VerifierInfo kInfo{
      .name = "block-listing",
      .parameters = "",
      .prose =
          "as printed: lacks the last step, never accepts a whole draft, 0/0 at d = t; use block",
      .source = "sun2025 appendix A",
      .kind = VerifierKind::printed,
      .example = "block-listing",
      .fault_of = "block"};
  static constexpr bool kCarries = false;
  static BlockListing read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    Real w(1);
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(node);
      if (!(w < 1) && !(laws.residual(w).mass() > 0)) {
        return out.add(view, kUndefined, Ending::undefined);
      }
      const Token x = choices.draft(laws.draft());
      out.path.push_back({x, node, w});
      w = min_one<Real>(w * likelihood_ratio(laws, x));
      node = view.next(node, x);
    }
    for (int i = window.drafts - 1; i >= 0; --i) {
      const auto& step = out.path[static_cast<std::size_t>(i)];
      const auto laws = view.at(step.node);
      const auto residual = laws.residual(step.weight);
      const Real coin = block_coin<Real>(residual.mass(), step.weight);
      if (coin > 0 && choices.accept(coin)) {
        for (int j = 0; j < i; ++j) {
          const Token x = out.path[static_cast<std::size_t>(j)].token;
          out.accept(x, view.next(out.node, x));
        }
        return out.correct(view, choices, residual);
      }
    }
  }
};

}  // namespace speclab
