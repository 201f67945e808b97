#pragma once

#include "base/spec.h"
#include "verifiers/info.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// A draft tree against the target alone: at a node y ~ t; a child y is entered, any other y is
/// emitted and ends the iteration.
///
/// Lossless for every tree, sampled or not: every emitted token is a draw from t, whatever the
/// children are. Given the tree E[tau] is the sum of T(v) over its nodes, and on a fixed tree no
/// lossless rule accepts more, because to accept v is to emit v. Worked example: d =
/// (2/3, 1/3), t = (1/3, 2/3), K = 2, gamma 1: sum of t (1 - (1 - d)^2) = 2/3.
struct TargetOnly {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "target-only",
      .parameters = "K= or tree=, draw= or grow=, nodes=",
      .prose = "draws from the target and continues while the token is in the draft tree",
      .source = "Miao et al. 2023 (SpecInfer), naive sampling",
      .kind = VerifierKind::lossless,
      .example = "target-only(K=2)",
      .drafts = "K",
      .lacks = {.full_acceptance = true}};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static TargetOnly read(SpecReader& spec) { return {read_draft_source(spec)}; }
  [[nodiscard]] bool steps() const { return source.paths_alone() && source.paths == 1; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    walk_tree(source, view, window, choices, out, [&](const auto& laws, auto& tree, Vertex at) {
      return enter_or_correct(tree, at, 0, RestLaw<Real>::target(laws), view, choices, out);
    });
  }
};

}  // namespace speclab
