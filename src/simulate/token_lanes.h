#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/rows.h"
#include "simulate/plan.h"
#include "simulate/tally.h"

namespace speclab {

/// Token verification of eight trials side by side: an implementation of the generic program for
/// decodes whose draft length reaches the horizon, on pairs of few states. It reads the same words
/// of the same streams and makes the same decisions, so its tallies are the generic ones, bit for
/// bit.
///
/// All trials are at the same position at the same time, and every position takes one draft number
/// and one coin; only corrections are taken at each trial's own pace. Accepted and corrected tokens
/// are both looked up and one is selected, so nothing branches on a coin.
class TokenLanes {
 public:
  static constexpr std::uint64_t kLanes = 8;

  /// Null where the plan or the pair is outside what the kernel serves.
  static std::shared_ptr<const TokenLanes> make(const Rows<double>& rows, const TrialPlan& plan);

  TokenLanes(const Rows<double>& rows, const TrialPlan& plan);

  /// Adds the trials first .. last - 1. @pre both are multiples of kLanes
  void run(std::uint64_t first, std::uint64_t last, Tally& tally) const;

 private:
  struct Lanes;

  void eight(std::uint64_t first, Lanes& lanes, Tally& tally) const;

  const TrialPlan& plan_;
  std::size_t vocabulary_;
  std::vector<AliasTable::Entry> draft_;     ///< [state * V + cell]
  std::vector<AliasTable::Entry> residual_;  ///< [state * V + cell], of [t - d]+
  std::vector<double> ratio_;                ///< [state * V + token], t / d
  std::vector<std::uint32_t> next_;          ///< [state * V + token] -> next state * V
};

}  // namespace speclab
