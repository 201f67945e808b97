#pragma once

#include <optional>

#include "base/spec.h"
#include "verifiers/info.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// A tree of the draft's most probable tokens, each child tested as if it were the only draft:
/// child x is accepted with probability min(1, t(x) / d(x)), with the node's own t and d at every
/// child; where all are refused Y ~ [t - d]+ normalised. Neither law is updated, and the children
/// are not sampled: biased for one child already.
///
/// The correction is defined: where t = d the first child is accepted. Worked example: d = (1/2,
/// 1/4, 1/4), t = (1/5, 1/2, 3/10): one child leaves the law (2/5, 1/2, 1/10), TV 1/5; two leave
/// (2/5, 3/5, 0), TV 3/10.
struct DenseTree {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "dense-tree",
      .parameters = "K= or tree=",
      .prose = "tests every child of the most probable tokens with t/d of its node; biased",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::printed,
      .example = "dense-tree(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static constexpr bool kReadsDraft = true;
  static DenseTree read(SpecReader& spec) { return {read_tree(spec, Draw::top)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    walk_tree(source, view, window, choices, out,
              [&](const auto& laws, auto& tree, Vertex at) -> std::optional<Vertex> {
                for (int j = 0; const auto child = tree.child(at, j); ++j) {
                  if (choices.accept(likelihood_ratio(laws, tree.token(*child)))) return child;
                }
                out.correct(view, choices, laws.residual(Real(1)));
                return std::nullopt;
              });
  }
};

}  // namespace speclab
