#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "theory/sun2025.h"

namespace speclab {

// Weng et al., "Traversal Verification for Speculative Tree Decoding" (2025), on K i.i.d. drafts.

/// tail[i] = P(tau >= i), i = 0..gamma, of traversal verification of K i.i.d. drafts, each counted.
///
/// A node that is reached with the weight a and c drafts through it is accepted, or one below it,
/// with probability a for any c: a draft of x is tried with b(x) = min(1, a t/d), which leaves a' =
/// s / (s + 1 - a), s = sum of [a t - d]+, with probability 1 - a + s, and (1 - a + s) a' = s. A
/// token whose trial failed has no weight in t' = [a t - d]+ / s, so that a duplicate is never
/// accepted and trial j fails with probability 1 - a_j + s_j whatever the earlier drafts were. The
/// child x is therefore reached by trial j, with m drafts, with probability
///   prod over i < j of (1 - a_i + s_i)  d(x)  P(Bin(c - j, d(x)) = m - 1).
/// Worked example: toy pair, K = 2, gamma = 1: b = (1/2, 1); 2/3, and 1/3 of trials 2 with t' = (0,
/// 1): 2/3 + 1/3 1/3 = 7/9.
template <class Real>
class TraversalTail {
 public:
  TraversalTail(const Rows<Real>& rows, int drafts, int gamma, Budget& budget)
      : rows_(rows),
        gamma_(gamma),
        budget_(budget),
        below_(rows, budget),
        tail_(static_cast<std::size_t>(gamma) + 1),
        longer_(static_cast<std::size_t>(drafts)) {}

  std::vector<Real> from(const Measure<Real>& start) {
    const auto drafts = static_cast<int>(longer_.size());
    for (const auto& [state, mass] : start.entries()) {
      longer_.back().push_back({state, Real(1), Real(1), mass});
    }
    for (int depth = 0; depth <= gamma_; ++depth) {
      auto nodes = std::exchange(longer_, std::vector<Nodes>(longer_.size()));
      for (int c = drafts; c > 1; --c) {
        Nodes& alike = nodes[static_cast<std::size_t>(c) - 1];
        merge_nodes(alike, budget_, depth);
        if (depth < gamma_) {
          // A fraction has the digits of a product of as many factors as there are drafts.
          budget_.spend<Real>((6.0 + c) * c * static_cast<double>(alike.size()) *
                                  static_cast<double>(rows_.vocabulary()),
                              std::max(depth, c));
        }
        for (const auto& node : alike) {
          tail_[static_cast<std::size_t>(depth)] += node.mass * node.weight;
          if (depth < gamma_) try_drafts(node, c);
        }
      }
      merge_nodes(nodes.front(), budget_, depth);
      below_.add_reached(nodes.front(), depth, tail_);
    }
    return values_of(tail_);
  }

 private:
  using Nodes = std::vector<BlockNode<Real>>;

  void try_drafts(const BlockNode<Real>& node, int drafts) {
    const auto draft = rows_.draft(node.state);
    const auto target = rows_.target(node.state);
    std::vector<Real> left(target.begin(), target.end());  // a t, and what trials leave of it
    for (Real& t : left) t *= node.weight;
    Real weight = node.weight;
    Real reached = node.mass;
    for (int j = 1; j <= drafts && weight > 0; ++j) {
      Sum<Real> excess;
      for (std::size_t x = 0; x < left.size(); ++x) {
        if (draft[x] > 0 && left[x] > 0) {
          const auto next = rows_.next(node.state, static_cast<Token>(x));
          const Real below = min_one<Real>(left[x] / draft[x]);
          add_child({next, Real(1), below, Real(reached * draft[x])}, draft[x], drafts - j);
        }
        left[x] = positive_part<Real>(left[x] - draft[x]);
        excess += left[x];
      }
      const Real s = excess.value();
      if (!(s > 0)) return;
      reached *= 1 - weight + s;
      weight = s / (s + (1 - weight));
      for (Real& t : left) t *= weight / s;
    }
  }

  /// A child that a trial of one draft reaches; any number of the others go there too.
  void add_child(const BlockNode<Real>& child, const Real& draft, int others) {
    Real ways(1);  // of choosing m of the others
    for (int m = 0; m <= others; ++m) {
      const Real share = ways * power<Real>(draft, m) * power<Real>(1 - draft, others - m);
      auto& alike = longer_[static_cast<std::size_t>(m)];
      if (share > 0) {
        alike.push_back({child.state, child.joint, child.weight, Real(child.mass * share)});
      }
      ways = ways * (others - m) / (m + 1);
    }
  }

  const Rows<Real>& rows_;
  int gamma_;
  Budget& budget_;
  BlockBelow<Real> below_;
  std::vector<Sum<Real>> tail_;
  std::vector<Nodes> longer_;  ///< [c - 1]: nodes one token longer, with c drafts through them
};

/// The tail of traversal verification of K counted drafts, i = 0..gamma.
template <class Real>
std::vector<Real> traversal_tail(const Rows<Real>& rows, const Measure<Real>& start, int drafts,
                                 int gamma, Budget& budget) {
  return TraversalTail<Real>(rows, drafts, gamma, budget).from(start);
}

}  // namespace speclab
