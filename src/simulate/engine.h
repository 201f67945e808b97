#pragma once

#include <cstdint>
#include <functional>

#include "run/runs.h"
#include "simulate/plan.h"
#include "simulate/simulate.h"

namespace speclab {

/// The plan of a request's trials. Their streams are keyed by the seed and the pair's content
/// alone: verifiers, lengths and estimators of one pair share their draws.
/// @throws what check_lengths throws.
TrialPlan make_plan(const Rows<double>& rows, const SimulateRequest& request);

/// The trials of the conditional estimator (simulate/conditional_trials.h) of a prepared verifier;
/// all arguments outlive the range.
TrialRange conditional_trials(const Verifier& verifier, const Rows<double>& rows,
                              const TrialPlan& plan);

/// Runs the request's trials in rounds on its threads, each thread with a range of its own from
/// `make`. What run_trials promises holds where a range's tally depends on its trials only.
Tallied run_rounds(const std::function<TrialRange()>& make, const Rows<double>& rows,
                   const SimulateRequest& request, const Progress& progress);

}  // namespace speclab
