#pragma once

#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/info.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// Target-only verification of a draft tree with thresholds. At each node, with one coin u in [0,
/// 1) and children x_1, x_2, .. in order, S_j = t(x_1) + .. + t(x_j); x_j is accepted if u < S_j /
/// acc or t(x_j) >= single. Where none is, the iteration ends with y ~ t restricted to the tokens
/// that are not children.
///
/// Lossless iff single = acc = 1, where it is target-only: any child whose probability is raised is
/// emitted too often. As one random choice: child j has probability min(t(x_j) / acc, r_j)
/// of the remaining probability, r_j = [1 - S_{j-1} / acc]+, or all of r_j where t(x_j) >= single.
/// Worked example: t = (1/3, 2/3), children 0 then 1, single = 1, acc = 4/5: 5/12 and 7/12, TV
/// 1/12.
struct Sglang {
  DraftSource source;
  Rational single;
  Rational acc;

  static constexpr VerifierInfo kInfo{
      .name = "sglang",
      .parameters = "K= or tree=, draw= or grow=, nodes=; single=, acc=",
      .prose = "one coin per node against the target alone; accepts children above a threshold",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::biased,
      .example = "sglang(K=2,single=1/2,acc=4/5)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static Sglang read(SpecReader& spec) {
    DraftSource source = read_draft_source(spec);
    const Rational single = spec.number_between("single", 0, 1, 1);
    const Rational acc = spec.number_between("acc", 0, 1, 1);
    if (acc == 0) spec.refuse("acc=0 divides by zero; give a number above 0, 1 for no bias");
    return {std::move(source), single, acc};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const Real least = from_rational<Real>(single);
    const Real scale = from_rational<Real>(acc);
    walk_tree(source, view, window, choices, out,
              [&](const auto& laws, auto& tree, Vertex at) -> std::optional<Vertex> {
                auto left = RestLaw<Real>::target(laws);
                std::vector<Real> sides;
                Real rest(1);
                for (int j = 0; rest > 0; ++j) {
                  const auto child = tree.child(at, j);
                  if (!child) break;
                  const Real weight = left.weight(tree.token(*child));
                  left.strike(tree.token(*child));
                  const Real share = weight / scale;
                  sides.push_back(share < rest && weight < least ? share : rest);
                  rest -= sides.back();
                }
                // Not 1 - S / acc: exactly 0 where the children have all of the mass.
                const Real none = positive_part<Real>(left.mass() - (1 - scale)) / scale;
                sides.push_back(rest > 0 ? none : Real(0));
                const Token side = choices.choose(DenseLaw<Real>(std::move(sides)));
                if (auto child = tree.child(at, side)) return child;
                out.correct(view, choices, left);
                return std::nullopt;
              });
  }
};

}  // namespace speclab
