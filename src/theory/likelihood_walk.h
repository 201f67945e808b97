#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "theory/budget.h"
#include "theory/measure.h"

namespace speclab {

/// Whether two products of ratios, in ascending order, are the same number. In doubles they are
/// where they differ by less than 2^-45 relatively, so that the order of a product's factors does
/// not matter.
template <class Real>
bool same_ratio(const Real& low, const Real& high) {
  if constexpr (std::is_same_v<Real, double>) {
    return high - low <= 0x1p-45 * high;
  } else {
    return low == high;
  }
}

/// Adds the mass of each point that is like the last one kept to that, in sorted points.
template <class Point, class Alike>
void merge_alike(std::vector<Point>& points, const Alike& alike) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept > 0 && alike(points[kept - 1], points[i])) {
      points[kept - 1].mass += points[i].mass;
    } else {
      if (kept != i) points[kept] = std::move(points[i]);
      ++kept;
    }
  }
  points.erase(points.begin() + static_cast<std::ptrdiff_t>(kept), points.end());
}

/// The walk of the likelihood ratio along a random path: sets of paths of i tokens that end in one
/// state with one ratio, merged as the path grows.
///
/// Under a *base* law (the draft, as a rule) and an *other* law (the target) a path x_1..x_i has
/// the ratio r = other(x_1..x_i) / base(x_1..x_i), or with `clamped` the ratio of block
/// verification, w_i = min(1, w_{i-1} other/base). Every functional sum_x base(x) f(r(x)) over all
/// paths is a sum over the points. Paths of base probability 0 or of ratio 0 are omitted: these
/// functionals vanish there (`lost()` is the base mass of the latter).
///
/// For a memoryless pair on V tokens the number of points grows as i^(V-1), for a general pair
/// as V^i. In doubles, base masses below 1e-290 are dropped.
template <class Real>
class LikelihoodWalk {
 public:
  /// 25 MB of points, in doubles.
  static constexpr std::size_t kMostPoints = std::size_t{1} << 20;

  struct Point {
    State state;
    Real ratio;
    Real mass;  ///< base probability of the paths merged here
  };
  struct TwoLaws {
    std::span<const Real> base;
    std::span<const Real> other;
  };
  /// The laws at a state; valid until the next call.
  using LawsAt = std::function<TwoLaws(State)>;

  LikelihoodWalk(const Rows<Real>& rows, const Measure<Real>& start, LawsAt laws, bool clamped,
                 Budget& budget)
      : rows_(&rows), laws_(std::move(laws)), clamped_(clamped), budget_(&budget) {
    for (const auto& [state, mass] : start.entries()) points_.push_back({state, Real(1), mass});
  }

  /// Draft and target of the pair.
  LikelihoodWalk(const Rows<Real>& rows, const Measure<Real>& start, bool clamped, Budget& budget)
      : LikelihoodWalk(
            rows, start,
            [&rows](State state) {
              return TwoLaws{rows.draft(state), rows.target(state)};
            },
            clamped, budget) {}

  /// The merged points after the tokens so far, in order of (state, ratio).
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

  /// Base probability of the paths whose ratio is 0.
  [[nodiscard]] Real lost() const { return lost_.value(); }

  /// Calls visit(point, token, base, other) for every point and token, without advancing.
  template <class Visit>
  void look(Visit&& visit) {
    spend_look();
    visit_all(visit);
  }

  /// Whether hardly any of `enough` paths or more were merged by the last token, so that few will
  /// be by the next ones: the laws of a chain's positions differ.
  [[nodiscard]] bool scattered(std::size_t enough) const {
    return grown_ >= enough && points_.size() > grown_ - grown_ / 16;
  }

  /// Whether `count` more tokens are better taken by descend than by advancing: paths do not merge,
  /// and there are no more of them than advancing would reach.
  /// @throws LimitError where they do not merge, and there are
  [[nodiscard]] bool should_descend(int count) const {
    constexpr std::size_t kEnough = 64;
    constexpr std::size_t kSurelyEnough = 4096;
    if (!scattered(kEnough)) return false;
    const double paths = std::pow(rows_->vocabulary(), count) * static_cast<double>(points_.size());
    if (paths <= static_cast<double>(kMostPoints) * rows_->vocabulary()) return true;
    if (scattered(kSurelyEnough)) refuse();
    return false;
  }

  /// Calls visit(i, ratio, mass) for every path set i = 1..count tokens longer, unmerged, in a
  /// memory that does not grow with their number; without advancing.
  template <class Visit>
  void descend(int count, Visit&& visit) {
    double paths = static_cast<double>(points_.size());
    for (int i = 1; i <= count; ++i) {
      budget_->spend<Real>(paths *= rows_->vocabulary(), depth_ + i);
    }
    std::vector<std::vector<Point>> levels(static_cast<std::size_t>(count));
    for (const Point& point : points_) descend_from(point, 1, levels, visit);
  }

