#pragma once

namespace speclab {

/// value^exponent, exponent >= 0, by squaring.
template <class Real>
Real power(Real value, int exponent) {
  Real result(1);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= value;
    value *= value;
  }
  return result;
}

}  // namespace speclab
