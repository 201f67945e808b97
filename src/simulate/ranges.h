#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "run/runs.h"
#include "simulate/conditional_trials.h"
#include "simulate/token_lanes.h"
#include "simulate/trial.h"

namespace speclab {

struct TokenVerification;

/// `trials`, but token verification side by side where a kernel serves the plan.
template <class T>
TrialRange side_by_side(std::shared_ptr<T> trials, std::shared_ptr<TokenLanes> lanes) {
  return [trials, lanes](std::uint64_t first, std::uint64_t last, Tally& tally) {
    constexpr std::uint64_t kLanes = TokenLanes::kLanes;
    const std::uint64_t from = std::min(last, (first + kLanes - 1) / kLanes * kLanes);
    const std::uint64_t to = std::max(from, last / kLanes * kLanes);
    trials->run(first, from, tally);
    lanes->run(from, to, tally);
    trials->run(to, last, tally);
  };
}

/// A range of trials made of these; all arguments of their constructor outlive it.
template <class AnyTrials>
TrialRange range_of(std::shared_ptr<AnyTrials> trials) {
  return [trials](std::uint64_t first, std::uint64_t last, Tally& tally) {
    trials->run(first, last, tally);
  };
}

/// InlinedRuns::trials of a program's type.
template <class Program>
TrialRange trials_of(const void* program, const Rows<double>& rows, const TrialPlan& plan) {
  auto trials =
      std::make_shared<Trials<Program>>(*static_cast<const Program*>(program), rows, plan);
  if constexpr (std::is_same_v<Program, TokenVerification>) {
    if (const auto lanes = TokenLanes::make(rows, plan)) return side_by_side(trials, lanes);
  }
  return range_of(trials);
}

/// InlinedRuns::conditional of a program's type.
template <class Program>
TrialRange conditional_of(const void* program, const Rows<double>& rows, const TrialPlan& plan) {
  return range_of(std::make_shared<ConditionalTrials<Program>>(
      *static_cast<const Program*>(program), rows, plan));
}

}  // namespace speclab
