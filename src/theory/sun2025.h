#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "theory/likelihood_walk.h"

namespace speclab {

// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025). w_0 = 1, w_i = min(1, w_{i-1} t(X_i) / d(X_i)).

/// tail[i] = P(tau >= i) = E_d[w_i], i = 0..gamma, of block verification (Lemma 3), by the walk of
/// (state, w) with equal pairs merged. E[tau] is its expectation (Theorem 2's optimum, true at i =
/// 1). Worked example: toy pair, gamma = 2: 1, 2/3, 5/9, so E[tau] = 11/9.
template <class Real>
std::vector<Real> block_tail(const Rows<Real>& rows, const Measure<Real>& start, int gamma,
                             Budget& budget) {
  return walk_sums(LikelihoodWalk<Real>(rows, start, true, budget), gamma,
                   [](const Real& w) { return w; });
}

/// The same tail as the plain sum over all V^gamma paths, without merging, from w_0 = `weight`.
template <class Real>
std::vector<Real> block_tail_by_paths(const Rows<Real>& rows, State start, int gamma,
                                      const Real& weight = Real(1)) {
  std::vector<Real> tail(static_cast<std::size_t>(gamma) + 1, Real(0));
  const auto descend = [&](const auto& self, State state, int depth, const Real& mass,
                           const Real& w) -> void {
    tail[static_cast<std::size_t>(depth)] += mass * w;
    if (depth == gamma) return;
    const auto draft = rows.draft(state);
    const auto target = rows.target(state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > 0)) continue;
      self(self, rows.next(state, static_cast<Token>(x)), depth + 1, Real(mass * draft[x]),
           min_one<Real>(w * target[x] / draft[x]));
    }
  };
  descend(descend, start, 0, Real(1), weight);
  return tail;
}

/// One iteration of block verification: the expected number of its tokens and the law of the state
/// after them.
///
/// P(tau = i, X^i, Y = y) is D(X^i) [w_i t(y) - d(y)]+ for i < gamma and D(X^gamma) w_gamma t(y)
/// for i = gamma, because P(tau >= i | X^i) = w_i (Lemma 3) and Y follows the residual law.
template <class Real>
struct BlockIteration {
  Real tokens;
  std::vector<std::pair<State, Real>> after;
};

template <class Real>
BlockIteration<Real> block_iteration(const Rows<Real>& rows, State start, int gamma,
                                     Budget& budget) {
  LikelihoodWalk<Real> walk(rows, point_law(rows, start), true, budget);
  Measure<Real> after(rows.pair().states());
  Sum<Real> tokens;
  for (int i = 0; i <= gamma; ++i) {
    for (const auto& point : walk.points()) tokens += point.mass * point.ratio;
    walk.look([&](const auto& point, Token y, const Real& draft, const Real& target) {
      const Real share = point.ratio * target - (i < gamma ? draft : Real(0));
      if (share > 0) after[rows.next(point.state, y)] += point.mass * share;
    });
    if (i < gamma) walk.advance();
  }
  return {tokens.value(), after.entries()};
}

/// tokens[i] = E[N(i+1)] of block verification, i < iterations: the law of the state is carried
/// from iteration to iteration. Memoryless pairs give (i+1) (E[tau] + 1), which is there the
/// optimum of Theorem 2; with context the optimum may be larger from i = 1 on (see
/// plug_and_play.h).
template <class Real>
std::vector<Real> block_tokens(const Rows<Real>& rows, const Measure<Real>& start, int gamma,
                               int iterations, Budget& budget) {
  std::map<State, BlockIteration<Real>> known;
  std::vector<Real> tokens;
  Sum<Real> total;
  Measure<Real> now = start;
  for (int i = 0; i < iterations; ++i) {
    Measure<Real> after(rows.pair().states());
    for (const auto& [state, mass] : now.entries()) {
      auto found = known.find(state);
      if (found == known.end()) {
        found = known.emplace(state, block_iteration(rows, state, gamma, budget)).first;
      }
      total += mass * found->second.tokens;
      budget.spend<Real>(static_cast<double>(found->second.after.size()));
      for (const auto& [next, share] : found->second.after) after[next] += mass * share;
    }
    tokens.push_back(total.value());
    std::swap(now, after);
  }
  return tokens;
}

