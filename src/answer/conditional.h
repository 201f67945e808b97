#pragma once

#include <memory>
#include <string_view>

#include "answer/conditional_trials.h"
#include "simulate/engine.h"
#include "simulate/simulate.h"

namespace speclab {

/// How an iteration's quantities are estimated.
enum class Estimator {
  plain,        ///< drafts and coins are sampled
  conditional,  ///< drafts are sampled, coins enumerated: the same expectation, a smaller variance
};

constexpr std::string_view estimator_name(Estimator estimator) {
  return estimator == Estimator::plain ? "plain" : "conditional";
}

/// run_trials with the estimator that is named. Both give a tally of their own kind, which only
/// estimate() with the same estimator can read.
/// @throws UsageError where the conditional one is asked for more than one full iteration
Tallied run_trials(Estimator estimator, const Verifier& verifier, const Rows<double>& rows,
                   const SimulateRequest& request, const Progress& progress = {});

/// Estimates from such a tally. @pre tally.trials >= 2
Estimates estimate(Estimator estimator, const Tally& tally, const Rows<double>& rows,
                   const SimulateRequest& request);

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
