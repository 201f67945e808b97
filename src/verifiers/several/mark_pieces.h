#pragma once

#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "verifiers/several/covered_row.h"
#include "verifiers/several/least_mark.h"

namespace speclab {

/// The pieces that contain the mark of a draft of spectr-coupled that stopped at a node, as a law:
/// the node's own and those lent by the nodes above it, level by level (see
/// spectr_coupled.h). Piece x of a level is the interval (u(x), s) of height scale t(x), where
/// u(x) < s; its weight is height times length. Piece x of level l has the number l V + x.
template <class R>
class MarkPieces {
 public:
  using Real = R;

  explicit MarkPieces(Token vocabulary) : vocabulary_(vocabulary) {}

  /// A leaf's own level: (0, s) of height 1.
  [[gnu::noinline]] void add_leaf(const Real& reach) {
    levels_.push_back({.scale = Real(1), .reach = reach, .leaf = true});
    levels_.back().mass = reach;
    mass_ += reach;
  }

  /// The level of a row: s = reach, u by the ratio r (see CoveredRow::cover).
  template <class Laws>
  [[gnu::noinline]] void add_row(const Laws& laws, const Real& ratio, const Real& reach,
                                 const Real& scale) {
    Level level{.scale = scale, .reach = reach, .ratio = ratio};
    if constexpr (std::is_same_v<Real, double> && requires { laws.table(); }) {
      level.table = laws.table();
    }
    if constexpr (requires { laws.carried(); }) level.carried = laws.carried();
    if (level.table != nullptr || level.carried != nullptr) {
      measure(level);
    } else {
      list(laws, level);
    }
    mass_ += level.scale * level.mass;
    levels_.push_back(std::move(level));
    if (levels_.size() >
        std::numeric_limits<Token>::max() / static_cast<std::size_t>(vocabulary_)) {
      throw LimitError(
          "spectr-coupled numbers its pieces by level and token, and has more than "
          "2^31 of them here; lower gamma or the vocabulary");
    }
  }

  [[nodiscard]] Token size() const { return static_cast<Token>(levels_.size()) * vocabulary_; }
  [[nodiscard]] const Real& mass() const { return mass_; }
  [[nodiscard, gnu::noinline]] Real weight(Token piece) const {
    const MarkRange<Real> interval = range(piece);
    return interval.low < interval.high ? Real(height(piece) * (interval.high - interval.low))
                                        : Real(0);
  }
  [[nodiscard, gnu::noinline]] Token pick(double u) const {
    if constexpr (std::is_same_v<Real, double>) {
      double left = u * mass_;
      Token last = kUndefined;
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        const Level& level = levels_[i];
        const double here = level.scale * level.mass;
        if (!(here > 0)) continue;
        const double share = left < here ? left / here : 1 - 0x1p-53;
        last = static_cast<Token>(i) * vocabulary_ + pick_in(level, share);
        if (left < here) return last;
        left -= here;
      }
      return last;
    } else {
      return pick_in_order(*this, u);
    }
  }

  [[nodiscard]] MarkRange<Real> range(Token piece) const {
    const Level& level = levels_[static_cast<std::size_t>(piece / vocabulary_)];
    const auto x = static_cast<std::size_t>(piece % vocabulary_);
    return {low(level, x), level.reach};
  }
  [[nodiscard]] Real height(Token piece) const {
    const Level& level = levels_[static_cast<std::size_t>(piece / vocabulary_)];
    const auto x = static_cast<std::size_t>(piece % vocabulary_);
    if (level.leaf) return Real(x == 0 ? 1 : 0);
    if constexpr (std::is_same_v<Real, double>) {
      if (level.heights.empty()) return level.scale * target(level, static_cast<Token>(x));
    }
    return level.scale * level.heights[x];
  }

 private:
  struct Level {
    Real scale;
    Real reach;
    bool leaf = false;  ///< one piece, (0, s) of height 1
    Real ratio{1};
    Real mass{0};                       ///< of its pieces, before the scale
    std::vector<Real> heights{};        ///< without a table: t,
    std::vector<Real> lows{};           ///< and u, 1 where t is 0
    const StateTable* table = nullptr;  ///< doubles only, as is
    const CarriedTarget* carried = nullptr;
    std::size_t below = 0;  ///< the ranks below it have u < s
  };

  static Real low(const Level& level, std::size_t x) {
    if (level.leaf) return Real(0);
    if constexpr (std::is_same_v<Real, double>) {
      if (level.lows.empty()) {
        const double height = target(level, static_cast<Token>(x));
        const auto draft = level.carried ? level.carried->draft_row() : level.table->draft();
        return height > 0 ? CoveredRow<double>::cover(draft[x], height, level.ratio) : 1.0;
      }
    }
    return level.lows[x];
  }

  /// t of a level that has a table or a carried target.
  static double target(const Level& level, Token x) requires std::is_same_v<Real, double> {
    return level.carried ? level.carried->target(x) : level.table->target_of(x);
  }
  static CarriedTarget::Form form(const Level& level) requires std::is_same_v<Real, double> {
    return {.a = level.reach, .b = 1 / level.ratio};
  }

  static void measure(Level& level) {
    if constexpr (std::is_same_v<Real, double>) {
      if (level.carried) {
        level.below = level.carried->count_above(level.ratio * level.reach, 1);
        level.mass = level.carried->mass(form(level), 0, level.below);
        return;
      }
      level.below = level.table->count_above(Wide(level.ratio) * Wide(level.reach), Wide(1));
      level.mass =
          level.table->mass(Wide(level.reach), Wide(1) / Wide(level.ratio), 0, level.below).value();
    }
  }

  template <class Laws>
  static void list(const Laws& laws, Level& level) {
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      const Real target = laws.target(x);
      level.heights.push_back(target);
      level.lows.push_back(target > 0 ? CoveredRow<Real>::cover(laws.draft(x), target, level.ratio)
                                      : Real(1));
      if (level.lows.back() < level.reach) {
        level.mass += target * (level.reach - level.lows.back());
      }
    }
  }

  static Token pick_in(const Level& level, double u) requires std::is_same_v<Real, double> {
    if (level.leaf) return 0;
    if (level.carried) return level.carried->pick(form(level), level.below, u * level.mass);
    if (level.table != nullptr) {
      return level.table->pick(Wide(level.reach), Wide(1) / Wide(level.ratio), 0, level.below,
                               u * level.mass);
    }
    double left = u * level.mass;
    Token last = 0;
    for (std::size_t x = 0; x < level.heights.size(); ++x) {
      const double weight = level.heights[x] * (level.reach - level.lows[x]);
      if (!(weight > 0)) continue;
      last = static_cast<Token>(x);
      if (left < weight) break;
      left -= weight;
    }
    return last;
  }

  Token vocabulary_;
  std::vector<Level> levels_;
  Real mass_{0};
};

}  // namespace speclab
