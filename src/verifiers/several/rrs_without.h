#pragma once

#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/info.h"
#include "verifiers/several/residual_step.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// Recursive rejection sampling over children drawn without replacement. At a node t_1 = t and
/// d_1 = d; child x_j ~ d_j is accepted with probability min(1, t_j(x_j) / d_j(x_j)); else
/// t_{j+1} = [t_j - d_j]+ normalised and d_{j+1} is d_j without x_j, renormalised; where all m
/// children are refused Y ~ t_{m+1}.
///
/// Lossless: child j is a draw from d_j given the children before it, so each step is the token
/// rule for (d_j, t_j). A d with m tokens has no child m + 1: d_m is a point mass on the last
/// token. Worked example: d = (2/3, 1/3), t = (1/3, 2/3), two children: t_2 = (0, 1). First child
/// 0, refused with 1/2: the second is 1, accepted with probability 1. First child 1: accepted.
/// P(accept) = 1.
struct RecursiveWithout {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "rrs-without",
      .parameters = "K=, tree= or ranks=, or grow=sequoia, nodes=, depth=",
      .prose = "recursive rejection sampling over children drawn without replacement",
      .source = "Jeon et al. 2024 (RSD); Yang et al. 2024 (multi-candidate speculative decoding)",
      .kind = VerifierKind::lossless,
      .example = "rrs-without(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static RecursiveWithout read(SpecReader& spec) { return {read_tree(spec, Draw::without)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    walk_tree(source, view, window, choices, out,
              [&](const auto& laws, auto& tree, Vertex at) -> std::optional<Vertex> {
                auto draft = RestLaw<Real>::draft(laws);
                auto target = RestLaw<Real>::target(laws);
                for (int j = 0; const auto child = tree.child(at, j); ++j) {
                  const Token x = tree.token(*child);
                  if (choices.accept(Real(target.weight(x) / draft.probability(x)))) return child;
                  take_residual(laws, target, Real(1), draft);
                  draft.strike(x);
                  target.keep(x);
                }
                out.correct(view, choices, target);
                return std::nullopt;
              });
  }
};

}  // namespace speclab
