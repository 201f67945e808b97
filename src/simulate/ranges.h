#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "run/runs.h"
#include "simulate/block_lanes.h"
#include "simulate/conditional_trials.h"
#include "simulate/trial.h"
#include "verifiers/chain/block.h"

namespace speclab {

/// A range of trials made of these; all arguments of their constructor outlive it.
template <class AnyTrials>
TrialRange range_of(std::shared_ptr<AnyTrials> trials) {
  return [trials](std::uint64_t first, std::uint64_t last, Tally& tally) {
    trials->run(first, last, tally);
  };
}

/// InlinedRuns::trials of a program's type. Those of block run side by side where the plan allows.
template <class Program>
TrialRange trials_of(const void* program, const Rows<double>& rows, const TrialPlan& plan) {
  if constexpr (std::is_same_v<Program, BlockVerification>) {
    if (TrialRange lanes = block_lanes(rows, plan)) return lanes;
  }
  return range_of(
      std::make_shared<Trials<Program>>(*static_cast<const Program*>(program), rows, plan));
}

/// InlinedRuns::conditional of a program's type.
template <class Program>
TrialRange conditional_of(const void* program, const Rows<double>& rows, const TrialPlan& plan) {
  return range_of(std::make_shared<ConditionalTrials<Program>>(
      *static_cast<const Program*>(program), rows, plan));
}

}  // namespace speclab
