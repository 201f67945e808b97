#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "model/law.h"

namespace speclab {

/// The common part min(d, t / rho) of the draft d and the target t / rho at a node, and the rest of
/// t after a share of the common part is subtracted. Uses the state's table in O(log V) where there
/// is one, else works token by token.
/// Worked example: d = (1/4, 3/4), t = (1/2, 1/2), rho = 1: common (1/4, 1/2), its mass 3/4.
template <class L>
class Overlap {
 public:
  using Laws = L;
  using Real = typename Laws::Real;

  /// @param rho  at least 1
  [[gnu::noinline]] Overlap(const Laws& laws, const Real& rho) : laws_(laws), rho_(rho), mass_(0) {
    if constexpr (kRanked) {
      if (const StateTable* table = laws.table()) {
        draft_side_ = table->count_above(Wide(1), Wide(rho));
        mass_ = (table->mass(Wide(0), Wide(-1), 0, draft_side_) +
                 table->mass(Wide(1), Wide(0), draft_side_, table->size()) / Wide(rho))
                    .value();
        return;
      }
    }
    Sum<Real> mass;
    for (Token x = 0; x < laws.vocabulary(); ++x) mass += weight(x);
    mass_ = mass.value();
  }

  [[nodiscard]] const Real& rho() const { return rho_; }
  /// min(d(x), t(x) / rho).
  [[nodiscard]] Real weight(Token x) const {
    const Real scaled = laws_.target(x) / rho_;
    return laws_.draft(x) < scaled ? laws_.draft(x) : scaled;
  }
  /// Sum of min(d, t / rho).
  [[nodiscard]] const Real& mass() const { return mass_; }

  /// The law proportional to [t - c min(d, t / rho)]+.
  class Rest {
   public:
    using Real = typename Laws::Real;
    [[gnu::noinline]] Rest(const Overlap& overlap, const Real& c)
        : overlap_(overlap), c_(c), mass_(0) {
      if constexpr (kRanked) {
        if (const StateTable* table = laws().table()) {
          kept_ = positive_part<Real>(1 - c_ / overlap_.rho_);
          above_ = std::min(overlap_.draft_side_, table->count_above(Wide(1), Wide(c_)));
          first_ = table->mass(Wide(1), Wide(c_), 0, above_).value();
          mass_ = first_ + kept_ * target_side(*table);
          return;
        }
      }
      Sum<Real> mass;
      for (Token x = 0; x < size(); ++x) mass += weight(x);
      mass_ = mass.value();
    }
    [[nodiscard]] Token size() const { return laws().vocabulary(); }
    [[nodiscard]] Real weight(Token x) const {
      return positive_part<Real>(laws().target(x) - overlap_.weight(x) * c_);
    }
    [[nodiscard]] const Real& mass() const { return mass_; }
    [[nodiscard]] Token pick(double u) const {
      if constexpr (kRanked) {
        if (const StateTable* table = laws().table()) return pick_ranked(*table, u * mass_);
      }
      return pick_in_order(*this, u);
    }

   private:
    [[nodiscard]] const Laws& laws() const { return overlap_.laws_; }
    [[nodiscard]] double target_side(const StateTable& table) const {
      return table.mass(Wide(1), Wide(0), overlap_.draft_side_, table.size()).value();
    }
    [[nodiscard]] Token pick_ranked(const StateTable& table, double left) const {
      const double second = kept_ * target_side(table);
      if (first_ > 0 && (left < first_ || !(second > 0))) {
        return table.pick(Wide(1), Wide(c_), 0, above_, left);
      }
      return table.pick(Wide(1), Wide(0), overlap_.draft_side_, table.size(),
                        positive_part<double>(left - first_) / kept_);
    }

    const Overlap& overlap_;
    Real c_;
    Real mass_;
    std::size_t above_ = 0;  ///< the ranks below it have t > c d > 0, in t > rho d
    Real first_{0};          ///< their mass
    Real kept_{0};           ///< the share of t kept on the other ranks
  };

 private:
  static constexpr bool kRanked = std::is_same_v<Real, double> && requires(const Laws& laws) {
    laws.table();
  };

  const Laws& laws_;
  Real rho_;
  Real mass_;
  std::size_t draft_side_ = 0;  ///< the ranks below it have d < t / rho
};

}  // namespace speclab
