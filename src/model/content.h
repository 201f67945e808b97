#pragma once

#include <cstdint>

#include "model/pair.h"

namespace speclab {

/// A fixed 64-bit digest of what a pair is, whatever it is called: of the automaton that can be
/// reached from its prompts, its states numbered in the order in which a search finds them, with
/// both rows as doubles, the prompts' law, the end-of-sequence token and the number of positions.
/// `bernoulli(draft=2/3,target=1/3)`, `iid(draft=[1/3,2/3],...)` and a file of the same laws have
/// the same digest; so has a file under another path.
///
/// Of a large automaton the first kMostContentCells (state, token) pairs are read, and the digests
/// of the pair's files stand for the rest. Two pairs of one digest share their random draws, which
/// harms neither.
inline constexpr std::size_t kMostContentCells = std::size_t{1} << 20;
std::uint64_t content_digest(const Pair& pair);

}  // namespace speclab
