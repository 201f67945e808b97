#pragma once

#include <span>
#include <vector>

#include "base/spec.h"
#include "verifiers/chain/greedy_path.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/pauses.h"

namespace speclab {

/// Greedy block verification: sun2025 Algorithm 4 with the modified target of Algorithm 5
/// (the block-level optimum of sun2024).
/// r_0 = 1, r_i = r_{i-1} t(X_i)/d(X_i), not clamped. The coin of i < gamma accepts with
/// probability min(1, sum [r_i t - d]+ / sum [d - r_i t]+), the coin of gamma with min(1, r_gamma).
/// tau is the largest i whose coin accepts; Y ~ [r_tau t - d]+ normalised, or Y ~ t at gamma.
///
/// The sums are related by: sum [d - r t]+ = sum [r t - d]+ + 1 - r.
///
/// Losslessness needs the carry: for the next gamma - tau - 1 tokens the target is proportional to
/// [T(path) t - D(path) d]+, T and D being the joint probabilities of the path from the start of
/// this iteration. Along every emitted path T > D, so the carry stores D / T < 1.
struct GreedyBlockVerification {
  static constexpr VerifierInfo kInfo{.name = "greedy-block",
                                      .parameters = "",
                                      .prose =
                                          "block verification with unclamped weights; modifies the "
                                          "target of the next tokens (carry)",
                                      .source = "sun2025 Algorithms 4, 5; sun2024 Algorithm 3",
                                      .kind = VerifierKind::lossless,
                                      .example = "greedy-block"};
  static constexpr bool kCarries = true;
  static constexpr bool kMerges = true;
  static GreedyBlockVerification read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    Real r(1);
    const typename View::Node* node = &root;
    for (int i = 1; i <= window.drafts; ++i) {
      const auto laws = view.at(*node);
      const Token x = choices.draft(laws.draft());
      r = r * likelihood_ratio(laws, x);
      out.path.push_back({x, view.next(*node, x), r});
      node = &out.path.back().node;
      if (paused_after(choices, i, x, *node, r)) return;
    }
    settle_greedily(view, root, 0, window, window.drafts, choices, out);
  }
};

}  // namespace speclab
