#pragma once

#include <cstdint>

#include "base/power.h"

namespace speclab {

/// An element of the field of 2^61 - 1 elements, a prime. Everybody knows it: a constant may be
/// chosen that is 0 modulo it, so that it decides nothing but what work is saved. What a proof
/// rests on has random primes (RandomResidue).
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
  /// 0 where b is 0
  friend Residue operator/(Residue a, Residue b) {
    return a * power(b, static_cast<long long>(kPrime) - 2);
  }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace speclab
