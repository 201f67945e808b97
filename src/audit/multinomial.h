#pragma once

#include <cstdint>
#include <span>

#include "base/random.h"

namespace speclab {

/// Counts of n independent draws: counts[i] of those of probability law[i]. Where the law sums to
/// less than 1, the rest of the draws is counted nowhere.
/// @pre counts is as long as law; law has no negative entry and sums to 1 at most
void draw_counts(Stream& stream, std::uint64_t n, std::span<const double> law,
                 std::span<std::uint64_t> counts);

}  // namespace speclab
