#pragma once

#include <vector>

#include "base/spec.h"
#include "verifiers/chain/block_path.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/output_step.h"
#include "verifiers/pauses.h"

namespace speclab {

/// Block verification: sun2025 Algorithm 2 with equations (4), (5).
/// w_0 = 1, w_i = min(1, w_{i-1} t(X_i)/d(X_i)). The coin of i < gamma accepts with probability
/// h_i = S_i / (S_i + 1 - w_i), S_i = sum [w_i t - d]+ at X^i; h_gamma = w_gamma. tau is the
/// largest i whose coin accepts, Y ~ [w_tau t - d]+ normalised, or Y ~ t at tau = gamma.
///
/// The coins are independent, so they are tossed from the longest block down and the first that
/// accepts decides. h_i = 0/0 requires w_i = 1 and t = d at X^i; then w_{i+1} = 1 too, and by
/// induction a longer block is accepted with probability 1: that coin is never tossed.
struct BlockVerification {
  static constexpr VerifierInfo kInfo{.name = "block",
                                      .parameters = "",
                                      .prose = "accepts the longest block whose coin accepts",
                                      .source = "sun2025 Algorithm 2",
                                      .kind = VerifierKind::lossless,
                                      .example = "block"};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static BlockVerification read(SpecReader&) { return {}; }

  /// As P(X^tau begins with x^i) = D(x^i) w_i: min(1, d(y) / (w t(y))), and w goes on as above.
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& w,
                        std::vector<OutputStep<Real>>& steps) const {
    if (!(laws.draft(y) > 0)) return;
    const Real ratio = w * likelihood_ratio(laws, y);
    steps.push_back({min_one<Real>(1 / ratio), min_one<Real>(ratio)});
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    Real w(1);
    auto node = root;
    for (int i = 1; i <= window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      w = min_one<Real>(w * likelihood_ratio(laws, x));
      node = view.next(node, x);
      out.path.push_back({x, node, w});
      if (paused_after(choices, i, x, node, w)) return;
    }
    settle_block(view, root, 0, window, w, choices, out);
  }
};

}  // namespace speclab
