#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "theory/sun2025.h"
#include "theory/yin2024.h"

namespace speclab {

// "SpecTr-GBV" (lin2026), K i.i.d. drafts verified as blocks, and what repairs it.

/// One term of equation (5) over the draft probability: r [1 - (1 - min(1, 1/r))^K] at the ratio
/// r = T/D of a path, i.e. r for r <= 1 and r [1 - (1 - 1/r)^K] above.
template <class Real>
Real bound_term(const Real& ratio, int drafts) {
  if (!(ratio > 1)) return ratio;
  if constexpr (std::is_same_v<Real, double>) {
    return -ratio * std::expm1(drafts * std::log1p(-1 / ratio));
  } else {
    return ratio * (1 - power<Real>(1 - 1 / ratio, drafts));
  }
}

/// tail[i] = sum over x^i of T [1 - (1 - min(D/T, 1))^K], i = 0..gamma: the terms of equation (5).
/// spectr-coupled attains their sum, and at K = 1 it is greedy_tail. Lemma 5.1 calls it a bound on
/// E[tau] and Theorem 5.3 states that spectr-gbv attains it. For K >= 2 the printed algorithm does
/// not; some lossless verifiers exceed it; and the lemma's own class of couplings, for which it is
/// a bound at gamma = 1, exceeds it at gamma = 2. Worked example: toy pair, K = 2, gamma = 1: 1,
/// 5/6.
template <class Real>
std::vector<Real> spectr_gbv_tail(const Rows<Real>& rows, const Measure<Real>& start, int drafts,
                                  int gamma, Budget& budget) {
  return walk_sums(LikelihoodWalk<Real>(rows, start, false, budget), gamma,
                   [&](const Real& r) { return bound_term(r, drafts); });
}

/// tail[i] = P(tau >= i), i = 0..gamma, of slot-block with two drafts.
///
/// The first draft X gives the slot (v_i, z) the mass m = P(exactly v_i | X) r(z) / R, r(z) = [w_i
/// t(z) - d(z)]+ and R their sum. On average over the second draft the slot keeps m - B, B =
/// min(D(v_i) d(z), m), and B is spread below v_i z as block verification spreads it from the
/// weight B / (D(v_i) d(z)). P(exactly v_i | X) is the coin of v_i times L_i, the probability that
/// nothing longer is accepted, whose law given w_i is that of a product over the rest of the draft.
/// Worked example: toy pair, gamma = 1: X = 0 (2/3, w = 1/2) has m((), 1) = 1/2 and D = 1/3: B =
/// 1/3, and 2/3 + 2/3 1/3 = 8/9.
template <class Real>
class SlotBlockTail {
 public:
  SlotBlockTail(const Rows<Real>& rows, int gamma, Budget& budget)
      : rows_(rows),
        gamma_(gamma),
        budget_(budget),
        below_(rows, budget),
        tail_(static_cast<std::size_t>(gamma) + 1) {}

  std::vector<Real> from(const Measure<Real>& start) {
    std::vector<BlockNode<Real>> nodes;
    for (const auto& [state, mass] : start.entries()) {
      nodes.push_back({state, Real(1), Real(1), mass});
    }
    for (int depth = 0; depth <= gamma_; ++depth) {
      merge_nodes(nodes, budget_, depth);
      if constexpr (kOrdered<Real>) {
        unaccepted_.erase(unaccepted_.lower_bound({gamma_ - depth + 1, 0, Real(0)}),
                          unaccepted_.end());
      }
      std::vector<BlockNode<Real>> longer;
      for (const auto& node : nodes) {
        tail_[static_cast<std::size_t>(depth)] += node.mass * node.weight;
        if (depth == gamma_) continue;
        add_second(depth, node);
        grow(node, longer);
      }
      nodes = std::move(longer);
    }
    return values_of(tail_);
  }

 private:
  using Law = std::vector<WeightedValue<Real>>;

