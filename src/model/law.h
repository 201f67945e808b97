#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "base/sum.h"
#include "base/types.h"
#include "base/wide.h"
#include "model/carries/carried_target.h"
#include "model/state_table.h"

namespace speclab {

// A *law* gives each token a weight; the draws are proportional to the weights, which need not sum
// to 1.
//   size()      number of tokens
//   weight(x)   non-negative weight of token x
//   mass()      sum of the weights; zero means the law is undefined (a 0/0)
//   pick(u)     doubles: the token at u in [0, 1); mass() > 0
//   kValid      a static constant, true where the type guarantees what is said of weights and mass

/// The first token whose cumulative weight exceeds u * mass, for u in [0, 1). Never a token of
/// weight zero, whatever the rounding; kUndefined where no token has weight.
template <class Law>
Token pick_in_order(const Law& law, double u) {
  double left = u * law.mass();
  Token last = kUndefined;
  for (Token x = 0; x < law.size(); ++x) {
    const double weight = law.weight(x);
    if (!(weight > 0)) continue;
    last = x;
    if (left < weight) return x;
    left -= weight;
  }
  return last;
}

/// target(x), from the row or, where it is empty, from the table.
template <class Real>
Real target_in(std::span<const Real> row, const StateTable* table, Token x) {
  if constexpr (std::is_same_v<Real, double>) {
    if (row.empty()) return table->target_of(x);
  }
  return row[static_cast<std::size_t>(x)];
}

/// A row of a model: probabilities that sum to 1, with an alias table where available.
template <class R>
class RowLaw {
 public:
  using Real = R;
  static constexpr bool kValid = true;
  explicit RowLaw(std::span<const Real> row, const AliasTable* alias = nullptr)
      : row_(row), alias_(alias) {}
  [[nodiscard]] Token size() const { return static_cast<Token>(row_.size()); }
  [[nodiscard]] const Real& weight(Token x) const { return row_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] Real mass() const { return Real(1); }
  [[nodiscard]] Token pick(double u) const {
    return alias_ != nullptr ? alias_->pick(u) : pick_in_order(*this, u);
  }
  /// Announces a coming pick(u).
  void prefetch(double u) const {
    if (alias_ != nullptr) alias_->prefetch(u);
  }

 private:
  std::span<const Real> row_;
  const AliasTable* alias_;
};

/// The law proportional to [a * target - b * draft]+. Computed token by token, or from a state's
/// table or a carried target in O(log V). In doubles weights and the mass keep full accuracy under
/// cancellation, those of a carried target that of 1e-12 of its terms.
template <class R>
class GapLaw {
 public:
  using Real = R;
  static constexpr bool kValid = true;
  using Scale = WideOf<Real>;
  /// @param target  empty where the table alone has it
  GapLaw(std::span<const Real> draft, std::span<const Real> target, Scale a, Scale b,
         const StateTable* table = nullptr)
      : draft_(draft),
        target_(target),
        a_(std::move(a)),
        b_(std::move(b)),
        table_(table),
        mass_(0) {
    if constexpr (std::is_same_v<Real, double>) {
      if (table_ != nullptr) {
        measure();
        return;
      }
    }
    Sum<Real> mass;
    for (Token x = 0; x < size(); ++x) mass += weight(x);
    mass_ = mass.value();
  }
  /// @param carried  must outlive this
  GapLaw(const CarriedTarget& carried, double a, double b) requires std::is_same_v<Real, double>
      : draft_(carried.draft_row()),
        a_(a),
        b_(b),
        table_(nullptr),
        carried_(&carried),
        above_(carried.count_above(a, b)),
        mass_(carried.mass({.a = a, .b = b}, 0, above_)) {}

  [[nodiscard]] Token size() const { return static_cast<Token>(draft_.size()); }
  [[nodiscard]] Real weight(Token x) const {
    const auto i = static_cast<std::size_t>(x);
    if constexpr (std::is_same_v<Real, double>) {
      if (carried_ != nullptr) {
        return positive_part(gap_weight(a_, b_, carried_->target(x), draft_[i]));
      }
      return positive_part<Real>(gap_weight(a_, b_, target_in(target_, table_, x), draft_[i]));
    } else {
      return positive_part<Real>(a_ * target_[i] - b_ * draft_[i]);
    }
  }
  /// Sum of [a * target - b * draft]+.
  [[nodiscard]] const Real& mass() const { return mass_; }
  [[nodiscard]] Token pick(double u) const {
    if constexpr (std::is_same_v<Real, double>) {
      if (carried_ != nullptr) {
        return carried_->pick({.a = a_.value(), .b = b_.value()}, above_, u * mass_);
      }
      if (table_ == nullptr) return pick_in_order(*this, u);
      if (a_ == 1 && b_ == 1 && !table_->residual_alias().empty()) {
        return table_->residual_alias().pick(u);
      }
      return above_ == 0 ? kUndefined : table_->pick(a_, b_, 0, above_, u * mass_);
    } else {
      return pick_in_order(*this, u);
    }
  }

 private:
  /// Computes the mass from the table.
  void measure() {
    if constexpr (std::is_same_v<Real, double>) {
      if (a_ == 1 && (b_ == 1 || b_ == 0)) {
        const StateTable::Whole& known = b_ == 1 ? table_->residual() : table_->target_law();
        above_ = known.count;
        mass_ = known.mass;
      } else {
        above_ = table_->count_above(a_, b_);
        mass_ = table_->mass(a_, b_, 0, above_).value();
      }
    }
  }

  std::span<const Real> draft_;
  std::span<const Real> target_;
  Scale a_;
  Scale b_;
  const StateTable* table_;
  const CarriedTarget* carried_ = nullptr;
  std::size_t above_ = 0;
  Real mass_;
};

/// A law that owns its weights.
template <class R>
class DenseLaw {
 public:
  using Real = R;
  explicit DenseLaw(std::vector<Real> weights) : weights_(std::move(weights)), mass_(0) {
    for (const Real& weight : weights_) mass_ += weight;
  }
  [[nodiscard]] Token size() const { return static_cast<Token>(weights_.size()); }
  [[nodiscard]] const Real& weight(Token x) const { return weights_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] const Real& mass() const { return mass_; }
  [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }

 private:
  std::vector<Real> weights_;
  Real mass_;
};

/// Whether the type of a law guarantees that weights are not negative and that mass() is their sum.
template <class Law>
constexpr bool is_valid_law() {
  if constexpr (requires { Law::kValid; }) return Law::kValid;
  return false;
}

/// A draw from a law with u in [0, 1), or kUndefined where the law has no weight.
template <class Law>
Token pick(const Law& law, double u) {
  return law.mass() > 0 ? law.pick(u) : kUndefined;
}

}  // namespace speclab
