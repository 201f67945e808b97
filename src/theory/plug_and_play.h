#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "model/rows.h"

namespace speclab {

/// E[N(i)] of block verification and the most that any plug-and-play verifier (sun2025 Definition
/// 1) can have, exactly, by the tree of outputs.
///
/// Along an output x an iteration is a falling sequence q(x^l) = P(tau >= l | O = x), q() = 1, that
/// looks no further than x^l (Lemma 6), and what is accepted was drafted: q(x^l) <= D(x^l)/T(x^l).
/// Every such q is a valid verifier's, the largest, b(x^l) = min_{j<=l} D(x^j)/T(x^j), is block's.
/// To accept x^l rather than stop before it gains 1 + E_{y~t} V(x^l y) - V(x^l), V the tokens of
/// the iterations to come. At i = 1 every gain is 1, so block is the optimum; from i = 2 on a gain
/// may be negative.
/// Worked example: toy pair, gamma = 2: 20/9, 40/9, 20/3, both alike.
template <class Real>
class PlugAndPlay {
 public:
  PlugAndPlay(const Rows<Real>& rows, int gamma) : rows_(&rows), gamma_(gamma) {}

  /// E[N(iterations)] of block verification.
  Real block(State start, int iterations) { return value(start, iterations, false); }

  /// The most of any plug-and-play verifier, which may choose anew in every iteration.
  Real most(State start, int iterations) { return value(start, iterations, true); }

 private:
  /// An output x^l with b > 0.
  struct Path {
    State state;
    Real mass;   ///< T(x^l)
    Real ratio;  ///< D(x^l) / T(x^l)
    Real bound;  ///< b(x^l)
    std::size_t parent;
  };

  Real value(State start, int iterations, bool choosing) {
    if (iterations == 0) return Real(0);
    auto& known = choosing ? most_ : block_;
    const auto found = known.find({start, iterations});
    if (found != known.end()) return found->second;
    const std::vector<Path> paths = outputs(start);
    std::vector<Real> gains{Real(0)};
    bool losing = false;
    for (std::size_t at = 1; at < paths.size(); ++at) {
      gains.push_back(paths[at].mass * gain(paths[at].state, iterations - 1, choosing));
      losing = losing || gains.back() < 0;
    }
    Real total = 1 + after(start, iterations - 1, choosing);
    if (choosing && losing) {
      total += best_sum(paths, gains);
    } else {
      for (std::size_t at = 1; at < paths.size(); ++at) total += paths[at].bound * gains[at];
    }
    known[{start, iterations}] = total;
    return total;
  }

  /// E_{y~t} V(state y).
  Real after(State state, int left, bool choosing) {
    const auto target = rows_->target(state);
    Real total(0);
    for (std::size_t y = 0; y < target.size(); ++y) {
      if (target[y] > 0) {
        total += target[y] * value(rows_->next(state, static_cast<Token>(y)), left, choosing);
      }
    }
    return total;
  }

  Real gain(State state, int left, bool choosing) {
    return 1 + after(state, left, choosing) - value(state, left, choosing);
  }

  /// The outputs of 0 .. gamma tokens, parents first.
  std::vector<Path> outputs(State start) const {
    std::vector<Path> paths{{start, Real(1), Real(1), Real(1), 0}};
    std::size_t begin = 0;
    for (int i = 0; i < gamma_; ++i) {
      const std::size_t end = paths.size();
      for (std::size_t at = begin; at < end; ++at) {
        const Path from = paths[at];
        const auto draft = rows_->draft(from.state);
        const auto target = rows_->target(from.state);
        for (std::size_t x = 0; x < draft.size(); ++x) {
          if (!(draft[x] > 0) || !(target[x] > 0)) continue;
          const Real ratio = from.ratio * draft[x] / target[x];
          paths.push_back({rows_->next(from.state, static_cast<Token>(x)),
                           Real(from.mass * target[x]), ratio, std::min<Real>(from.bound, ratio),
                           at});
        }
      }
      begin = end;
    }
    return paths;
  }

  /// The most of sum q gain over falling q <= b. q is an integral over levels of sets of outputs
  /// closed under prefixes, and at each level the best set among those with b at or above it drops
  /// the branches whose gains sum below 0; it shrinks as the level rises.
  static Real best_sum(const std::vector<Path>& paths, const std::vector<Real>& gains) {
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

  const Rows<Real>* rows_;
  int gamma_;
  std::map<std::pair<State, int>, Real> block_;
  std::map<std::pair<State, int>, Real> most_;
};

}  // namespace speclab
