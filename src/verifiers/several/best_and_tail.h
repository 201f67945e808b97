#pragma once

#include <cstddef>

#include "base/spec.h"
#include "draft/best_and_tail.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/several/residual_step.h"

namespace speclab {

/// Verifies a tree of likeliest and sampled children (draft/best_and_tail.h) from the root down. At
/// a node the sampled child y is accepted with probability min(1, t(y) / d'(y)), d' the draft
/// without its likeliest token b, normalised; else t becomes [t - d']+ normalised. Then b is
/// accepted with probability t(b); else b is removed from t, and where no child is accepted Y ~ t.
///
/// At one position with both children P(accept) = t(b) + the sum over x != b of min(t(x), d'(x)),
/// the most that these children allow: no rule accepts b more often than t(b), nor x more often
/// than t(x) or than it is drafted. Tested after b, y would meet less of t.
/// @param nodes  N >= 1
template <class View, class Choices>
void verify_best_and_tail(int nodes, typename BestAndTailTree<View, Choices>::Order order,
                          const View& view, Window window, Choices& choices, Iteration<View>& out) {
  using Real = typename View::Real;
  const BestAndTailTree<View, Choices> tree(nodes, order, view, out.node, window.drafts, choices);
  std::size_t at = 0;
  const auto enter = [&](std::size_t child) {
    out.accept(tree[child].token, tree[child].node);
    at = child;
  };
  while (tree[at].sampled || tree[at].fixed) {
    const auto& vertex = tree[at];
    const auto laws = view.at(vertex.node);
    auto target = RestLaw<Real>::target(laws);
    if (vertex.sampled) {
      const Token y = tree[*vertex.sampled].token;
      if (choices.accept(Real(target.weight(y) / vertex.tail->probability(y)))) {
        enter(*vertex.sampled);
        continue;
      }
      target.keep(vertex.best);
      take_residual(laws, target, Real(1), *vertex.tail);
    }
    if (vertex.fixed) {
      if (choices.accept(target.weight(vertex.best))) {
        enter(*vertex.fixed);
        continue;
      }
      target.strike(vertex.best);
    }
    out.correct(view, choices, target);
    return;
  }
  out.finish(view, choices, window);
}

/// A tree whose nodes have the likeliest child and one that is drawn from the rest of the draft.
///
/// Lossless: whether a sampled child is in the tree does not depend on its token, so that below
/// each node it is a draw from d' and each step is the token rule for (d', t), then for a token
/// drafted with certainty.
struct BestAndTail {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "best-and-tail",
      .parameters = "nodes=",
      .prose = "grows a tree of likeliest and sampled children, ranked by the mass sampled from",
      .source = "this project, after arXiv 2609.21827 (RheoSampling), by its abstract",
      .kind = VerifierKind::lossless,
      .example = "best-and-tail(nodes=3)",
      .drafts = "nodes",
      .lacks = {.full_acceptance = true, .token_names = true}};
  static constexpr bool kCarries = false;
  static BestAndTail read(SpecReader& spec) { return {read_best_and_tail(spec)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_best_and_tail(source.growth.nodes, BestAndTailTree<View, Choices>::Order::mass, view,
                         window, choices, out);
  }
};

}  // namespace speclab
