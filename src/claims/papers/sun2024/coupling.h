#pragma once

#include <string_view>
#include <vector>

#include "claims/engine/compared.h"
#include "claims/engine/paths.h"

namespace speclab {

/// A pair of blocks X^gamma, Y^gamma and its probability.
struct CoupledBlocks {
  TokenPath draft;
  TokenPath output;
  Rational mass;
};

/// The coupling that a verifier makes of X^gamma ~ D^gamma with Y^gamma = (X^tau, Y, Z), Z plain
/// target tokens, from a start. A pair of blocks may have several parts.
std::vector<CoupledBlocks> made_coupling(std::string_view verifier, const Instance& instance,
                                         State start);

/// Both margins of that coupling, block by block, against D^gamma and T^gamma.
void compare_margins(Comparisons& says, std::string_view verifier, const Instance& instance,
                     State start);

}  // namespace speclab
