#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/plan.h"
#include "simulate/tally.h"

namespace speclab {

/// What one decode counts, and adds to a tally at its end.
struct CountedDecode {
  std::uint64_t tokens = 0;
  std::uint64_t iterations = 0;
  std::uint64_t calls = 0;  ///< of the target
  std::uint64_t rejections = 0;
  std::uint64_t steps = 0;             ///< of the draft
  std::vector<std::uint64_t> reached;  ///< [tau]: iterations that accepted tau tokens; or empty

  /// Before a decode.
  void begin(const Lengths& lengths) {
    tokens = iterations = calls = rejections = steps = 0;
    if (tallies_positions(lengths)) reached.assign(static_cast<std::size_t>(lengths.gamma) + 1, 0);
  }

  void add_to(Tally& tally) const {
    tally.add_decode(tokens, iterations, calls, rejections, steps);
    if (reached.empty()) return;
    const std::size_t gamma = reached.size() - 1;
    if (tally.positions.size() < gamma) {
      tally.positions.resize(gamma);
      tally.positions_times_iterations.resize(gamma);
    }
    std::uint64_t beyond = 0;
    for (std::size_t i = gamma; i > 0; --i) {
      beyond += reached[i];
      tally.positions[i - 1].add(beyond);
      tally.positions_times_iterations[i - 1] += static_cast<WideCount>(beyond) * iterations;
    }
  }
};

}  // namespace speclab
