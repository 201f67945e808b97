#pragma once

#include <utility>
#include <vector>

#include "model/law.h"

namespace speclab {

/// The targets of recursive rejection sampling at one position: t^1 = t and
/// t^{m+1} = [t^m - d]+ normalised after the m-th rejected candidate.
///
/// A candidate x is accepted with probability min(1, t^m(x) / d(x)). Where t^m = d every candidate
/// is accepted, so t^{m+1} = 0/0 is never asked for.
template <class Laws>
class RecursiveTarget {
 public:
  using Real = typename Laws::Real;

  explicit RecursiveTarget(const Laws& laws) : laws_(laws) {
    for (Token x = 0; x < laws.vocabulary(); ++x) target_.push_back(laws.target(x));
  }

  /// t^m(x) / d(x).
  [[nodiscard]] Real ratio(Token x) const {
    return Real(target_[static_cast<std::size_t>(x)] / laws_.draft(x));
  }

  /// Goes on from t^m to t^{m+1}.
  void reject() {
    Real mass(0);
    for (Token x = 0; x < laws_.vocabulary(); ++x) {
      Real& weight = target_[static_cast<std::size_t>(x)];
      weight = positive_part<Real>(weight - laws_.draft(x));
      mass += weight;
    }
    if (!(mass > 0)) return;
    for (Real& weight : target_) weight /= mass;
  }

  /// t^m itself, to draw the correction from; takes the weights.
  [[nodiscard]] DenseLaw<Real> law() && { return DenseLaw<Real>(std::move(target_)); }

 private:
  const Laws& laws_;
  std::vector<Real> target_;
};

}  // namespace speclab
