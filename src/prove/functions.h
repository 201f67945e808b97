#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "prove/factors.h"
#include "prove/random_residue.h"

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
/// functions are distinguished by their values at kPoints random points, each of a field of its own
/// (see RandomResidue): equal ones always agree, different ones with total probability at most
/// error_bound(), whatever their constants are. For N / D and N' / D' agree at a point where
/// N D' - N' D is zero there, a polynomial other than 0 that was fixed before primes and points
/// were drawn, and whose degree and coefficients are bounded.
class Functions {
 public:
  static constexpr std::size_t kPoints = RandomResidue::kFields;
  static constexpr Function kZeroFunction = 0;
  static constexpr Function kOneFunction = 1;
  using Values = std::array<RandomResidue, kPoints>;

  explicit Functions(std::size_t parameters);

  /// @throws std::domain_error here and below, where a denominator is 0 at a random point
  Function constant(const Rational& value);
  Function parameter(std::size_t index);
  Function combine(Operation operation, Function a, Function b);

  /// The factored function, computed on first use.
  const Factored& factored(Function function);
  /// The values of a function, and of a parameter, at the points.
  [[nodiscard]] const Values& values(Function function) const { return at(function).values; }
  [[nodiscard]] const Values& point(std::size_t parameter) const { return points_[parameter]; }
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

  /// The probability that any two different functions were identified: at most n^2/2 pairs, with
  /// the largest bounds on numerators and denominators for all.
  [[nodiscard]] double error_bound() const;

 private:
  /// Bounds on a polynomial: its degree, and the binary logarithm of the sum of the sizes of its
  /// coefficients, or 0.
  struct Height {
    double degree = 0;
    double bits = 0;
  };
  static Height sum(const Height& a, const Height& b);
  static Height product(const Height& a, const Height& b) {
    return {a.degree + b.degree, a.bits + b.bits};
  }
  struct Entry {
    Values values;
    std::optional<Origin> origin;
    Height above;  ///< of the numerator, as it was made
    Height below;  ///< of the denominator
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
  Height largest_;  ///< of all numerators and denominators
};

}  // namespace speclab
