#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/rational_class.h"

namespace speclab {

Integer numerator(const Rational& value);
Integer denominator(const Rational& value);
std::ostream& operator<<(std::ostream& out, const Rational& value);
std::size_t hash_value(const Rational& value);

/// Reads "3", "-3", "1/3", "0.25", "2.5e-3" exactly.
/// @throws InputError naming the text when it is not such a number, or when a denominator is 0.
Rational parse_rational(std::string_view text);

/// "11/9", or "3" for a whole number.
std::string to_text(const Rational& value);

/// "1/3,2/3"
std::string list_text(std::span<const Rational> values);

/// The nearest double (ties away from even are not distinguished beyond GMP's truncation error of
/// one unit in the last place, which this function removes by correct rounding).
double to_double(const Rational& value);
inline double to_double(double value) { return value; }

/// The exact value of a finite double.
Rational exact(double value);

/// Converts an exact value to the arithmetic in use.
template <class Real>
Real from_rational(const Rational& value) {
  if constexpr (std::is_same_v<Real, Rational>) {
    return value;
  } else {
    return to_double(value);
  }
}

/// The name of an arithmetic: "rational" or "double".
template <class Real>
constexpr std::string_view arithmetic_name() {
  return std::is_same_v<Real, Rational> ? "rational" : "double";
}

/// [value]+ of the theory: max(value, 0).
template <class Real>
Real positive_part(const Real& value) {
  return value > 0 ? value : Real(0);
}

template <class Real>
Real min_one(const Real& value) {
  return value < 1 ? value : Real(1);
}

}  // namespace speclab

template <>
struct std::hash<speclab::Rational> {
  std::size_t operator()(const speclab::Rational& value) const { return hash_value(value); }
};
