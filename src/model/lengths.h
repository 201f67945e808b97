#pragma once

#include <optional>

#include "base/types.h"
#include "model/pair.h"

namespace speclab {

/// The largest draft length, horizon and number of iterations accepted.
inline constexpr int kLargestLength = 1'000'000;

/// The lengths of drafts, decodes and runs of iterations: the part of a question that every room
/// reads.
struct Lengths {
  int gamma = 1;               ///< draft length >= 1, or kUnbounded: up to the horizon
  std::optional<int> horizon;  ///< T >= 1: requests whole decodes of T tokens
  int iterations = 0;          ///< N(1), ..., N(iterations) are requested
  bool operator==(const Lengths&) const = default;
};

/// Refuses lengths that the pair cannot serve: an unbounded draft without an end, iterations of an
/// unbounded draft, positions past the pair's end, a draft over the pair's longest.
/// @throws InputError or UsageError with the numbers and what to change
void check_lengths(const Pair& pair, const Lengths& lengths);

}  // namespace speclab
