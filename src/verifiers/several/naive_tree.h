#pragma once

#include "base/spec.h"
#include "verifiers/info.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// The token rule followed by a check of the other children: at a node the first child x is
/// accepted with probability min(1, t(x)/d(x)); else y ~ [t - d]+ normalised, and a y that is
/// another child is entered, any other y is emitted and ends the iteration.
///
/// Lossless: at every node the emitted token is that of the token rule, with law t. One node, K
/// chains:
///   P(accept) = sum of min(t, d) + sum of [t - d]+ (1 - (1 - d)^{K-1}).
/// Worked example: d = (2/3, 1/3), t = (1/3, 2/3), K = 2: 2/3 + 1/3 * 1/3 = 7/9.
struct NaiveTree {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "naive-tree",
      .parameters = "K=",
      .prose = "the token rule on the first child; its correction may be another child",
      .source = "token rule of sun2025 Algorithm 1, continued through the tree of K drafts",
      .kind = VerifierKind::lossless,
      .example = "naive-tree(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static NaiveTree read(SpecReader& spec) { return {read_paths(spec)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    walk_tree(source, view, window, choices, out,
              [&](const auto& laws, auto& tree, Vertex at) -> std::optional<Vertex> {
                const auto first = tree.child(at, 0);
                if (choices.accept(likelihood_ratio(laws, tree.token(*first)))) return first;
                return enter_or_correct(tree, at, 1, RestLaw<Real>::residual(laws, Real(1)), view,
                                        choices, out);
              });
  }
};

}  // namespace speclab
