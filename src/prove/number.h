#pragma once

#include <concepts>

#include "base/rational.h"
#include "base/threshold.h"
#include "prove/cell_run.h"

namespace speclab {

/// The arithmetic of the prover: a rational function of a pair's probabilities, which decides
/// comparisons at the sample of this thread's current run and records them. For
/// use where a verifier's program and the views of a pair take a Real.
class Number {
 public:
  Number() = default;
  template <std::integral Whole>
  Number(Whole value) : Number(Rational(value)) {}  // as 1 - w in a program
  explicit Number(const Rational& value);
  /// @throws InputError: a program that rounds proves nothing about all pairs
  explicit Number(double);
  static Number of(Function function) {
    Number result;
    result.function_ = function;
    return result;
  }

  [[nodiscard]] Function function() const { return function_; }

  friend Number operator+(Number a, Number b);
  friend Number operator-(Number a, Number b);
  friend Number operator*(Number a, Number b);
  friend Number operator/(Number a, Number b);
  Number operator-() const;
  Number& operator+=(Number other) { return *this = *this + other; }
  Number& operator-=(Number other) { return *this = *this - other; }
  Number& operator*=(Number other) { return *this = *this * other; }
  Number& operator/=(Number other) { return *this = *this / other; }

  friend bool operator<(Number a, Number b);
  friend bool operator>(Number a, Number b) { return b < a; }
  friend bool operator<=(Number a, Number b) { return !(b < a); }
  friend bool operator>=(Number a, Number b) { return !(a < b); }
  friend bool operator==(Number a, Number b);

 private:
  Function function_ = Functions::kZeroFunction;
};

/// Makes a run the current one of this thread for its lifetime.
class CurrentRun {
 public:
  explicit CurrentRun(CellRun& run);
  ~CurrentRun();
  CurrentRun(const CurrentRun&) = delete;
  CurrentRun& operator=(const CurrentRun&) = delete;

 private:
  CellRun* before_;
};
CellRun& current_run();

/// @throws InputError: see Number(double)
double to_double(const Number& value);

template <>
inline Number from_rational<Number>(const Rational& value) {
  return Number(value);
}

/// max(value, 0): compared with 0 once, as both results agree at 0.
template <>
Number positive_part<Number>(const Number& value);
/// min(value, 1): likewise.
template <>
Number min_one<Number>(const Number& value);

/// Logarithms of probabilities are not rational functions: refused.
template <>
class LogSum<Number> {
 public:
  /// @throws InputError: see Number(double)
  template <class Weight, class Argument>
  void add(const Weight&, const Argument&) {
    refuse();
  }
  [[nodiscard]] double value() const { return 0; }
  [[nodiscard]] double error() const { return 0; }
  [[nodiscard]] std::vector<LogTerm> terms() const { return {}; }
  [[nodiscard]] std::optional<int> compare(const Number&) const { return 0; }

 private:
  [[noreturn]] static void refuse();
};

}  // namespace speclab
