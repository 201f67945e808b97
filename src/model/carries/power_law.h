#pragma once

#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/at_least_once.h"
#include "model/law.h"
#include "system/interrupt.h"

namespace speclab {

/// The weight t (1 - min(1, s d / t))^power of one token; 0 where t is.
template <class Real>
Real powered_weight(const Real& draft, const Real& target, const Real& s, int power) {
  if constexpr (std::is_same_v<Real, double>) {
    const double kept = gap_weight(1, s, target, draft);
    if (!(kept > 0)) return 0;
    const double share = kept / target;
    return target *
           (power > kMultipliedOut ? std::pow(share, power) : speclab::power(share, power));
  } else {
    const Real kept = target - s * draft;
    return kept > 0 ? Real(target * speclab::power<Real>(kept / target, power)) : Real(0);
  }
}

/// The law proportional to t (1 - min(1, s d / t))^power at a node, t the target and d the draft:
/// equation (4) and Algorithm 2 of lin2026, with s = D / T of the path to the node. power = 1 is
/// [t - s d]+. By the state's table in O(power log V) where there is one and power is at most
/// PowerSums::kMost, by a carried target in O(log V), else token by token.
/// Worked example: t = (1/2, 1/2), d = (1/4, 3/4), s = 1, power 2: (1/8, 0).
template <class R>
class PowerLaw {
 public:
  using Real = R;

  template <class Laws>
  [[gnu::noinline]] PowerLaw(const Laws& laws, const Real& s, int power)
      : size_(laws.vocabulary()), s_(s), power_(power) {
    if constexpr (std::is_same_v<Real, double> && requires { laws.table(); }) {
      if (laws.table() != nullptr && power <= PowerSums::kMost) {
        table_ = laws.table();
        above_ = table_->count_above(Wide(1), Wide(s_));
        mass_ = table_->powers(power).mass(Wide(s_), 0, above_).value();
        return;
      }
    }
    if constexpr (requires { laws.carried(); }) {
      if (const CarriedTarget* carried = laws.carried()) {
        carried_ = *carried;
        above_ = carried_->count_above(1, s_);
        mass_ = carried_->mass(form(), 0, above_);
        return;
      }
    }
    Sum<Real> mass;
    weights_.reserve(static_cast<std::size_t>(size_));
    for (Token x = 0; x < size_; ++x) {
      // A power of fractions takes microseconds, a row seconds.
      if (!std::is_same_v<Real, double> && x % 256 == 0) check_interrupted();
      weights_.push_back(powered_weight<Real>(laws.draft(x), laws.target(x), s, power));
      mass += weights_.back();
    }
    mass_ = mass.value();
  }

  [[nodiscard]] Token size() const { return size_; }
  [[nodiscard]] Real weight(Token x) const {
    const auto i = static_cast<std::size_t>(x);
    if constexpr (std::is_same_v<Real, double>) {
      if (table_ != nullptr) {
        return powered_weight<double>(table_->draft()[i], table_->target_of(x), s_, power_);
      }
      if (carried_) {
        return powered_weight<double>(carried_->draft(x), carried_->target(x), s_, power_);
      }
    }
    return weights_[i];
  }
  [[nodiscard]] const Real& mass() const { return mass_; }
  [[nodiscard]] Token pick(double u) const {
    if constexpr (std::is_same_v<Real, double>) {
      if (table_ != nullptr) {
        if (above_ == 0) return kUndefined;
        return table_->token(table_->powers(power_).pick(Wide(s_), above_, u * mass_));
      }
      if (carried_) return above_ == 0 ? kUndefined : carried_->pick(form(), above_, u * mass_);
    }
    return pick_in_order(*this, u);
  }

 private:
  [[nodiscard]] CarriedTarget::Form form() const requires std::is_same_v<Real, double> {
    return {.b = s_, .power = power_};
  }

  Token size_;
  Real s_;
  int power_;
  Real mass_{0};
  std::vector<Real> weights_;  ///< where there is no table
  const StateTable* table_ = nullptr;
  std::optional<CarriedTarget> carried_;  ///< in doubles
  std::size_t above_ = 0;                 ///< the ranks below it have weight
};

}  // namespace speclab
