#pragma once

#include <algorithm>
#include <cstdint>

#include "simulate/round_size.h"

namespace speclab {

/// How many trials to hand out next: what takes a rank about a quarter of a second, and towards the
/// end less and less, so that all ranks end together; but no less than takes far longer than to
/// hand it out.
class Portions {
 public:
  explicit Portions(int ranks) : ranks_(static_cast<std::uint64_t>(ranks)) {}

  /// @returns 1 to `left` where any is left, else 0
  [[nodiscard]] std::uint64_t next(std::uint64_t left) const {
    constexpr std::uint64_t kLeastShare = 16;
    const std::uint64_t full = size_.trials();
    const std::uint64_t even = left / (2 * ranks_) / kBatchTrials * kBatchTrials;
    const std::uint64_t least = std::max(kBatchTrials, full / kLeastShare);
    return std::min(left, std::clamp(even, least, full));
  }
  void took(std::uint64_t trials, double seconds) { size_.adapt(trials, seconds); }

 private:
  std::uint64_t ranks_;
  RoundSize size_{1};
};

}  // namespace speclab
