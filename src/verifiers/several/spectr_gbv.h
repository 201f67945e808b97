#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/at_least_once.h"
#include "base/spec.h"
#include "draft/tree.h"
#include "model/carries/power_law.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// SpecTr-GBV exactly as printed in lin2026: Algorithm 1 with equations (2), (3), (4), and
/// Algorithm 2 as the carry. With D, T the joint draft and target probabilities of a sub-block,
///   R(x^i) = T (1 - min(D / T, 1))^K,  S(x^i) = sum_x R(x^i, x)
///   h_i = (S - R(x^i)) / (1 - (1 - D)^K - T + S)  for i < L,  h_L = (T - R(x^L)) / (1 - (1 - D)^K)
/// The drafts are processed in turn; draft k starts at the sub-block one longer than the longest
/// accepted so far, whether or not it shares it; a refused sub-block stays refused; a whole
/// accepted draft ends the search. Y is drawn in proportion to R(x^tau, .).
///
/// For K = 1 this is greedy block verification. For K >= 2 it is biased, and its residual can be
/// 0/0. A coin of 0/0 accepts nothing (as the comparison with a NaN does).
struct SpectrGbv {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "spectr-gbv",
      .parameters = "K=",
      .prose = "as printed: biased for K >= 2, and its residual can be 0/0; use slot-block",
      .source = "lin2026 Algorithms 1, 2, equations 2-4",
      .kind = VerifierKind::printed,
      .example = "spectr-gbv(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = true;
  static SpectrGbv read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const DraftSource source{Draw::with, drafts, {}};
    DraftTree<View, Choices> tree(source, view, root, window.drafts, choices);
    std::vector<std::vector<Vertex>> chains;
    for (int k = 0; k < drafts; ++k) chains.push_back(tree.chain(k));
    const std::vector<Block<View>> blocks = joint(view, tree);
    Vertex accepted = kRootVertex;
    std::vector<bool> refused(tree.size(), false);
    for (const auto& chain : chains) {
      for (int i = tree.depth(accepted); i < window.drafts; ++i) {
        const Vertex v = chain[static_cast<std::size_t>(i)];
        // A refused sub-block needs no further coin: it stays refused.
        if (!refused[v] && choices.accept(coin(view, blocks[v], tree.is_leaf(v)))) {
          accepted = v;
        } else {
          refused[v] = true;
        }
      }
      if (tree.is_leaf(accepted)) break;
    }
    tree.walk_to(accepted, [&out](Token x, const auto& after) { out.accept(x, after); });
    if (tree.is_leaf(accepted)) return out.finish(view, choices, window);
    correct(view, blocks[accepted], window, choices, out);
  }

 private:
  /// A sub-block x^i: its node and joint probabilities from the start of the iteration.
  template <class View>
  struct Block {
    typename View::Node node;
    typename View::Real draft;
    typename View::Real target;
  };

  /// The sub-blocks of all vertices.
  template <class View, class Choices>
  static std::vector<Block<View>> joint(const View& view, const DraftTree<View, Choices>& tree) {
    using Real = typename View::Real;
    std::vector<Block<View>> blocks{{tree.node(kRootVertex), Real(1), Real(1)}};
    for (Vertex v = 1; v < tree.size(); ++v) {
      const Block<View>& before = blocks[tree.parent(v)];
      const auto laws = view.at(before.node);
      const Token x = tree.token(v);
      blocks.push_back(
          {tree.node(v), Real(before.draft * laws.draft(x)), Real(before.target * laws.target(x))});
    }
    return blocks;
  }

  /// T (1 - min(D / T, 1))^K
  template <class Real>
  Real residual(const Real& draft, const Real& target) const {
    return powered_weight<Real>(draft, target, Real(1), drafts);
  }

  /// R(x^i, .), without the factor T. @pre T > 0
  template <class View>
  PowerLaw<typename View::Real> residual_law(const View& view, const Block<View>& block) const {
    using Real = typename View::Real;
    return {view.at(block.node), Real(block.draft / block.target), drafts};
  }

  template <class View>
  typename View::Real coin(const View& view, const Block<View>& block, bool whole) const {
    using Real = typename View::Real;
    const Real own = residual<Real>(block.draft, block.target);
    const Real hits = at_least_once<Real>(block.draft, drafts);
    Real top;
    Real bottom;
    if (whole) {
      top = block.target - own;
      bottom = hits;
    } else {
      const Real following =
          block.target > 0 ? Real(block.target * residual_law(view, block).mass()) : Real(0);
      top = following - own;
      bottom = hits - block.target + following;
    }
    return bottom > 0 ? Real(top / bottom) : Real(0);
  }

  template <class View, class Choices>
  void correct(const View& view, const Block<View>& block, Window window, Choices& choices,
               Iteration<View>& out) const {
    using Real = typename View::Real;
    // Accepted sub-blocks have T > 0: a coin of T = 0 is 0.
    const Token y = choices.correct(residual_law(view, block));
    const auto laws = view.at(block.node);
    out.add(view, y, Ending::correction);
    if (y == kUndefined) return;
    const Real share = Real(block.draft * laws.draft(y)) / Real(block.target * laws.target(y));
    out.node = view.modified(std::move(out.node), share, window.drafts - out.accepted - 1, drafts);
  }
};

}  // namespace speclab
