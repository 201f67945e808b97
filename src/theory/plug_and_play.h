#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "model/rows.h"

namespace speclab {

/// The outputs of 0 .. gamma tokens from a context that block verification may accept, parents
/// first, with the acceptance probabilities of an iteration along them.
///
/// An iteration of a plug-and-play verifier (sun2025 Definition 1) assigns to each output x a
/// non-increasing sequence q(x^l) = P(tau >= l | O = x) with q() = 1, where q(x^l) depends only on
/// x^l (Lemma 6) and, as accepted tokens were drafted, q(x^l) <= D(x^l)/T(x^l). Conversely, every
/// such q belongs to a valid verifier; the largest, b(x^l) = min_{j<=l} D(x^j)/T(x^j), is block's.
template <class Real>
struct OutputTree {
  /// An output x^l with b > 0.
  struct Path {
    State state;
    int length;  ///< l
    Real mass;   ///< T(x^l)
    Real ratio;  ///< D(x^l) / T(x^l)
    Real bound;  ///< b(x^l)
    std::size_t parent;
  };
  std::vector<Path> paths;

  OutputTree(const Rows<Real>& rows, int gamma, State start)
      : paths{{start, 0, Real(1), Real(1), Real(1), 0}} {
    std::size_t begin = 0;
    for (int i = 1; i <= gamma; ++i) {
      const std::size_t end = paths.size();
      for (std::size_t at = begin; at < end; ++at) {
        const Path from = paths[at];
        const auto draft = rows.draft(from.state);
        const auto target = rows.target(from.state);
        for (std::size_t x = 0; x < draft.size(); ++x) {
          if (!(draft[x] > 0) || !(target[x] > 0)) continue;
          const Real ratio = from.ratio * draft[x] / target[x];
          paths.push_back({rows.next(from.state, static_cast<Token>(x)), i,
                           Real(from.mass * target[x]), ratio, std::min<Real>(from.bound, ratio),
                           at});
        }
      }
      begin = end;
    }
  }

  /// The sum of b gain, block's value. `gains` has, for each path, T(x^l) times the gain of
  /// accepting x^l; that of the first is 0.
  [[nodiscard]] Real block_sum(const std::vector<Real>& gains) const {
    Real total(0);
    for (std::size_t at = 1; at < paths.size(); ++at) total += paths[at].bound * gains[at];
    return total;
  }

  /// The maximum of sum q gain over non-increasing q <= b. Such a q is a mixture, over levels, of
  /// indicators of prefix-closed sets of outputs; at each level the best set among the outputs with
  /// b at or above it drops the branches whose gains sum below 0, and it shrinks as the level
  /// rises.
  [[nodiscard]] Real best_sum(const std::vector<Real>& gains) const {
    if (std::none_of(gains.begin(), gains.end(), [](const Real& gain) { return gain < 0; })) {
      return block_sum(gains);
    }
    std::vector<Real> levels;
    for (const Path& path : paths) levels.push_back(path.bound);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    Real total(0);
    Real below(0);
    for (const Real& level : levels) {
      std::vector<Real> sums = gains;
      for (std::size_t at = paths.size(); at-- > 1;) {
        if (!(paths[at].bound < level) && sums[at] > 0) sums[paths[at].parent] += sums[at];
      }
      total += (level - below) * sums[0];
      below = level;
    }
    return total;
  }
};

/// E[N(i)] of block verification and the maximum over plug-and-play verifiers, exactly, by the tree
/// of outputs; and in the same way P(N(i) >= n), n being `least`. Those of the maximum may differ
/// between iterations and depend on n.
///
/// Accepting x^l instead of stopping before it gains 1 + E_{y~t} V(x^l y) - V(x^l), with V the
/// expected tokens of later iterations. At i = 1 every gain is 1, so block is the optimum; from
/// i = 2 on a gain may be negative. For the law it gains E_{y~t} V(x^l y, n-l-1) - V(x^l, n-l),
/// with V(c, n) the probability that later iterations emit at least n tokens. Worked examples: toy
/// pair, gamma = 2: 20/9, 40/9, 20/3 for both; gamma = 1, i = 1: P(N >= 2) = P(tau = 1) = 2/3 for
/// both.
template <class Real>
class PlugAndPlay {
 public:
  PlugAndPlay(const Rows<Real>& rows, int gamma) : rows_(&rows), gamma_(gamma) {}

  /// E[N(iterations)] of block verification, or P(N(iterations) >= least).
  Real block(State start, int iterations, std::optional<int> least = {}) {
    return value({start, iterations, least}, false);
  }

  /// The maximum over plug-and-play verifiers.
  Real most(State start, int iterations, std::optional<int> least = {}) {
    return value({start, iterations, least}, true);
  }

 private:
  struct Rest {
    State state;
    int iterations;
    std::optional<int> least;
    bool operator<(const Rest& other) const {
      return std::tie(state, iterations, least) <
             std::tie(other.state, other.iterations, other.least);
    }

    /// What is left after so many more tokens.
    [[nodiscard]] Rest after(State next, int tokens) const {
      return {next, iterations, least ? std::optional(*least - tokens) : std::nullopt};
    }
  };

  Real value(const Rest& rest, bool choosing) {
    if (rest.least) {
      if (*rest.least <= rest.iterations) return Real(1);  // each emits at least one token
      if (*rest.least > rest.iterations * (gamma_ + 1)) return Real(0);
    } else if (rest.iterations == 0) {
      return Real(0);
    }
    auto& known = choosing ? most_ : block_;
    const auto found = known.find(rest);
    if (found != known.end()) return found->second;
    const OutputTree<Real> tree(*rows_, gamma_, rest.state);
    const Rest later{rest.state, rest.iterations - 1, rest.least};
    std::vector<Real> gains{Real(0)};
    for (std::size_t at = 1; at < tree.paths.size(); ++at) {
      const auto& path = tree.paths[at];
      const Rest stopped = later.after(path.state, path.length);
      gains.push_back(path.mass * (one_more(stopped, choosing) - value(stopped, choosing)));
    }
    const Real total =
        one_more(later, choosing) + (choosing ? tree.best_sum(gains) : tree.block_sum(gains));
    known[rest] = total;
    return total;
  }

  /// The value of one more token y ~ t: E V(state y) and the token, or E V(state y, least - 1).
  Real one_more(const Rest& rest, bool choosing) {
    const auto target = rows_->target(rest.state);
    Real total(0);
    for (std::size_t y = 0; y < target.size(); ++y) {
      if (!(target[y] > 0)) continue;
      const State next = rows_->next(rest.state, static_cast<Token>(y));
      total += target[y] * value(rest.after(next, 1), choosing);
    }
    return rest.least ? total : Real(1 + total);
  }

  const Rows<Real>* rows_;
  int gamma_;
  std::map<Rest, Real> block_;
  std::map<Rest, Real> most_;
};

}  // namespace speclab