/// Contexts of one length in which all that the future depends on agrees.
template <class Real>
struct BlockNode {
  State state;
  Real joint;   ///< D of the tokens from the root, or 1 where nothing depends on it
  Real weight;  ///< w in (0, 1]
  Real mass;
};

/// Whether numbers have an order of their own. Those that stand for all pairs at once have none but
/// by a case for each outcome: what is merged only to be fast is not, then.
template <class Real>
constexpr bool kOrdered = std::is_same_v<Real, double> || std::is_same_v<Real, Rational>;

/// @throws LimitError where there are more weights than `most`
inline void check_weights(std::size_t count, std::size_t most) {
  if (count > most) throw LimitError("block verification has too many distinct weights");
}

/// A value of a random number, and its probability.
template <class Real>
struct WeightedValue {
  Real value;
  Real mass;
};

/// Sorts and merges the values of a law of ordered numbers.
template <class Real>
void merge_values(std::vector<WeightedValue<Real>>& law, Budget& budget, int depth) {
  if constexpr (!kOrdered<Real>) return;
  const auto size = static_cast<double>(law.size());
  budget.spend<Real>(2 * size * std::log2(size + 2), depth);
  std::stable_sort(law.begin(), law.end(),
                   [](const auto& a, const auto& b) { return a.value < b.value; });
  merge_alike(law, [](const auto& a, const auto& b) { return same_ratio(a.value, b.value); });
}

/// Sorts and merges nodes of ordered numbers.
/// @throws LimitError when more than LikelihoodWalk::kMostPoints are left
template <class Real>
void merge_nodes(std::vector<BlockNode<Real>>& nodes, Budget& budget, int depth) {
  if constexpr (!kOrdered<Real>) return;
  using Node = BlockNode<Real>;
  const auto size = static_cast<double>(nodes.size());
  budget.spend<Real>(2 * size * std::log2(size + 2), depth);
  const auto by_joint = [](const Node& a, const Node& b) {
    return a.state != b.state ? a.state < b.state : a.joint < b.joint;
  };
  std::stable_sort(nodes.begin(), nodes.end(), by_joint);
  for (std::size_t i = 1; i < nodes.size(); ++i) {  // one double for one product
    if (nodes[i - 1].state == nodes[i].state && same_ratio(nodes[i - 1].joint, nodes[i].joint)) {
      nodes[i].joint = nodes[i - 1].joint;
    }
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](const Node& a, const Node& b) {
    return by_joint(a, b) || (!by_joint(b, a) && a.weight < b.weight);
  });
  merge_alike(nodes, [&](const Node& a, const Node& b) {
    return !by_joint(a, b) && same_ratio(a.weight, b.weight);
  });
  check_weights(nodes.size(), LikelihoodWalk<Real>::kMostPoints);
}

/// What block verification accepts below a node that it enters with a weight w in (0, 1].
///
/// With r_j = T_j / D_j after j more tokens, w_k = min(1, w_{k-1} t/d) is, with probability 1,
/// min(w r_k, min over j = 1..k of r_k / r_j). So the probability that the node and k more tokens
/// are accepted, the mean of w_k over the draft's law, is
///   E_t[min(w, theta_k)],  theta_k = min(1, min over j = 1..k of 1 / r_j),
/// which is linear in w between the values of theta_k: a table of these serves every weight.
template <class Real>
class BlockBelow {
 public:
  BlockBelow(const Rows<Real>& rows, Budget& budget) : rows_(&rows), budget_(&budget) {}

