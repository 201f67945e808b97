#pragma once

#include <cstdint>
#include <limits>

namespace speclab {

/// A token, 0-based.
using Token = std::int32_t;

/// A state of a pair's automaton, 0-based (see model/pair.h).
using State = std::uint32_t;

/// The outcome of a draw from a law of zero total weight (a 0/0 in a printed algorithm).
inline constexpr Token kUndefined = -1;

/// An unbounded draft length or horizon ("inf").
inline constexpr int kUnbounded = std::numeric_limits<int>::max();

}  // namespace speclab
