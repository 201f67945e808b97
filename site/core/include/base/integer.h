#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace speclab {

/// The Integer of src/base/integer.h where there is no GMP and `long` has 32 bits: Boost's cpp_int,
/// shared by copies and never changed.
class Integer {
 public:
  struct Big;

  Integer() noexcept = default;
  template <std::integral Number>
  Integer(Number value) {
    if constexpr (std::signed_integral<Number>) {
      set_signed(value);
    } else {
      set_unsigned(value);
    }
  }
  /// @param digits  decimal digits, perhaps with a sign @throws InputError for anything else
  explicit Integer(std::string_view digits);
  explicit Integer(Big value);

  Integer& operator+=(const Integer& other);
  Integer& operator-=(const Integer& other);
  Integer& operator*=(const Integer& other);
  /// Rounds towards 0. @throws std::overflow_error where `other` is 0
  Integer& operator/=(const Integer& other);
  /// The remainder of that division.
  Integer& operator%=(const Integer& other);
  friend Integer operator+(Integer a, const Integer& b) { return a += b; }
  friend Integer operator-(Integer a, const Integer& b) { return a -= b; }
  friend Integer operator*(Integer a, const Integer& b) { return a *= b; }
  friend Integer operator/(Integer a, const Integer& b) { return a /= b; }
  friend Integer operator%(Integer a, const Integer& b) { return a %= b; }
  friend Integer operator-(const Integer& a);
  friend Integer abs(const Integer& a) { return a.sign() < 0 ? -a : a; }
  friend Integer gcd(const Integer& a, const Integer& b);
  friend Integer lcm(const Integer& a, const Integer& b);
  friend Integer pow(const Integer& base, unsigned exponent);

  /// -1, 0 or 1.
  [[nodiscard]] int sign() const;
  /// Binary digits of the absolute value; 0 for 0.
  [[nodiscard]] std::size_t bits() const;
  friend bool operator==(const Integer& a, const Integer& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b);

  /// @pre the value fits
  [[nodiscard]] std::int64_t signed_value() const;
  [[nodiscard]] std::uint64_t unsigned_value() const;
  [[nodiscard]] std::string str() const;
  [[nodiscard]] const Big& big() const;

 private:
  void set_signed(std::int64_t value);
  void set_unsigned(std::uint64_t value);

  std::shared_ptr<const Big> value_;  ///< null: 0
};

Integer gcd(const Integer& a, const Integer& b);
Integer lcm(const Integer& a, const Integer& b);
Integer pow(const Integer& base, unsigned exponent);

}  // namespace speclab
