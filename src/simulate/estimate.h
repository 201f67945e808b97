#pragma once

#include <optional>

#include "model/findings.h"
#include "model/rows.h"
#include "simulate/joint_means.h"
#include "simulate/simulate.h"
#include "simulate/tally.h"

namespace speclab {

/// The time of decodes in which a draft step and a target call take these times, any unit.
struct TimeEstimates {
  Estimate time;     ///< E[draft steps] * step + E[target calls] * call
  Estimate speedup;  ///< E[tokens] * alone / time: over a call of this length for each token
};

/// @param decode  tokens, target calls and draft steps
/// @pre step >= 0 and call >= 0, one of them positive; with alone = 0 the speedup is 0. Where the
/// time is 0 (no call of the target and steps that take no time) the speedup is not finite.
TimeEstimates estimate_time(const JointMeans& decode, double step, double call, double alone);

/// Estimates from a tally: the quantities that the exact results have.
struct Estimates {
  Findings<Estimate> found;
  /// Variance of tau over the variance of what was averaged: 1 for the plain estimator. Nothing
  /// where the estimate has no variance.
  std::optional<double> variance_ratio;
  std::optional<JointMeans> decode;  ///< tokens, target calls and draft steps of decodes
};

/// @pre tally.trials >= 2; the tally is of the request's estimator
Estimates estimate(const Tally& tally, const Rows<double>& rows, const SimulateRequest& request);

/// The estimates of the conditional estimator (simulate/conditional_trials.h).
Estimates conditional_estimates(const Tally& tally, const SimulateRequest& request);

}  // namespace speclab
