#pragma once

#include <cmath>

namespace speclab {

/// Compensated (Neumaier) summation for doubles: the error does not grow with the number of terms.
/// Other types are added plainly, which is exact for rationals.
template <class Real>
class Sum {
 public:
  Sum& operator+=(const Real& term) {
    total_ += term;
    return *this;
  }
  [[nodiscard]] Real value() const { return total_; }

 private:
  Real total_{0};
};

template <>
class Sum<double> {
 public:
  Sum& operator+=(double term) {
    const double next = total_ + term;
    carry_ += std::abs(total_) >= std::abs(term) ? (total_ - next) + term : (term - next) + total_;
    total_ = next;
    return *this;
  }
  [[nodiscard]] double value() const { return total_ + carry_; }

 private:
  double total_ = 0;
  double carry_ = 0;
};

/// The sum of a list's numbers.
template <class Numbers>
auto total(const Numbers& numbers) {
  Sum<typename Numbers::value_type> sum;
  for (const auto& number : numbers) sum += number;
  return sum.value();
}

}  // namespace speclab
