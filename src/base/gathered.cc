#include "base/gathered.h"

#include <algorithm>

namespace speclab {

UnreducedSum& UnreducedSum::operator+=(const UnreducedSum& other) {
  if (other.top_.sign() == 0) return *this;
  if (top_.sign() == 0) return *this = other;
  if (bottom_ == other.bottom_) {
    top_ += other.top_;
    return *this;
  }
  Integer common = lcm(bottom_, other.bottom_);
  if (common != bottom_) {
    top_ *= common / bottom_;
    bottom_ = std::move(common);
  }
  top_ += other.top_ * (bottom_ / other.bottom_);
  // Factors that cancel must not pile up: the denominator is at most twice as long as it need be.
  if (bottom_.bits() > 2 * bits_) reduce();
  return *this;
}

void UnreducedSum::reduce() {
  const Integer common = gcd(top_, bottom_);
  top_ /= common;
  bottom_ /= common;
  bits_ = bottom_.bits();
}

void OneDenominator::include(const Rational& value) {
  constexpr std::size_t kTimes = 4;
  constexpr std::size_t kShort = 1024;
  if (!worth_) return;
  const Integer own = denominator(value);
  longest_ = std::max(longest_, own.bits());
  bottom_ = lcm(bottom_, own);
  worth_ = bottom_.bits() <= kTimes * longest_ + kShort;
}

}  // namespace speclab
