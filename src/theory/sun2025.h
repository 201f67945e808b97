#pragma once

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

/// The same tail as the plain sum over all V^gamma paths, without merging.
template <class Real>
std::vector<Real> block_tail_by_paths(const Rows<Real>& rows, State start, int gamma) {
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
  descend(descend, start, 0, Real(1), Real(1));
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

}  // namespace speclab
