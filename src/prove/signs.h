#pragma once

#include <cstdint>

#include "base/rational.h"

namespace speclab {

/// A set of signs, of -, 0 and +.
using Signs = std::uint8_t;
inline constexpr Signs kNegative = 1;
inline constexpr Signs kZero = 2;
inline constexpr Signs kPositive = 4;
inline constexpr Signs kNotPositive = kNegative | kZero;
inline constexpr Signs kNotNegative = kZero | kPositive;
inline constexpr Signs kNonzero = kNegative | kPositive;
inline constexpr Signs kAnySign = kNegative | kZero | kPositive;

constexpr bool within(Signs set, Signs other) { return (set & ~other) == 0; }
constexpr bool single(Signs set) { return set == kNegative || set == kZero || set == kPositive; }

/// The sign of a number, as a set of one.
inline Signs sign_of(const Rational& value) {
  return value < 0 ? kNegative : value > 0 ? kPositive : kZero;
}

// The possible signs of a sum, a product, .. of operands with these signs.

constexpr Signs negated(Signs a) {
  return static_cast<Signs>((a & kZero) | ((a & kNegative) << 2) | ((a & kPositive) >> 2));
}
constexpr Signs sum_signs(Signs a, Signs b) {
  if (a == kZero) return b;
  if (b == kZero) return a;
  const bool up = ((a | b) & kPositive) != 0;
  const bool down = ((a | b) & kNegative) != 0;
  if (up && down) return kAnySign;
  const bool none = (a & kZero) != 0 && (b & kZero) != 0;
  return static_cast<Signs>((up ? kPositive : 0) | (down ? kNegative : 0) | (none ? kZero : 0));
}
constexpr Signs product_signs(Signs a, Signs b) {
  Signs result = (a & kZero) != 0 || (b & kZero) != 0 ? kZero : 0;
  if ((a & kPositive) != 0) result |= static_cast<Signs>(b & kNonzero);
  if ((a & kNegative) != 0) result |= static_cast<Signs>(negated(b) & kNonzero);
  return result;
}

}  // namespace speclab
