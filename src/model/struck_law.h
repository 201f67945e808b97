#pragma once

#include <type_traits>
#include <vector>

#include "model/law.h"

namespace speclab {

/// A copy of a law in which tokens can be struck out: from then on their weight is zero. What is
/// left of a row when some tokens may not come again, and the law of a draw without replacement.
///
/// In doubles the mass is added up again from the weights that are left, so that it is exactly zero
/// when none of them is positive, and the last positive token has exactly the probability 1.
/// Worked example: (1/2, 1/4, 1/4) with token 0 struck out: mass 1/2, probabilities (0, 1/2, 1/2).
template <class R>
class StruckLaw {
 public:
  using Real = R;

  /// @param law  see model/law.h
  template <class Law>
  explicit StruckLaw(const Law& law) : mass_(0) {
    weights_.reserve(static_cast<std::size_t>(law.size()));
    for (Token x = 0; x < law.size(); ++x) {
      weights_.push_back(law.weight(x));
      mass_ += weights_.back();
    }
  }

  [[nodiscard]] Token size() const { return static_cast<Token>(weights_.size()); }
  [[nodiscard]] const Real& weight(Token x) const { return weights_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] const Real& mass() const { return mass_; }
  [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }

  /// weight(x) / mass(). @pre mass() > 0
  [[nodiscard]] Real probability(Token x) const { return Real(weight(x) / mass_); }

  void strike(Token x) {
    Real& struck = weights_[static_cast<std::size_t>(x)];
    if constexpr (std::is_same_v<Real, double>) {
      struck = 0;
      mass_ = 0;
      for (const double weight : weights_) mass_ += weight;
    } else {
      mass_ -= struck;
      struck = Real(0);
    }
  }

 private:
  std::vector<Real> weights_;
  Real mass_;
};

}  // namespace speclab
