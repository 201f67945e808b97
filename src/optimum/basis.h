#pragma once

#include <cstddef>
#include <vector>

#include "optimum/linear_program.h"

namespace speclab {

/// A basic variable: a column of the program, or the slack of a row.
struct Basic {
  bool is_column;
  std::size_t index;
};

/// The basis at which a solver in doubles stopped, as many variables as the program has rows;
/// certify() makes it exact. @throws std::logic_error when the solver finds no optimum
std::vector<Basic> optimal_basis(const LinearProgram& program);

}  // namespace speclab
