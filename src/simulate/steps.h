#pragma once

#include "run/runs.h"
#include "simulate/plan.h"
#include "simulate/step_table.h"

namespace speclab {

/// Trials that draw whole steps, side by side where that is served (a browser has no lanes). Word n
/// of a run, of the stream of drafts, draws the token at position n: what comes before a position
/// does not change its word.
/// @param rows, plan  outlive the range; plan.steps is of these rows
TrialRange step_trials(const Rows<double>& rows, const TrialPlan& plan);

}  // namespace speclab
