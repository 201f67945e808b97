#pragma once

#include <gmp.h>

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace speclab {

/// A whole number of any size: GMP's, with its arithmetic out of line.
class Integer {
 public:
  Integer() noexcept : value_{0, 0, &zero_} {}
  template <std::signed_integral Number>
  Integer(Number value) : Integer() {
    if (value != 0) mpz_init_set_si(&value_, value);
  }
  template <std::unsigned_integral Number>
  Integer(Number value) : Integer() {
    if (value != 0) mpz_init_set_ui(&value_, value);
  }
  /// @param digits  decimal digits, perhaps with a sign @throws InputError for anything else
  explicit Integer(std::string_view digits);
  explicit Integer(const __mpz_struct* value) { mpz_init_set(&value_, value); }
  Integer(const Integer& other) { mpz_init_set(&value_, &other.value_); }
  Integer(Integer&& other) noexcept : Integer() { swap(*this, other); }
  Integer& operator=(const Integer& other);
  Integer& operator=(Integer&& other) noexcept {
    swap(*this, other);
    return *this;
  }
  ~Integer() {
    if (value_._mp_alloc != 0) mpz_clear(&value_);
  }
  friend void swap(Integer& a, Integer& b) noexcept { std::swap(a.value_, b.value_); }

  Integer& operator+=(const Integer& other);
  Integer& operator-=(const Integer& other);
  Integer& operator*=(const Integer& other);
  /// Rounds towards 0. @throws std::overflow_error where `other` is 0
  Integer& operator/=(const Integer& other);
  /// The remainder of that division.
  Integer& operator%=(const Integer& other);
  friend Integer operator+(Integer a, const Integer& b) { return std::move(a += b); }
  friend Integer operator-(Integer a, const Integer& b) { return std::move(a -= b); }
  friend Integer operator*(Integer a, const Integer& b) { return std::move(a *= b); }
  friend Integer operator/(Integer a, const Integer& b) { return std::move(a /= b); }
  friend Integer operator%(Integer a, const Integer& b) { return std::move(a %= b); }
  friend Integer operator-(Integer a) {
    a.value_._mp_size = -a.value_._mp_size;
    return a;
  }
  friend Integer abs(Integer a) { return a.sign() < 0 ? -std::move(a) : a; }
  friend Integer gcd(const Integer& a, const Integer& b);
  friend Integer lcm(const Integer& a, const Integer& b);
  friend Integer pow(const Integer& base, unsigned exponent);

  /// -1, 0 or 1.
  [[nodiscard]] int sign() const { return (value_._mp_size > 0) - (value_._mp_size < 0); }
  /// Binary digits of the absolute value; 0 for 0.
  [[nodiscard]] std::size_t bits() const;
  friend bool operator==(const Integer& a, const Integer& b) {
    return mpz_cmp(&a.value_, &b.value_) == 0;
  }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
    return mpz_cmp(&a.value_, &b.value_) <=> 0;
  }

  /// @pre the value fits
  [[nodiscard]] std::int64_t signed_value() const { return mpz_get_si(&value_); }
  [[nodiscard]] std::uint64_t unsigned_value() const { return mpz_get_ui(&value_); }
  [[nodiscard]] std::string str() const;
  [[nodiscard]] const __mpz_struct* raw() const { return &value_; }

 private:
  static inline mp_limb_t zero_ = 0;  ///< what GMP never reads
  __mpz_struct value_;
};

}  // namespace speclab
