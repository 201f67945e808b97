#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "draft/tree.h"
#include "verifiers/choices.h"
#include "verifiers/pauses.h"

namespace speclab {

/// Verification of a draft tree from the root down. At an inner vertex
/// `rule(laws, tree, vertex)` enters a child, or returns nothing after drawing the correction into
/// `out`; at a leaf Y ~ t.
template <class View, class Choices, class Rule>
void walk_tree(const DraftSource& source, const View& view, Window window, Choices& choices,
               Iteration<View>& out, const Rule& rule) {
  DraftTree<View, Choices> tree(source, view, out.node, window.drafts, choices);
  Vertex at = kRootVertex;
  while (!tree.is_leaf(at)) {
    const auto laws = view.at(tree.node(at));
    const std::optional<Vertex> child = rule(laws, tree, at);
    if (!child) return;
    out.accept(tree.token(*child), tree.node(*child));
    at = *child;
    if (pauses<View>(choices)) {
      // What follows depends on the multiplicity; in a grown tree on the vertex, in a shape on the
      // place.
      const typename View::Real paths(source.grown()    ? static_cast<int>(at)
                                      : source.shaped() ? static_cast<int>(tree.place(at))
                                                        : tree.multiplicity(at));
      if (paused_after(choices, out.accepted, tree.token(at), out.node, paths)) return;
    }
  }
  out.finish(view, choices, window);
}

/// Draws one token from the law `left`: if it is a child of `at`, from number `first` on, the child
/// is entered; any other token is the correction. Where `left` has no weight the correction is
/// undefined.
///
/// The draw is made in two steps, first the child or none, so that an interpreter need not branch
/// over the corrections.
template <class Tree, class View, class Choices>
std::optional<Vertex> enter_or_correct(Tree& tree, Vertex at, int first,
                                       RestLaw<typename View::Real> left, const View& view,
                                       Choices& choices, Iteration<View>& out) {
  using Real = typename View::Real;
  const auto children = tree.children(at).subspan(static_cast<std::size_t>(first));
  std::vector<Real> weights;
  for (const Vertex child : children) {
    weights.push_back(left.weight(tree.token(child)));
    left.strike(tree.token(child));
  }
  weights.push_back(left.mass());
  const Token side = choices.choose(DenseLaw<Real>(std::move(weights)));
  if (side != kUndefined && static_cast<std::size_t>(side) < children.size()) {
    return children[static_cast<std::size_t>(side)];
  }
  out.correct(view, choices, left);
  return std::nullopt;
}

}  // namespace speclab