  /// Advances by one token.
  /// @throws LimitError when more than kMostPoints path sets would be needed.
  void advance() {
    spend_look();
    std::size_t count = 0;
    visit_all([&](const Point& point, Token, const Real& base, const Real& other) {
      if (base > 0 && other > 0 && stays(point.mass, base) && ++count > kMostPoints) refuse();
    });
    std::vector<Point> grown_points;
    grown_points.reserve(count);
    visit_all([&](const Point& point, Token x, const Real& base, const Real& other) {
      if (!(base > 0)) return;
      Real mass = point.mass * base;
      if (!(other > 0)) {
        lost_ += mass;
      } else if (stays(point.mass, base)) {
        grown_points.push_back(
            {rows_->next(point.state, x), grown(point.ratio, base, other), mass});
      }
    });
    grown_ = grown_points.size();
    merge(grown_points);
    points_ = std::move(grown_points);
    ++depth_;
  }

 private:
  [[noreturn]] static void refuse() {
    throw LimitError("the likelihood walk has too many distinct paths");
  }

  void spend_look() {
    budget_->spend<Real>(
        static_cast<double>(points_.size()) * static_cast<double>(rows_->vocabulary()), depth_);
  }

  template <class Visit>
  void visit_all(Visit&& visit) {
    for (const Point& point : points_) {
      const TwoLaws laws = laws_(point.state);
      for (std::size_t x = 0; x < laws.base.size(); ++x) {
        visit(point, static_cast<Token>(x), laws.base[x], laws.other[x]);
      }
    }
  }

  /// @param levels  scratch: of each depth one node's children, as laws last until the next call
  template <class Visit>
  void descend_from(const Point& point, int i, std::vector<std::vector<Point>>& levels,
                    Visit& visit) {
    const bool last = static_cast<std::size_t>(i) == levels.size();
    std::vector<Point>& children = levels[static_cast<std::size_t>(i) - 1];
    children.clear();
    const TwoLaws laws = laws_(point.state);
    for (std::size_t x = 0; x < laws.base.size(); ++x) {
      if (!(laws.base[x] > 0) || !(laws.other[x] > 0)) continue;
      const Real ratio = grown(point.ratio, laws.base[x], laws.other[x]);
      const Real mass = point.mass * laws.base[x];
      visit(i, ratio, mass);
      if (!last && stays(point.mass, laws.base[x])) {
        children.push_back({rows_->next(point.state, static_cast<Token>(x)), ratio, mass});
      }
    }
    for (const Point& child : children) descend_from(child, i + 1, levels, visit);
  }

  Real grown(const Real& ratio, const Real& base, const Real& other) const {
    const Real next = ratio * other / base;
    return clamped_ ? min_one<Real>(next) : next;
  }

  /// Whether paths of this mass are kept when they grow by a token of probability `base` > 0.
  static bool stays(const Real& mass, const Real& base) {
    if constexpr (std::is_same_v<Real, double>) {
      return !(mass * base < 1e-290);
    } else {
      return mass != 0;
    }
  }

  void merge(std::vector<Point>& points) const {
    const double size = static_cast<double>(points.size());
    budget_->spend<Real>(size * std::log2(size + 1) / 8, depth_);
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
      return a.state != b.state ? a.state < b.state : a.ratio < b.ratio;
    });
    merge_alike(points, [](const Point& a, const Point& b) {
      return a.state == b.state && same_ratio(a.ratio, b.ratio);
    });
  }

  const Rows<Real>* rows_;
  LawsAt laws_;
  bool clamped_;
  Budget* budget_;
  std::vector<Point> points_;
  Sum<Real> lost_;
  int depth_ = 0;
  std::size_t grown_ = 0;  ///< path sets of the last advance, before they were merged
};

/// sums[i] = sum over paths of i tokens of base(path) * value(ratio), i = 1..length; sums[0] is 1.
template <class Real, class Value>
std::vector<Real> walk_sums(LikelihoodWalk<Real> walk, int length, Value&& value) {
  std::vector<Sum<Real>> sums(static_cast<std::size_t>(length) + 1);
  sums.front() += Real(1);
  for (int i = 1; i <= length; ++i) {
    const auto add = [&](int longer, const Real& ratio, const Real& mass) {
      sums[static_cast<std::size_t>(i - 1) + static_cast<std::size_t>(longer)] +=
          mass * value(ratio);
    };
    const int left = length - i + 1;
    if (left == 1 || walk.should_descend(left)) {
      walk.descend(left, add);
      break;
    }
    walk.advance();
    for (const auto& point : walk.points()) add(1, point.ratio, point.mass);
  }
  return values_of(sums);
}

}  // namespace speclab
