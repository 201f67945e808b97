#pragma once

#include <algorithm>
#include <cstdint>

#include "simulate/plan.h"

namespace speclab {

/// How many trials to take at a time, grown so that they take about a quarter of a second: often
/// enough for progress and interruption, rarely enough to cost nothing. It does not touch the
/// results.
class RoundSize {
 public:
  explicit RoundSize(int threads)
      : trials_(2 * kBatchTrials * static_cast<std::uint64_t>(threads)) {}
  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  /// @param seconds  that `trials` took
  void adapt(std::uint64_t trials, double seconds) {
    constexpr double kAim = 0.25;
    const double factor = std::clamp(kAim / std::max(seconds, 1e-6), 0.25, 8.0);
    const auto wanted = static_cast<std::uint64_t>(static_cast<double>(trials) * factor);
    trials_ = std::max(kBatchTrials, wanted / kBatchTrials * kBatchTrials);
  }

 private:
  std::uint64_t trials_;
};

}  // namespace speclab
