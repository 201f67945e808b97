#pragma once

#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/rational.h"

namespace speclab {

/// Counts the elementary steps (one multiplication of probabilities) of a closed form against a
/// limit. A step on rationals counts as 100, since it allocates and reduces.
class Budget {
 public:
  explicit Budget(double limit = std::numeric_limits<double>::infinity()) : left_(limit) {}

  /// @throws LimitError when the limit would be exceeded; nothing has been computed for the steps.
  template <class Real>
  void spend(double steps) {
    left_ -= std::is_same_v<Real, Rational> ? 100 * steps : steps;
    if (left_ < 0) throw LimitError("the closed form would take more steps than it may");
  }

 private:
  double left_;
};

}  // namespace speclab
