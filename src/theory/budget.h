#pragma once

#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/rational.h"
#include "system/interrupt.h"

namespace speclab {

/// Counts the elementary steps (one multiplication of probabilities) of a closed form against a
/// limit. A step on rationals counts as 100, since it allocates and reduces, and this factor grows
/// with the square of the number of factors in the products at hand, since their digits do.
class Budget {
 public:
  explicit Budget(double limit = std::numeric_limits<double>::infinity()) : left_(limit) {}

  /// @param depth  number of positions multiplied so far
  /// @throws LimitError when the limit would be exceeded, before the steps are computed.
  /// Error when interrupted
  template <class Real>
  void spend(double steps, int depth = 0) {
    check_interrupted();
    const double length = depth;
    left_ -= std::is_same_v<Real, Rational> ? steps * (100 + 20 * length * length) : steps;
    if (left_ < 0) throw LimitError("the closed form exceeds its limit of elementary steps");
  }

 private:
  double left_;
};

}  // namespace speclab
