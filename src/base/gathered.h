#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/integer.h"
#include "base/rational.h"

namespace speclab {

/// A sum of many fractions, not in lowest terms while it is added up: a term whose denominator
/// divides that of the sum takes no greatest common divisor, which is where fractions of many
/// digits take their time.
class UnreducedSum {
 public:
  UnreducedSum(long value = 0) : UnreducedSum(Integer(value)) {}
  UnreducedSum(const Rational& value) : UnreducedSum(numerator(value), denominator(value)) {}
  /// top / bottom. @pre bottom > 0
  explicit UnreducedSum(Integer top, Integer bottom = Integer(1L))
      : top_(std::move(top)), bottom_(std::move(bottom)), bits_(bottom_.bits()) {}

  UnreducedSum& operator+=(const UnreducedSum& other);
  friend UnreducedSum operator*(const UnreducedSum& a, const UnreducedSum& b) {
    return UnreducedSum(a.top_ * b.top_, a.bottom_ * b.bottom_);
  }
  [[nodiscard]] Rational reduced() const { return {top_, bottom_}; }

 private:
  void reduce();

  Integer top_;
  Integer bottom_;
  std::size_t bits_;  ///< of the denominator when it was last in lowest terms, or new
};

/// Where numbers of this arithmetic are added up: doubles plainly.
template <class Real>
using Gathered = std::conditional_t<std::is_same_v<Real, double>, double, UnreducedSum>;

inline Rational reduced(const UnreducedSum& value) { return value.reduced(); }
/// What has no other form.
template <class Number>
const Number& reduced(const Number& value) {
  return value;
}

/// Fractions as whole numbers over one denominator.
class OneDenominator {
 public:
  /// One more fraction to be written over it.
  void include(const Rational& value);

  /// Whether the denominator is about as long as the longest of those included. Where every
  /// fraction has factors of its own, as in a tree of contexts, whole numbers would be far longer
  /// than the fractions are.
  [[nodiscard]] bool worth() const { return worth_; }

  [[nodiscard]] const Integer& bottom() const { return bottom_; }
  /// @pre worth(), and `value` was included
  [[nodiscard]] Integer top(const Rational& value) const {
    return numerator(value) * (bottom_ / denominator(value));
  }

 private:
  Integer bottom_{1L};
  std::size_t longest_ = 0;  ///< bits of one denominator
  bool worth_ = true;
};

}  // namespace speclab
