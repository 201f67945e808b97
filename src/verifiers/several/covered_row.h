#pragma once

#include <type_traits>

#include "base/at_least_once.h"
#include "model/law.h"

namespace speclab {

/// Sums over the row at a node v of spectr-coupled's trie (coupled_node.h), u(c) = min(1, d / (r
/// t)) being the cover of the child c, r = T(v) / D(v), s the reach of v and g(z) = 1 - (1 - z)^K:
///   spare     sum of t [s - u(c)]+
///   room      sum of t [g(s) - g(u(c))]+
///   missing   sum of t min(u(c), s)
///   borrowed  sum of t [g(u(c)) - g(s)]+
/// Computed by the state's table in O(K log V) or by a carried target in O(log V) where there is
/// one, else token by token.
template <class R>
struct CoveredRow {
  using Real = R;
  Real spare{0};
  Real room{0};
  Real missing{0};
  Real borrowed{0};

  /// @param ratio  r > 0  @param reach  s in (0, 1]
  template <class Laws>
  [[gnu::noinline]] CoveredRow(const Laws& laws, const Real& ratio, const Real& reach, int drafts) {
    if constexpr (std::is_same_v<Real, double> && requires { laws.table(); }) {
      if (laws.table() != nullptr && drafts <= PowerSums::kMost) {
        read(*laws.table(), ratio, reach, drafts);
        return;
      }
    }
    if constexpr (requires { laws.carried(); }) {
      if (const CarriedTarget* carried = laws.carried()) {
        read(*carried, ratio, reach, drafts);
        return;
      }
    }
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      add(Real(laws.draft(x)), Real(laws.target(x)), ratio, reach, drafts);
    }
  }

  /// u of a token. @pre target > 0
  static Real cover(const Real& draft, const Real& target, const Real& ratio) {
    const Real scaled = ratio * target;
    return draft < scaled ? Real(draft / scaled) : Real(1);
  }

 private:
  void add(const Real& draft, const Real& target, const Real& ratio, const Real& reach,
           int drafts) {
    if (!(target > 0)) return;
    const Real child = cover(draft, target, ratio);
    const Real hit = at_least_once(reach, drafts);
    if (child < reach) {
      spare += target * (reach - child);
      room += target * (hit - at_least_once(child, drafts));
      missing += target * child;
    } else {
      borrowed += target * (at_least_once(child, drafts) - hit);
      missing += target * reach;
    }
  }

  void read(const StateTable& table, double ratio, double reach,
            int drafts) requires std::is_same_v<Real, double> {
    const Wide one(1);
    const Wide none(0);
    const Wide inverse = one / Wide(ratio);
    const PowerSums& powers = table.powers(drafts);
    const std::size_t covered = table.count_above(Wide(ratio), one);
    const std::size_t below = table.count_above(Wide(ratio) * Wide(reach), one, covered);
    const Wide missed = power(Wide(1) - Wide(reach), drafts);
    spare = table.mass(Wide(reach), inverse, 0, below).value();
    missing = (table.mass(none, Wide(-1), 0, below) * inverse +
               Wide(reach) * table.mass(one, none, below, table.size()))
                  .value();
    room = difference(powers.mass(inverse, 0, below), missed * table.mass(one, none, 0, below));
    borrowed = (missed * table.mass(one, none, covered, table.size())).value() +
               difference(missed * table.mass(one, none, below, covered),
                          powers.mass(inverse, below, covered));
  }

  void read(const CarriedTarget& row, double ratio, double reach,
            int drafts) requires std::is_same_v<Real, double> {
    const double inverse = 1 / ratio;
    const double missed = never(reach, drafts);
    const std::size_t all = row.count_above(1, 0);
    const std::size_t covered = row.count_above(ratio, 1, all);
    const std::size_t below = row.count_above(ratio * reach, 1, covered);
    const CarriedTarget::Form missed_by{.b = inverse, .power = drafts, .less = missed};
    spare = row.mass({.a = reach, .b = inverse}, 0, below);
    missing = inverse * row.draft_before(below) + reach * row.mass({}, below, all);
    room = positive_part(row.mass(missed_by, 0, below));
    borrowed =
        missed * row.mass({}, covered, all) + positive_part(-row.mass(missed_by, below, covered));
  }

  /// more - less, where more >= less up to rounding.
  static double difference(const Wide& more, const Wide& less) {
    return positive_part((more - less).value());
  }
};

}  // namespace speclab
