#pragma once

#include <span>
#include <vector>

#include "prove/theorem.h"

namespace speclab {

/// The conditions of both, in order.
Conditions joined(Conditions first, std::span<const Condition> then);

/// One condition per polynomial, with the signs that all conditions allow.
Conditions merged(std::span<const Condition> conditions);

/// Conditions in the numbers of another table.
Conditions renumbered(std::span<const Condition> conditions, const Factors& from, Factors& to);

/// The conditions of all pairs: the laws' and, where an order of the tokens is assumed, the
/// order's. As the first entries of a table they have the same numbers in each.
Conditions conditions_of_all(const AllPairs& family, bool ordered, Factors& factors);

/// The tables of the runs on one branch. They hold the branch's conditions, in order, and what its
/// own runs make, nothing else. How polynomials are factored, and so what a run compares, depends
/// on the table: with tables of its own a run depends on the theorem, the branch and the results of
/// its comparisons alone, and a certificate can repeat it.
struct Branch {
  /// @param from  the table of `conditions`
  Branch(const AllPairs& family, bool ordered, std::span<const Condition> conditions,
         const Factors& from);

  Functions functions;
  Conditions always;  ///< conditions_of_all
  Conditions known;   ///< these and the branch's
};

/// The conditions, besides those of the cell, under which a goal fails there: all factors of the
/// difference are nonzero, and for an inequality those of odd exponents have the wrong sign
/// together. Empty where an inequality holds whatever the signs are.
Conditions failing_conditions(const Goal& goal, Functions& functions);

}  // namespace speclab
