#pragma once

#include <gmp.h>

#include <compare>
#include <concepts>
#include <utility>

namespace speclab {

class Integer;

/// An exact rational number, always in lowest terms: GMP's, with its arithmetic out of line.
class Rational {
 public:
  Rational() noexcept : Rational(Small::zero) {}
  template <std::integral Number>
  Rational(Number value) : Rational(value == 0 ? Small::zero : Small::one) {
    if (value != 0 && value != 1) set(value);
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
  Rational(const Rational& other) : value_(other.value_) {
    if (other.allocated()) copy(other);
  }
  Rational(Rational&& other) noexcept : Rational() { swap(*this, other); }
  Rational& operator=(const Rational& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    swap(*this, other);
    return *this;
  }
  ~Rational() {
    if (allocated()) free();
  }
  friend void swap(Rational& a, Rational& b) noexcept { std::swap(a.value_, b.value_); }

  Rational& operator+=(const Rational& other);
  Rational& operator-=(const Rational& other);
  Rational& operator*=(const Rational& other);
  /// @throws std::overflow_error where `other` is 0
  Rational& operator/=(const Rational& other);
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator+(Rational&& a, const Rational& b) { return std::move(a += b); }
  friend Rational operator-(Rational&& a, const Rational& b) { return std::move(a -= b); }
  friend Rational operator*(Rational&& a, const Rational& b) { return std::move(a *= b); }
  friend Rational operator/(Rational&& a, const Rational& b) { return std::move(a /= b); }
  friend Rational operator-(Rational a) {
    a.value_._mp_num._mp_size = -a.value_._mp_num._mp_size;
    return a;
  }
  friend Rational abs(Rational a) { return a.sign() < 0 ? -std::move(a) : a; }

  /// -1, 0 or 1.
  [[nodiscard]] int sign() const {
    return (value_._mp_num._mp_size > 0) - (value_._mp_num._mp_size < 0);
  }
  explicit operator bool() const { return sign() != 0; }
  friend bool operator==(const Rational& a, const Rational& b);
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);
  template <std::integral Number>
  friend bool operator==(const Rational& a, Number b) {
    return b == 0 ? a.sign() == 0 : a == Rational(b);
  }
  template <std::integral Number>
  friend std::strong_ordering operator<=>(const Rational& a, Number b) {
    return b == 0 ? a.sign() <=> 0 : a <=> Rational(b);
  }

  friend Integer numerator(const Rational& value);
  friend Integer denominator(const Rational& value);

  [[nodiscard]] const __mpq_struct* raw() const { return &value_; }
  __mpq_struct* raw() { return &value_; }

 private:
  /// Numbers that need no memory of their own: both parts are limbs that all of them share.
  enum class Small : bool { zero, one };
  explicit Rational(Small value) noexcept
      : value_{{0, value == Small::one ? 1 : 0, const_cast<mp_limb_t*>(&kOne)},
               {0, 1, const_cast<mp_limb_t*>(&kOne)}} {}

  [[nodiscard]] bool allocated() const {
    return (value_._mp_num._mp_alloc | value_._mp_den._mp_alloc) != 0;
  }
  template <std::integral Number>
  void set(Number value) {
    if constexpr (std::signed_integral<Number>) {
      set_signed(value);
    } else {
      set_unsigned(value);
    }
  }
  void set_signed(long value);
  void set_unsigned(unsigned long value);
  void copy(const Rational& other);
  void assign(const Rational& other);
  void free() noexcept;

  /// GMP never writes to a part for which nothing is allocated.
  static constexpr mp_limb_t kOne = 1;
  __mpq_struct value_;
};

}  // namespace speclab
