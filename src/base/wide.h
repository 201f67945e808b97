#pragma once

#include <cmath>
#include <type_traits>

namespace speclab {

/// A double with a second one below it: about 106 bits, so that a difference of nearly equal sums
/// keeps a double's accuracy. Made of sums and products whose rounding errors are computed exactly
/// (Dekker 1971; Knuth, The Art of Computer Programming 2, 4.2.2). No fused multiplication is used,
/// so every processor gives the same bits.
struct Wide {
  double high = 0;
  double low = 0;

  constexpr Wide() = default;
  constexpr Wide(double value) : high(value) {}  // NOLINT: a double is a Wide
  constexpr Wide(double upper, double lower) : high(upper), low(lower) {}

  [[nodiscard]] double value() const { return high + low; }

  /// upper + lower with |lower| <= |upper|, or upper = 0.
  static Wide joined(double upper, double lower) {
    const double sum = upper + lower;
    return {sum, lower - (sum - upper)};
  }

  /// a + b without an error.
  static Wide sum(double a, double b) {
    const double sum = a + b;
    const double other = sum - a;
    return {sum, (a - (sum - other)) + (b - other)};
  }

  /// a b without an error, but for underflow, and as a plain double where a factor is above 1e290.
  static Wide product(double a, double b) {
    constexpr double kSplit = 0x1p27 + 1;
    constexpr double kMost = 1e290;
    const double product = a * b;
    if (!(std::abs(a) < kMost && std::abs(b) < kMost)) return {product, 0};
    const double scaled_a = kSplit * a;
    const double scaled_b = kSplit * b;
    const double a_high = scaled_a - (scaled_a - a);
    const double b_high = scaled_b - (scaled_b - b);
    const double a_low = a - a_high;
    const double b_low = b - b_high;
    return {product,
            ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
  }

  friend Wide operator-(const Wide& a) { return {-a.high, -a.low}; }
  friend Wide operator+(const Wide& a, const Wide& b) {
    const Wide highs = sum(a.high, b.high);
    const Wide lows = sum(a.low, b.low);
    const Wide first = joined(highs.high, highs.low + lows.high);
    return joined(first.high, first.low + lows.low);
  }
  friend Wide operator-(const Wide& a, const Wide& b) { return a + -b; }
  friend Wide operator*(const Wide& a, const Wide& b) {
    const Wide highs = product(a.high, b.high);
    return joined(highs.high, highs.low + (a.high * b.low + a.low * b.high));
  }
  /// @pre b is not 0
  friend Wide operator/(const Wide& a, const Wide& b) {
    const double first = a.high / b.high;
    const Wide left = a - Wide(first) * b;
    const double second = left.high / b.high;
    const Wide rest = left - Wide(second) * b;
    return joined(first, second) + Wide(rest.high / b.high);
  }
  Wide& operator+=(const Wide& other) { return *this = *this + other; }
  Wide& operator-=(const Wide& other) { return *this = *this - other; }
  Wide& operator*=(const Wide& other) { return *this = *this * other; }

  friend bool operator==(const Wide& a, const Wide& b) {
    return a.high == b.high && a.low == b.low;
  }
  friend bool operator<(const Wide& a, const Wide& b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
  friend bool operator>(const Wide& a, const Wide& b) { return b < a; }
};

/// The type in which differences are accumulated: Wide for doubles, the type itself otherwise.
template <class Real>
using WideOf = std::conditional_t<std::is_same_v<Real, double>, Wide, Real>;

inline double narrow(const Wide& value) { return value.value(); }
template <class Real>
const Real& narrow(const Real& value) {
  return value;
}

}  // namespace speclab
