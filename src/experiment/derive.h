#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.h"

namespace speclab {

/// The results with the derived quantities behind them, in the order of the file; one may be
/// derived from those before it. Each row of `of` with the row of `over` that agrees with it
/// (experiment/agreeing.h). Standard errors by the delta method; different tasks draw from
/// different streams and are independent.
/// @throws InputError naming the entry's line where nothing, or more than one row, agrees, or a
/// number is not finite
std::vector<TaskRows> derive(const Experiment& experiment, std::vector<TaskRows> results,
                             bool quick);

}  // namespace speclab
