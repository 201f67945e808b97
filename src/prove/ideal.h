#pragma once

#include <map>
#include <span>

#include "prove/cell_run.h"
#include "prove/factors.h"
#include "prove/polynomial.h"

namespace speclab {

/// Whether a polynomial is found to be u_1 z_1 + .. + u_n z_n for the `zeros` z_i and polynomials
/// u_i with rational coefficients: then it is zero wherever all of them are. Exact; looks for u_i
/// z_i of at most the degree of the polynomial, and only where such have few coefficients, so that
/// `false` says nothing. Worked example: x y + 1 of the zeros x + y and x^2 - 1: x (x + y) - (x^2 -
/// 1).
bool is_combination(const Polynomial& polynomial, std::span<const Polynomial> zeros);

/// Polynomials of conditions modulo the first equality among these that is monic in a parameter
/// (Polynomial::monic_in): of those that differ from their remainder, which has the same sign
/// wherever the equality holds. Worked example: x^2 > 0 where x^2 - y = 0: y.
std::map<Factor, Polynomial> remainders(std::span<const Condition> conditions,
                                        const Factors& factors);

}  // namespace speclab
