#pragma once

namespace speclab {

/// value^exponent, exponent >= 0, by squaring.
template <class Real>
Real power(Real value, long long exponent) {
  Real result(1);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= value;
    if (exponent > 1) value *= value;
  }
  return result;
}

}  // namespace speclab
