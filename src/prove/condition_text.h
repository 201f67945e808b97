#pragma once

#include <span>
#include <string>

#include "prove/family.h"

namespace speclab {

/// "2*draft[0]*target[0] - 1 >= 0", in the family's names of its parameters.
std::string condition_text(const AllPairs& family, const Factors& factors,
                           const Condition& condition);
/// Reads one back; the polynomial is entered into the table.
/// @throws InputError naming the text
Condition parse_condition(const AllPairs& family, Factors& factors, const std::string& text);

/// The question whether a pair meets all conditions, as a script of SMT-LIB 2.6 that ends with
/// check-sat: one assertion a condition, "(assert (>= (+ (* 2 |draft[0]| |target[0]|) (- 1)) 0))".
std::string smt_query(const AllPairs& family, const Factors& factors,
                      std::span<const Condition> conditions);

}  // namespace speclab
