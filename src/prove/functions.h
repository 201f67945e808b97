#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "prove/factors.h"
#include "prove/residue.h"

namespace speclab {

/// A rational function of the parameters: a number in a table of functions.
using Function = std::int32_t;

enum class Operation : std::uint8_t { plus, minus, times, over };

/// The operation on numbers. @pre a divisor is not 0
template <class Value>
Value applied(Operation operation, const Value& a, const Value& b) {
  return operation == Operation::plus    ? a + b
         : operation == Operation::minus ? a - b
         : operation == Operation::times ? a * b
                                         : a / b;
}

/// The rational functions that occur, each identified by one number however it was made. Two
/// functions are distinguished by their values at kPoints random points of a field (see Residue):
/// equal ones always agree, different ones with total probability at most error_bound().
class Functions {
 public:
  static constexpr std::size_t kPoints = 3;
  static constexpr Function kZeroFunction = 0;
  static constexpr Function kOneFunction = 1;

  /// @param seed  of the points
  Functions(std::size_t parameters, std::uint64_t seed);

  Function constant(const Rational& value);
  Function parameter(std::size_t index);
  Function combine(Operation operation, Function a, Function b);

  /// The factored function, computed on first use.
  const Factored& factored(Function function);
  /// The value of a constant that was made by constant(), and of no other function.
  [[nodiscard]] const std::optional<Rational>& value(Function function) const {
    return at(function).value;
  }
  /// How a function was first made, and from what; empty for a constant or a parameter.
  struct Origin {
    Operation operation;
    Function a;
    Function b;
  };
  [[nodiscard]] std::optional<Origin> origin(Function function) const;

  Factors& factors() { return factors_; }
  [[nodiscard]] const Factors& factors() const { return factors_; }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// The probability that any two different functions were identified: at most n^2/2 pairs, each
  /// agreeing at one point with probability degree / 2^61, with the largest bound on a degree
  /// for all.
  [[nodiscard]] double error_bound() const;

 private:
  using Values = std::array<Residue, kPoints>;
  struct Entry {
    Values values;
    std::optional<Origin> origin;
    std::optional<Rational> value;
    double above = 0;  ///< bounds on the degrees of numerator and denominator
    double below = 0;
    std::optional<Factored> factored;
  };
  struct HashValues {
    std::size_t operator()(const Values& values) const {
      return static_cast<std::size_t>(values[0].value() * 0x9e3779b97f4a7c15U ^ values[1].value());
    }
  };
  [[nodiscard]] const Entry& at(Function f) const { return entries_[static_cast<std::size_t>(f)]; }
  Function enter(Entry entry);
  /// @pre both operands are factored
  Factored combined(const Origin& origin);

  std::size_t parameters_;
  std::vector<Values> points_;  ///< of each parameter
  std::vector<Entry> entries_;
  std::unordered_map<Values, Function, HashValues> known_;
  std::unordered_map<std::uint64_t, Function> made_;  ///< by operation and operands
  Factors factors_;
  double largest_degree_ = 1;
};

}  // namespace speclab
