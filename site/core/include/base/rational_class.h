#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace speclab {

class Integer;

/// The Rational of src/base/rational_class.h where there is no GMP and `long` has 32 bits: two
/// words where these are enough, else Boost's cpp_int.
class Rational {
 public:
  Rational() noexcept = default;
  template <std::integral Number>
  Rational(Number value) {
    if (std::in_range<std::int64_t>(value) && static_cast<std::int64_t>(value) > -kMost &&
        static_cast<std::int64_t>(value) < kMost) {
      top_ = static_cast<std::int64_t>(value);
    } else if constexpr (std::signed_integral<Number>) {
      set_signed(value);
    } else {
      set_unsigned(value);
    }
  }
  /// @throws std::overflow_error where the denominator is 0
  template <std::integral Top, std::integral Bottom>
  Rational(Top numerator, Bottom denominator) : Rational(numerator) {
    *this /= Rational(denominator);
  }
  /// The exact value. @pre finite
  explicit Rational(double value);
  Rational(const Integer& value);
  Rational(const Integer& numerator, const Integer& denominator);
  friend void swap(Rational& a, Rational& b) noexcept { std::swap(a, b); }

  Rational& operator+=(const Rational& other) { return *this = *this + other; }
  Rational& operator-=(const Rational& other) { return *this = *this - other; }
  Rational& operator*=(const Rational& other) { return *this = *this * other; }
  /// @throws std::overflow_error where `other` is 0
  Rational& operator/=(const Rational& other) { return *this = *this / other; }
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a) { return Rational() - a; }
  friend Rational abs(Rational a) { return a.sign() < 0 ? -a : a; }

  /// -1, 0 or 1.
  [[nodiscard]] int sign() const;
  explicit operator bool() const { return sign() != 0; }
  friend bool operator==(const Rational& a, const Rational& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);
  template <std::integral Number>
  friend bool operator==(const Rational& a, Number b) {
    return a == Rational(b);
  }
  template <std::integral Number>
  friend std::strong_ordering operator<=>(const Rational& a, Number b) {
    return b == 0 ? a.sign() <=> 0 : a <=> Rational(b);
  }

  friend Integer numerator(const Rational& value);
  friend Integer denominator(const Rational& value);

  /// Bytes that it takes besides its own.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Big;
  static constexpr std::int64_t kMost = std::int64_t{1} << 62;  ///< words are below it
  explicit Rational(const Big& value);
  static Rational made(const Big& a, const Big& b, char operation);
  [[nodiscard]] Big big() const;
  void set_signed(std::int64_t value);
  void set_unsigned(std::uint64_t value);

  std::int64_t top_ = 0, bottom_ = 1;  ///< in lowest terms, where there is no `big_`
  std::shared_ptr<const Big> big_;
};

Rational operator+(const Rational& a, const Rational& b);
Rational operator-(const Rational& a, const Rational& b);
Rational operator*(const Rational& a, const Rational& b);
Rational operator/(const Rational& a, const Rational& b);

}  // namespace speclab
