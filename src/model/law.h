#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "base/types.h"

namespace speclab {

// A *law* gives each token a weight; "the law proportional to w" needs no normalisation by its
// user.
//   size()      number of tokens
//   weight(x)   non-negative weight of token x
//   mass()      sum of the weights; zero means the law is undefined (a 0/0)

/// A row of a model: probabilities that sum to 1.
template <class R>
class RowLaw {
 public:
  using Real = R;
  explicit RowLaw(std::span<const Real> row) : row_(row) {}
  [[nodiscard]] Token size() const { return static_cast<Token>(row_.size()); }
  [[nodiscard]] const Real& weight(Token x) const { return row_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] Real mass() const { return Real(1); }

 private:
  std::span<const Real> row_;
};

/// The residual law proportional to [scale * target - draft]+.
template <class R>
class ResidualLaw {
 public:
  using Real = R;
  ResidualLaw(std::span<const Real> target, std::span<const Real> draft, Real scale)
      : target_(target), draft_(draft), scale_(std::move(scale)), mass_(0) {
    for (Token x = 0; x < size(); ++x) mass_ += weight(x);
  }
  [[nodiscard]] Token size() const { return static_cast<Token>(target_.size()); }
  [[nodiscard]] Real weight(Token x) const {
    const auto i = static_cast<std::size_t>(x);
    return positive_part<Real>(scale_ * target_[i] - draft_[i]);
  }
  /// Sum of [scale * target - draft]+.
  [[nodiscard]] const Real& mass() const { return mass_; }

 private:
  std::span<const Real> target_;
  std::span<const Real> draft_;
  Real scale_;
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

 private:
  std::vector<Real> weights_;
  Real mass_;
};

/// The first token whose cumulative weight exceeds u * mass, for u in [0, 1). Never a token of
/// weight zero, whatever the rounding; kUndefined where no token has weight.
template <class Law>
Token pick(const Law& law, double u) {
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

}  // namespace speclab
