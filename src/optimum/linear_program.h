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
/// these rows by s raises every column's worth and the bound by s. A program of another kind has no
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

/// What is proved of a program's optimum, in exact arithmetic.
struct Certificate {
  std::vector<Rational> prices;  ///< y with A^T y >= reward: the proof of `bound`
  Rational bound;                ///< total . y: no feasible x is worth more
  Rational raised;               ///< by how much the basis's prices had to be raised; 0 as a rule
  std::optional<Rational> attained;  ///< worth of a feasible x, where the basis gives one
  std::vector<Rational> point;       ///< that x, by column; empty where there is none
};

/// An optimum in doubles, for what is confirmed in another way.
struct NearOptimum {
  double worth = 0;
  std::vector<double> point;  ///< by column
};

/// @throws std::logic_error when Clp finds no optimum
NearOptimum solve_near(const LinearProgram& program);

/// Solves the program with Clp in doubles, takes the optimal basis, solves for its prices and its
/// primal point exactly, goes on with the dual simplex method in exact arithmetic where rounding
/// stopped short, and checks both. The bound is a proof whatever Clp did.
/// @throws std::logic_error when Clp finds no optimum (the program is infeasible or unbounded)
Certificate certify(const LinearProgram& program);

}  // namespace speclab
