#pragma once

#include <utility>

#include "model/rest_law.h"

namespace speclab {

/// The targets of recursive rejection sampling at one position: t^1 = t and
/// t^{m+1} = [t^m - d]+ normalised after the m-th rejected candidate.
///
/// A candidate x is accepted with probability min(1, t^m(x) / d(x)). Where t^m = d every candidate
/// is accepted, so t^{m+1} = 0/0 never occurs.
template <class Laws>
class RecursiveTarget {
 public:
  using Real = typename Laws::Real;

  explicit RecursiveTarget(const Laws& laws) : laws_(laws), target_(RestLaw<Real>::target(laws)) {}

  /// t^m(x) / d(x).
  [[nodiscard]] Real ratio(Token x) const { return Real(target_.weight(x) / laws_.draft(x)); }

  /// Advances from t^m to t^{m+1}. @returns the probability of this, the sum of [t^m - d]+
  Real reject() {
    target_.subtract(laws_, 1);
    const Real refused = target_.mass();
    target_.normalise();
    return refused;
  }

  /// t^m itself, to draw the correction from; moves the weights out.
  [[nodiscard]] RestLaw<Real> law() && { return std::move(target_); }

 private:
  const Laws& laws_;
  RestLaw<Real> target_;
};

}  // namespace speclab
