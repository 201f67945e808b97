#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/rational.h"

namespace speclab {

/// A row of a sparse matrix: (column, coefficient), columns distinct.
using SparseRow = std::vector<std::pair<std::size_t, Rational>>;

/// Solves a square system `rows` z = `right` exactly; empty where the matrix is singular.
///
/// Gaussian elimination with the pivots of least possible fill-in (Markowitz): the bases of linear
/// programs over trees are triangular except for a small part, and stay sparse.

std::optional<std::vector<Rational>> solve_sparse(std::vector<SparseRow> rows,
                                                  std::vector<Rational> right);

}  // namespace speclab
