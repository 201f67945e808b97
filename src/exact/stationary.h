#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/rational.h"

namespace speclab {

/// A finite Markov chain: moves[i] are the successors of i, each once, with their positive
/// probabilities, which sum to 1.
template <class Real>
using Moves = std::vector<std::vector<std::pair<std::size_t, Real>>>;

/// What becomes of a chain in the end: its recurrent classes, each closed and strongly connected,
/// in the order of their least members, and the states that are left for good.
struct Recurrence {
  std::vector<std::vector<std::size_t>> classes;
  std::vector<std::size_t> transient;
};

/// @param successors  of each state
Recurrence recurrence(const std::vector<std::vector<std::size_t>>& successors);

/// The stationary law of a recurrent class, in the order of its members. In fractions by Gauss's
/// elimination, O(n^3); in doubles by a sparse LU factorisation.
/// @throws Error where the factorisation fails or its solution is not stationary to 1e-9
template <class Real>
std::vector<Real> stationary_law(const Moves<Real>& moves, std::span<const std::size_t> members);

/// The probability of ending in each recurrent class, from the law `start` over all states.
template <class Real>
std::vector<Real> absorption(const Moves<Real>& moves, const Recurrence& recurrence,
                             const std::vector<Real>& start);

}  // namespace speclab