  void grow(const BlockNode<Real>& node, std::vector<BlockNode<Real>>& longer) {
    const auto draft = rows_.draft(node.state);
    const auto target = rows_.target(node.state);
    budget_.spend<Real>(3.0 * static_cast<double>(draft.size()));
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > 0) || !(target[x] > 0)) continue;
      longer.push_back({rows_.next(node.state, static_cast<Token>(x)), Real(node.joint * draft[x]),
                        min_one<Real>(node.weight * target[x] / draft[x]),
                        Real(node.mass * draft[x])});
    }
  }

  /// What the second draft adds through the slots at this node of the first.
  void add_second(int depth, const BlockNode<Real>& node) {
    const auto draft = rows_.draft(node.state);
    const auto target = rows_.target(node.state);
    std::vector<Real> residual;
    Sum<Real> sum;
    for (std::size_t z = 0; z < draft.size(); ++z) {
      residual.push_back(positive_part<Real>(node.weight * target[z] - draft[z]));
      sum += residual.back();
    }
    const Real excess = sum.value();
    if (!(excess > 0)) return;
    const Real share = 1 / (excess + (1 - node.weight));  // the coin over its excess
    const Law& law = unaccepted(node.state, node.weight, gamma_ - depth);
    for (std::size_t z = 0; z < draft.size(); ++z) {
      if (!(residual[z] > 0) || !(draft[z] > 0)) continue;
      const State next = rows_.next(node.state, static_cast<Token>(z));
      const Real joint = node.joint * draft[z];
      std::vector<BlockNode<Real>> entered;
      for (const auto& [refused, probability] : law) {
        const Real weight = min_one<Real>(refused * share * residual[z] / joint);
        entered.push_back({next, joint, weight, Real(node.mass * probability * joint)});
      }
      budget_.spend<Real>(6.0 * static_cast<double>(entered.size()), depth);
      below_.add_reached(entered, depth + 1, tail_);
    }
  }

  /// The law of L > 0 below a node with this weight and n more drafted tokens: of the product of
  /// 1 - coin over the longer nodes.
  const Law& unaccepted(State state, const Real& weight, int n) {
    if constexpr (!kOrdered<Real>) return unmerged_.emplace_back(law_of_rest(state, weight, n));
    budget_.spend<Real>(500);
    const auto [place, fresh] = unaccepted_.try_emplace({n, state, weight});
    if (fresh) place->second = law_of_rest(state, weight, n);
    return place->second;
  }

  Law law_of_rest(State state, const Real& weight, int n) {
    const auto draft = rows_.draft(state);
    const auto target = rows_.target(state);
    Law law;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > 0)) continue;
      const Real next = min_one<Real>(weight * target[x] / draft[x]);
      const State after = rows_.next(state, static_cast<Token>(x));
      const Real kept = n == 1 ? Real(1 - next) : uncoined(after, next);
      if (!(kept > 0)) continue;
      if (n == 1) {
        law.push_back({kept, draft[x]});
        continue;
      }
      const Law& longer = unaccepted(after, next, n - 1);
      check_weights(law.size() + longer.size(), LikelihoodWalk<Real>::kMostPoints);
      budget_.spend<Real>(2.0 * static_cast<double>(longer.size()), gamma_);
      for (const auto& [value, probability] : longer) {
        law.push_back({Real(kept * value), Real(draft[x] * probability)});
      }
    }
    merge_values(law, budget_, gamma_);
    return law;
  }

  /// 1 - coin of a node that is no whole draft.
  Real uncoined(State state, const Real& weight) {
    const auto draft = rows_.draft(state);
    const auto target = rows_.target(state);
    budget_.spend<Real>(2.0 * static_cast<double>(draft.size()));
    Sum<Real> excess;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      excess += positive_part<Real>(weight * target[x] - draft[x]);
    }
    const Real rest = 1 - weight;
    return rest > 0 ? Real(rest / (excess.value() + rest)) : Real(0);
  }

  const Rows<Real>& rows_;
  int gamma_;
  Budget& budget_;
  BlockBelow<Real> below_;
  std::vector<Sum<Real>> tail_;
  std::map<std::tuple<int, State, Real>, Law> unaccepted_;
  std::deque<Law> unmerged_;  ///< of numbers without an order
};

/// The tail of slot-block with two drafts, i = 0..gamma.
template <class Real>
std::vector<Real> slot_block_tail(const Rows<Real>& rows, const Measure<Real>& start, int gamma,
                                  Budget& budget) {
  return SlotBlockTail<Real>(rows, gamma, budget).from(start);
}

}  // namespace speclab
