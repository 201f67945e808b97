#pragma once

#include <memory>

#include "answer/conditional_trials.h"
#include "simulate/engine.h"

namespace speclab {

/// The conditional estimator of one verifier's programs, each handed over as a pointer to its type.
struct ConditionalEntry {
  /// Trials of a program; all arguments outlive the range.
  TrialRange (*make)(const void* program, const Rows<double>& rows, const TrialPlan& plan);
};

template <class Program>
TrialRange conditional_of(const void* program, const Rows<double>& rows, const TrialPlan& plan) {
  auto trials = std::make_shared<ConditionalTrials<Program>>(*static_cast<const Program*>(program),
                                                             rows, plan);
  return [trials](std::uint64_t first, std::uint64_t last, Tally& tally) {
    trials->run(first, last, tally);
  };
}

template <class Program>
inline constexpr ConditionalEntry kConditionalEntry{&conditional_of<Program>};

}  // namespace speclab
