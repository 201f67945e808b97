#pragma once

#include <cstdint>

#include "base/power.h"
#include "base/rational.h"

namespace speclab {

/// An element of the field of 2^61 - 1 elements, a prime. A polynomial of degree n that is not zero
/// is zero at a random point of the field with probability at most about n / 2^61 (Schwartz 1980,
/// Zippel 1979).
class Residue {
 public:
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

  constexpr Residue() = default;
  /// @param value  any number below 2^64
  constexpr explicit Residue(std::uint64_t value) : value_(value % kPrime) {}

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }
  [[nodiscard]] constexpr bool is_zero() const { return value_ == 0; }
  constexpr bool operator==(const Residue&) const = default;

  friend constexpr Residue operator+(Residue a, Residue b) { return Residue(a.value_ + b.value_); }
  friend constexpr Residue operator-(Residue a, Residue b) {
    return Residue(a.value_ + (kPrime - b.value_));
  }
  friend constexpr Residue operator*(Residue a, Residue b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a.value_) * b.value_;
    return Residue((static_cast<std::uint64_t>(product) & kPrime) +
                   static_cast<std::uint64_t>(product >> 61));
  }
  Residue& operator*=(Residue other) { return *this = *this * other; }
  /// @pre b is not zero
  friend Residue operator/(Residue a, Residue b) {
    return a * power(b, static_cast<long long>(kPrime) - 2);
  }

 private:
  std::uint64_t value_ = 0;
};

/// The residue of a fraction. @pre the prime does not divide its denominator
Residue to_residue(const Rational& value);

}  // namespace speclab