  /// Adds to the sums number `depth`, depth + 1, .. what is reached from nodes of `depth` tokens:
  /// to number depth + k the mass of a node times P(it and k more tokens are accepted). Worked
  /// example: toy pair, k = 1: theta = 1 with t = 1/3, 1/2 with t = 2/3; w = 1 gives 2/3.
  /// @param nodes  sorted by state and weight, of one joint
  /// @throws LimitError when more than four times LikelihoodWalk::kMostPoints values of theta would
  /// be kept
  void add_reached(const std::vector<BlockNode<Real>>& nodes, int depth,
                   std::vector<Sum<Real>>& sums) {
    const auto first = static_cast<std::size_t>(depth);
    if constexpr (!kOrdered<Real>) {
      const int longest = static_cast<int>(sums.size()) - 1 - depth;
      for (const auto& node : nodes) {
        const auto tail = block_tail_by_paths(*rows_, node.state, longest, node.weight);
        for (std::size_t k = 0; k < tail.size(); ++k) sums[first + k] += node.mass * tail[k];
      }
      return;
    }
    for (std::size_t i = first; i < sums.size(); ++i) {
      const int k = static_cast<int>(i) - depth;
      budget_->spend<Real>(8.0 * static_cast<double>(nodes.size()), static_cast<int>(i));
      const Table* table = nullptr;
      std::size_t after = 0;
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (n == 0 || nodes[n - 1].state != nodes[n].state) {
          table = &table_of(nodes[n].state, k);
          after = 0;
        }
        after = table->after(nodes[n].weight, after);
        sums[i] += nodes[n].mass * table->at(after, nodes[n].weight);
      }
    }
  }

 private:
  /// The law of theta_k under the target, and its sums.
  struct Table {
    std::vector<WeightedValue<Real>> theta;  ///< ascending, in (0, 1]
    std::vector<Real> below;                 ///< [i]: sum of theta mass of those before number i
    std::vector<Real> above;                 ///< [i]: mass of the others

    /// The number of values up to `weight`, which is `from` or more.
    [[nodiscard]] std::size_t after(const Real& weight, std::size_t from) const {
      std::size_t step = 1;
      while (from + step <= theta.size() && !(weight < theta[from + step - 1].value)) {
        from += step;
        step *= 2;
      }
      const auto begin = theta.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end =
          theta.begin() + static_cast<std::ptrdiff_t>(std::min(from + step - 1, theta.size()));
      const auto above_weight = std::upper_bound(
          begin, end, weight, [](const Real& w, const auto& point) { return w < point.value; });
      return from + static_cast<std::size_t>(above_weight - begin);
    }

    /// The mean of min(weight, theta), given the number of values up to it.
    [[nodiscard]] Real at(std::size_t after, const Real& weight) const {
      return below[after] + weight * above[after];
    }
  };

  /// theta_0 = 1, and theta_k of a first token x is min(1, theta_{k-1} d/t).
  const Table& table_of(State state, int k) {
    const auto [place, fresh] = known_.try_emplace({state, k});
    Table& table = place->second;
    if (!fresh) return table;
    if (k == 0) table.theta.push_back({Real(1), Real(1)});
    const auto draft = rows_->draft(state);
    const auto target = rows_->target(state);
    for (std::size_t x = 0; k > 0 && x < draft.size(); ++x) {
      if (!(draft[x] > 0) || !(target[x] > 0)) continue;
      const Table& longer = table_of(rows_->next(state, static_cast<Token>(x)), k - 1);
      const std::size_t count = longer.theta.size();
      check_weights(table.theta.size() + count + kept_, 4 * LikelihoodWalk<Real>::kMostPoints);
      budget_->spend<Real>(static_cast<double>(count), k);
      for (const auto& [theta, mass] : longer.theta) {
        table.theta.push_back(
            {min_one<Real>(theta * draft[x] / target[x]), Real(mass * target[x])});
      }
    }
    merge_values(table.theta, *budget_, k);
    add_sums(table);
    return table;
  }

  void add_sums(Table& table) {
    const std::size_t count = table.theta.size();
    kept_ += count;
    table.below.assign(count + 1, Real(0));
    table.above.assign(count + 1, Real(0));
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [theta, mass] = table.theta[i];
      table.below[i + 1] = table.below[i] + theta * mass;
    }
    for (std::size_t i = count; i-- > 0;) table.above[i] = table.above[i + 1] + table.theta[i].mass;
  }

  const Rows<Real>* rows_;
  Budget* budget_;
  std::map<std::pair<State, int>, Table> known_;
  std::size_t kept_ = 0;  ///< values of theta
};

}  // namespace speclab
