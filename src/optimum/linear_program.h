#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/rational.h"

namespace speclab {

/// A linear program over laws: maximise sum_j reward_j x_j subject to A x = total, x >= 0.
///
/// The first `law_rows` rows are a law of the input: every column has entry 1 in exactly one of
/// them, and their totals sum to 1. So x itself is a probability law, and raising the prices of
/// these rows by s raises every column's value and the bound by s. A program of another kind has no
/// such rows, and its bound is a proof only where `raised` is 0.
struct LinearProgram {
  struct Column {
    Rational reward;
    std::vector<std::pair<std::size_t, Rational>> entries;  ///< (row, coefficient), rows distinct
  };
  std::size_t law_rows = 0;
  std::vector<Rational> totals;
  std::vector<Column> columns;
};

/// A proof about a program's optimum, in exact arithmetic.
struct Certificate {
  std::vector<Rational> prices;      ///< y with A^T y >= reward: the proof of `bound`
  Rational bound;                    ///< total . y: no feasible x has a larger value
  Rational raised;                   ///< amount by which the basis's prices were raised; usually 0
  std::optional<Rational> attained;  ///< value of a feasible x, where the basis gives one
  std::vector<Rational> point;       ///< that x, by column; empty where there is none
};

/// An optimum in doubles, to be confirmed independently.
struct NearOptimum {
  double worth = 0;
  std::vector<double> point;  ///< by column
};

/// @throws std::logic_error when Clp finds no optimum
NearOptimum solve_near(const LinearProgram& program);

/// Solves the program with Clp in doubles, takes the optimal basis, solves for its prices and its
/// primal point exactly, continues with the dual simplex method in exact arithmetic where rounding
/// stopped early, and checks both. The bound is proved whatever Clp returned.
/// @throws std::logic_error when Clp finds no optimum (the program is infeasible or unbounded)
Certificate certify(const LinearProgram& program);

}  // namespace speclab
