#pragma once

#include "base/spec.h"
#include "verifiers/info.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// A draft tree whose children are tried as if each had been drafted with probability 1: child x is
/// accepted with probability t'(x), t' = t at first; a refused x is removed from t', which is
/// renormalised; where none is accepted Y ~ t'.
///
/// Lossless for every tree, sampled or not, without the draft law: a node emits x with probability
/// t(x) whatever the order, the law of target-only. Where only x has mass left t'(x) = 1, so a t'
/// of mass 0 never occurs. Worked example: t = (1/2, 1/4, 1/4), children 0, 1: accepted with 1/2,
/// then (1/4) / (1/2) = 1/2.
struct OneHot {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "one-hot",
      .parameters = "K= or tree=, draw= or grow=, nodes=",
      .prose = "tries the children against the target and removes the refused ones",
      .source = "Li et al. 2024 (EAGLE-2), eagle/model/utils.py@cb7e084",
      .kind = VerifierKind::lossless,
      .example = "one-hot(K=2)",
      .drafts = "K",
      .lacks = {.full_acceptance = true}};
  static constexpr bool kCarries = false;
  static OneHot read(SpecReader& spec) { return {read_draft_source(spec)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    walk_tree(source, view, window, choices, out,
              [&](const auto& laws, auto& tree, Vertex at) -> std::optional<Vertex> {
                auto left = RestLaw<Real>::target(laws);
                for (int j = 0; const auto child = tree.child(at, j); ++j) {
                  if (choices.accept(left.probability(tree.token(*child)))) return child;
                  left.strike(tree.token(*child));
                }
                out.correct(view, choices, left);
                return std::nullopt;
              });
  }
};

}  // namespace speclab
