#pragma once

#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/chain/block_coin.h"
#include "verifiers/info.h"
#include "verifiers/several/residual_step.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// How traversal verification reads a draft set.
enum class Traversing {
  without,  ///< a tree drawn without replacement: the paper's
  merged,   ///< K i.i.d. chains, equal ones merged, read as if drawn without replacement
  counted,  ///< K i.i.d. chains, each counted
};

/// Traversal verification: block verification of a tree, from the leaves up.
///
/// a(root) = 1 and a(ux) = min(1, a(u) t_u(x) / d_u(x)). Repeatedly the first leaf v in depth-first
/// order is accepted with probability a(v) (the root: 1), which ends the iteration with Y ~ t_v; or
/// v is deleted, and at its parent u, with the old a,
///   s = sum of [a t_u - d_u]+,  a := s / (s + 1 - a),  t_u := [a t_u - d_u]+ / s,
/// and d_u := d_u without v's token, renormalised. Counted: the chains through u are read in order;
/// one that brings a new token has that child's subtree verified, with all the chains through it;
/// every chain, a duplicate too, then costs one step of (a, t_u), and d_u stays.
///
/// Depth first is a recursion: a subtree is finished before its next sibling begins. a = 0 stays 0,
/// so the subtree of such a node is skipped. s / (s + 1 - a) = 0/0 requires a = 1 and t_u = d_u;
/// then the child's a is 1 and so on down, and a leaf with a = 1 is accepted: the case never
/// occurs. One chain: block verification, in all three readings.
template <Traversing kTraversing>
struct Traversal {
  DraftSource source;

  static constexpr VerifierInfo kInfo =
      kTraversing == Traversing::without
          ? VerifierInfo{.name = "traversal-without",
                         .parameters = "K=, tree= or ranks=, or grow=sequoia, nodes=, depth=",
                         .prose =
                             "block verification of a tree drawn without replacement, leaves first",
                         .source = "Weng et al. 2025 (Traversal Verification)",
                         .kind = VerifierKind::lossless,
                         .example = "traversal-without(K=2)",
                         .drafts = "K"}
      : kTraversing == Traversing::merged
          ? VerifierInfo{.name = "traversal-merged",
                         .parameters = "K=",
                         .prose = "traversal verification of K drafts, equal ones merged",
                         .source = "Weng et al. 2025 (Traversal Verification), on i.i.d. drafts",
                         .kind = VerifierKind::lossless,
                         .example = "traversal-merged(K=2)",
                         .drafts = "K"}
          : VerifierInfo{
                .name = "traversal",
                .parameters = "K=",
                .prose = "traversal verification of K drafts, each counted",
                .source = "Weng et al. 2025 (Traversal Verification), on counted i.i.d. drafts",
                .kind = VerifierKind::lossless,
                .example = "traversal(K=2)",
                .drafts = "K"};
  static constexpr bool kCarries = false;
  static Traversal read(SpecReader& spec) {
    return {kTraversing == Traversing::without ? read_tree(spec, Draw::without) : read_paths(spec)};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    DraftTree<View, Choices> tree(source, view, root, window.drafts, choices);
    accept_in(tree, kRootVertex, typename View::Real(1), view, window, choices, out);
  }

 private:
  /// Verifies the subtree of v from a(v); true where a vertex of it was accepted, and emitted.
  template <class Tree, class View, class Choices>
  static bool accept_in(Tree& tree, Vertex v, typename View::Real a, const View& view,
                        Window window, Choices& choices, Iteration<View>& out) {
    using Real = typename View::Real;
    const auto emit = [&] {
      tree.walk_to(v, [&](Token x, const auto& after) { out.accept(x, after); });
    };
    if (tree.is_leaf(v)) {
      if (!choices.accept(a)) return false;
      emit();
      out.finish(view, choices, window);
      return true;
    }
    const auto laws = view.at(tree.node(v));
    auto draft = RestLaw<Real>::draft(laws);
    auto target = RestLaw<Real>::target(laws);
    Vertex newest = v;  // children are numbered in order of first appearance
    for (int j = 0; a > 0; ++j) {
      const auto child = kTraversing == Traversing::counted ? tree.draw(v, j) : tree.child(v, j);
      if (!child) break;
      const Token x = tree.token(*child);
      if (*child > newest) {
        newest = *child;
        const Real below = a * target.weight(x) / draft.probability(x);
        if (accept_in(tree, *child, min_one<Real>(below), view, window, choices, out)) return true;
      }
      const Real excess = take_residual(laws, target, a, draft);
      a = block_coin<Real>(excess, a);
      if (kTraversing == Traversing::counted) continue;
      draft.strike(x);
      target.keep(x);
    }
    if (v != kRootVertex && !choices.accept(a)) return false;
    emit();
    out.correct(view, choices, target);
    return true;
  }
};

using TraversalWithout = Traversal<Traversing::without>;
using TraversalMerged = Traversal<Traversing::merged>;
using TraversalCounted = Traversal<Traversing::counted>;

}  // namespace speclab
