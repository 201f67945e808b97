#pragma once

#include "simulate/plan.h"
#include "simulate/simulate.h"

namespace speclab {

/// The plan of a request's trials. Their streams are keyed by the seed and the pair's content
/// alone: verifiers, lengths and estimators of one pair share their draws.
/// @throws what check_lengths throws.
TrialPlan make_plan(const Rows<double>& rows, const SimulateRequest& request);

/// Whether a decode's output has the target's law: what a plugin says of itself is not relied on.
bool follows_target(const Verifier& verifier, const Pair& pair);

}  // namespace speclab
