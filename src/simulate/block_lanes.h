#pragma once

#include "run/runs.h"
#include "simulate/plan.h"

namespace speclab {

/// Decodes by block verification (verifiers/chain/block.h) on a pair of few states, several side by
/// side: the tallies of Trials<BlockVerification>, bit for bit, in a third of the time. Drafting is
/// a chain of dependent loads; side by side, no decode waits for another one's.
/// @param rows, plan  must outlive the range
/// @returns an empty range where the pair is larger or the plan asks for what is not counted here
TrialRange block_lanes(const Rows<double>& rows, const TrialPlan& plan);

}  // namespace speclab
