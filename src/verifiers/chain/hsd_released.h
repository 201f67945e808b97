#pragma once

#include "base/spec.h"
#include "verifiers/chain/block_path.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Hierarchical speculative decoding as in the code that its appendix lists: block verification (to
/// which the paper's method is identical) except for the last coin, which accepts the whole draft
/// with min(1, T(X)/D(X)), where the ratio is not clamped along the path, instead of w_gamma. Since
/// w_gamma <= T(X)/D(X), the whole draft is accepted too often; toy pair, gamma = 2: TV 1/9 of
/// three tokens.
struct HsdReleased {
  static constexpr VerifierInfo kInfo{
      .name = "hsd-released",
      .parameters = "",
      .prose = "block whose last coin is min(1, T(X)/D(X)); biased from gamma = 2; use block",
      .source = "Zhou et al. 2026 (HSD), the code in its appendix",
      .kind = VerifierKind::printed,
      .example = "hsd-released",
      .fault_of = "block"};
  static constexpr bool kCarries = false;
  static HsdReleased read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    Real weight(1);
    Real ratio(1);
    auto node = root;
    for (int i = 1; i <= window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      const Real step = likelihood_ratio(laws, x);
      weight = min_one<Real>(weight * step);
      ratio = ratio * step;
      node = view.next(node, x);
      out.path.push_back({x, node, weight});
    }
    settle_block(view, root, 0, window, ratio, choices, out);
  }
};

}  // namespace speclab
