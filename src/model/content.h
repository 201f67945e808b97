#pragma once

#include <cstdint>

#include "model/pair.h"

namespace speclab {

/// A fixed 64-bit digest of a pair's content, independent of its name: of the automaton reachable
/// from its prompts, with states numbered in search order, both rows as doubles, the prompts' law,
/// the end-of-sequence token and the number of positions. `bernoulli(draft=2/3,target=1/3)`,
/// `iid(draft=[1/3,2/3],...)` and a file with the same laws, under any path, have the same digest.
///
/// Of a large automaton only the first kMostContentCells (state, token) pairs are read, and the
/// digests of the pair's files represent the rest. Two pairs with the same digest share their
/// random draws, which biases neither.
inline constexpr std::size_t kMostContentCells = std::size_t{1} << 20;
std::uint64_t content_digest(const Pair& pair);

}  // namespace speclab
