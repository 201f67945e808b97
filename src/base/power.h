#pragma once

namespace speclab {

/// value^exponent, exponent >= 0, by squaring.
/// @param result  1, of a type that makes no 1 of the number alone
template <class Real>
Real power(Real value, long long exponent, Real result = Real(1)) {
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= value;
    if (exponent > 1) value *= value;
  }
  return result;
}

}  // namespace speclab
