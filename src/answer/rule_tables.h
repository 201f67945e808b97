#pragma once

#include <vector>

#include "base/rational.h"
#include "verifiers/registry.h"

namespace speclab {

/// The verifier `rule` (yin2024 Algorithm 2) of tables that no file holds: a drafted token x is
/// accepted with probability accept[state][x], and a correction has the law correct[state].
/// @pre a row a state of the pair; probabilities; laws that sum to 1, or are all 0 where no token
/// is rejected
Verifier rule_of_tables(std::vector<std::vector<Rational>> accept,
                        std::vector<std::vector<Rational>> correct);

}  // namespace speclab
