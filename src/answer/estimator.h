#pragma once

#include <string_view>

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

/// Estimates from such a tally.
/// @pre tally.trials >= 2
Estimates estimate(Estimator estimator, const Tally& tally, const Rows<double>& rows,
                   const SimulateRequest& request);

}  // namespace speclab
