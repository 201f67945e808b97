#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/families/automaton.h"

namespace speclab {

/// The result of a search: the first pair that violates a statement, if any, and the number of
/// pairs tried.
struct HalfSearch {
  std::optional<std::vector<AutomatonState>> found;
  std::uint64_t tried = 0;
};

/// Of what a valid verifier may have more than block verification has.
enum class HalfQuantity {
  mean,   ///< E[N(i)]
  tails,  ///< P(N(i) >= n) for some n
};

/// Searches the pairs of two tokens, at most `contexts` contexts and probabilities 0, 1/2 and 1, in
/// the order of enumerate_pairs, for one on which block verification has less than the most, at
/// gamma and i = `iterations`.
///
/// It computes what PlugAndPlay computes, in arrays and in doubles, which are exact here: every
/// number is a fraction of few binary digits. The 34,432,128 pairs of four contexts take half a
/// minute.
/// @pre contexts <= 6, 1 <= gamma <= 2, iterations <= 3
/// @throws Error when interrupted
HalfSearch search_halves(HalfQuantity quantity, int contexts, int gamma, int iterations);

}  // namespace speclab
