#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/rational.h"

namespace speclab {

// Comparisons with a threshold that agree in both arithmetics: exact in rationals; in doubles a
// difference that rounding could have caused counts as equal, so that a tie is a tie in both.

/// The sign of a - b; in doubles 0 where they differ by at most 2^-44 of the larger.
template <class Real>
int compare(const Real& a, const Real& b) {
  if constexpr (std::is_same_v<Real, double>) {
    if (std::abs(a - b) <= 0x1p-44 * std::fmax(std::abs(a), std::abs(b))) return 0;
  }
  return a < b ? -1 : (b < a ? 1 : 0);
}

/// One term of a sum of logarithms, weight * ln(argument).
struct LogTerm {
  Rational weight;
  Rational argument;
};

/// The sign of the sum of the terms, computed by powers: with N the common denominator of the
/// weights, the sign of the product of argument^(N weight) minus 1. Empty where the powers would
/// have too many digits. Worked example: ln(1/2) + 1/2 ln 2 + 1/2 ln 2: (1/2)^2 2 2 = 1, so 0.
std::optional<int> sign_of_logarithms(const std::vector<LogTerm>& terms);

/// A sum of weight * ln(argument): an entropy, a divergence, or the difference of two such
/// thresholds. Stored as a double with a bound on its error; in rationals the terms are kept too.
///
/// The bound assumes that a logarithm is right to 4 units in its last place (libm's is to 1).
/// A term whose argument is exactly 1 is exactly 0: the entropy of a one-hot law has no error.
template <class R>
class LogSum {
 public:
  using Real = R;

  /// Adds weight * ln(argument), argument > 0. A weight of 0 adds nothing.
  void add(const Real& weight, const Real& argument) {
    if (weight == 0 || argument == 1) return;
    const double share = to_double(weight);
    const double term = share * std::log(to_double(argument));
    value_ += term;
    // Rounding the argument changes the logarithm by an absolute amount.
    error_ += 0x1p-51 * std::abs(share) + 0x1p-49 * std::abs(term) + 0x1p-51 * std::abs(value_) +
              0x1p-1000;
    if constexpr (std::is_same_v<Real, Rational>) terms_.push_back({weight, argument});
  }

  [[nodiscard]] double value() const { return value_; }
  /// The sum is within value() -+ error().
  [[nodiscard]] double error() const { return error_; }
  /// The terms added, without those that are exactly 0; rationals only.
  [[nodiscard]] const std::vector<LogTerm>& terms() const { return terms_; }

  /// The sign of sum - bound. In rationals it is empty where neither the interval around the double
  /// nor, for a bound of 0, powers decide it. In doubles it is 0 where the interval does not
  /// decide.
  [[nodiscard]] std::optional<int> compare(const Real& bound) const {
    if constexpr (std::is_same_v<Real, Rational>) {
      if (!std::isfinite(value_)) return std::nullopt;
      if (exact(value_) - exact(error_) > bound) return 1;
      if (exact(value_) + exact(error_) < bound) return -1;
      if (terms_.empty()) return speclab::compare(Real(0), bound);
      return bound == 0 ? sign_of_logarithms(terms_) : std::nullopt;
    } else {
      const double gap = value_ - bound;
      if (std::abs(gap) <= error_ + 0x1p-52 * std::abs(bound)) return 0;
      return gap > 0 ? 1 : -1;
    }
  }

 private:
  double value_ = 0;
  double error_ = 0;
  std::vector<LogTerm> terms_;  ///< rationals only
};

/// The place of a comparison, for the message of refuse_threshold.
struct ThresholdPlace {
  std::string_view rule;
  std::uint32_t state;
  std::string_view value;      ///< what is compared, as "the entropy of t"
  std::string_view threshold;  ///< with what, as "theta"
};

/// Refuses a rational answer: the two values are too close, or one is irrational.
/// @throws InputError "RULE: at state S, VALUE = ... against THRESHOLD = ...: ..."
[[noreturn]] void refuse_threshold(const ThresholdPlace& place, double value, double threshold,
                                   std::string_view reason);

/// The sign of sum - bound. Doubles are never refused.
/// @throws InputError (see refuse_threshold)
template <class Real>
int decide(const LogSum<Real>& sum, const Real& bound, const ThresholdPlace& place) {
  const std::optional<int> sign = sum.compare(bound);
  if (!sign) {
    refuse_threshold(place, sum.value(), to_double(bound),
                     "they are too close to be distinguished");
  }
  return *sign;
}

}  // namespace speclab
