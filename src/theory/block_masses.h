#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "theory/accepted_masses.h"
#include "theory/likelihood_walk.h"

namespace speclab {

/// The accepted masses of block verification: m(x^i) = D(x^i) w_i, where w_0 = 1 and w_i = min(1,
/// w_{i-1} t/d), so that without a division
///   m(x^i y) = min(m(x^i) t(y), D(x^i) d(y)),  D(x^i y) = D(x^i) d(y).
/// Wherever w = 1 a path goes on as from its beginning: from each state only the *excursions* are
/// followed, the paths along which w < 1, up to their first return to w = 1. Those that end in one
/// state with one w are merged, as long as many are.
///
/// Worked example: toy pair, from w = 1: 0 is an excursion (m = 1/3, D = 2/3), 1 a return (1/3); 0
/// 0 goes on (1/9, 4/9), 0 1 returns (2/9).
template <class Real>
class BlockMasses {
 public:
  /// @param horizon  T: no path that could be drafted beyond it is followed
  BlockMasses(const Rows<Real>& rows, const Measure<Real>& start, int gamma, int horizon,
              Budget& budget)
      : rows_(rows), budget_(budget) {
    std::vector<State> level;
    for (const auto& [state, mass] : start.entries()) level.push_back(state);
    for (int n = 0; n < horizon && !level.empty(); ++n) {
      std::vector<State> next;
      for (const State state : level) {
        if (!depths_.emplace(state, std::min(gamma, horizon - n)).second) continue;
        budget_.spend<Real>(rows_.vocabulary());
        for (Token x = 0; x < rows_.vocabulary(); ++x) next.push_back(rows_.next(state, x));
      }
      level = std::move(next);
    }
  }

  /// See accepted_masses.h. @throws LimitError where too many excursions differ
  AcceptedMasses<Real> masses(State start, int gamma) {
    const auto size = static_cast<std::size_t>(gamma) + 1;
    std::vector<ByState> whole(size), at(size);  // mass of the paths with w = 1, and of all
    whole[0][start] = Real(1);
    for (std::size_t i = 0; i < size; ++i) {
      for (const auto& [state, mass] : whole[i]) {
        at[i][state] += mass;
        if (i + 1 == size) continue;
        const Excursions& away = excursions(state);
        for (std::size_t j = 1; i + j < size; ++j) {
          for (const auto& [next, share] : away.returned[j]) whole[i + j][next] += mass * share;
          for (const auto& [next, share] : away.gone[j]) at[i + j][next] += mass * share;
        }
      }
    }
    AcceptedMasses<Real> masses;
    for (const ByState& level : at) masses.emplace_back(level.begin(), level.end());
    return masses;
  }

 private:
  using ByState = std::map<State, Real>;
  /// From w = 1 at a state, by length: the mass that returns to w = 1 there for the first time, and
  /// that of the paths that have not returned.
  struct Excursions {
    std::vector<ByState> returned;
    std::vector<ByState> gone;
  };
  struct PathMass {
    Real accepted;  ///< m
    Real drafted;   ///< D
    PathMass& operator+=(const PathMass& other) {
      accepted += other.accepted;
      drafted += other.drafted;
      return *this;
    }
  };
  /// Paths that have not returned: m < D.
  struct Point {
    State state;
    PathMass mass;
    Real weight{};  ///< m / D, where points are merged
  };
  static constexpr std::size_t kMostPoints = std::size_t{1} << 21;

  const Excursions& excursions(State start) {
    const auto [place, fresh] = known_.try_emplace(start);
    Excursions& found = place->second;
    if (!fresh) return found;
    const int depth = depths_.at(start);
    found.returned.resize(static_cast<std::size_t>(depth) + 1);
    found.gone.resize(found.returned.size());
    std::vector<Point> points{{start, {Real(1), Real(1)}}};
    bool merges = true;
    for (int length = 1; length <= depth && !points.empty(); ++length) {
      if (known_.size() == 1) foresee(points.size(), length);
      points = grown(points, length, length == depth, found);
      if (merges) merges = merge(points);
    }
    return found;
  }

  /// Elementary steps of one more token. Sums over paths have many more digits than a path.
  [[nodiscard]] double work(std::size_t points) const {
    constexpr double kSums = std::is_same_v<Real, Rational> ? 20 : 1;
    return kSums * static_cast<double>(points) * rows_.vocabulary();
  }

  /// What the first state takes, the others are taken to take too: many are refused at once.
  void foresee(std::size_t points, int length) const {
    const auto as_long = std::count_if(depths_.begin(), depths_.end(), [length](const auto& depth) {
      return depth.second >= length;
    });
    Budget ahead = budget_;
    ahead.spend<Real>(work(points) * static_cast<double>(as_long), length);
  }

  /// @param last  the paths do not go on
  std::vector<Point> grown(const std::vector<Point>& points, int length, bool last,
                           Excursions& found) {
    budget_.spend<Real>(work(points.size()), length);
    auto& returned = found.returned[static_cast<std::size_t>(length)];
    auto& gone = found.gone[static_cast<std::size_t>(length)];
    std::vector<Point> longer;
    for (const Point& point : points) {
      const auto draft = rows_.draft(point.state);
      const auto target = rows_.target(point.state);
      for (std::size_t x = 0; x < draft.size(); ++x) {
        if (!(draft[x] > 0) || !(target[x] > 0)) continue;
        const State next = rows_.next(point.state, static_cast<Token>(x));
        Real accepted = point.mass.accepted * target[x];
        Real drafted = point.mass.drafted * draft[x];
        if (!(accepted < drafted)) {
          returned[next] += drafted;
          continue;
        }
        gone[next] += accepted;
        if (last) continue;
        if (longer.size() == kMostPoints) {
          throw LimitError("the likelihood walk has too many distinct paths");
        }
        longer.push_back({next, {std::move(accepted), std::move(drafted)}});
      }
    }
    return longer;
  }

  /// Merges the points of one state and one w. @returns whether to try it again
  static bool merge(std::vector<Point>& points) {
    constexpr std::size_t kEnough = 64;
    for (Point& point : points) point.weight = point.mass.accepted / point.mass.drafted;
    std::stable_sort(points.begin(), points.end(), [](const Point& one, const Point& two) {
      if (one.state != two.state) return one.state < two.state;
      return one.weight < two.weight;
    });
    const std::size_t before = points.size();
    merge_alike(points, [](const Point& one, const Point& two) {
      return one.state == two.state && same_ratio(one.weight, two.weight);
    });
    return before < kEnough || points.size() <= before - before / 16;
  }

  const Rows<Real>& rows_;
  Budget& budget_;
  std::map<State, int> depths_;  ///< the longest path that is followed from a state
  std::map<State, Excursions> known_;
};

}  // namespace speclab
