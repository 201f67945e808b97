#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.h"

namespace speclab {

/// Whether what stands at two places is taken together: both have the same pair, gamma, horizon,
/// iterations and trials, as far as both have one, and the same value of every variable that both
/// have; what the selector `over` names is not asked.
bool agree(const TaskPlace& of, const TaskPlace& over, const Selector& selector);

/// The results with the derived quantities behind them, in the order of the file; one may be
/// derived from those before it. Each row of `of` with the row of `over` that agrees with it and
/// has its index. Standard errors by the delta method; different tasks draw from different streams
/// and are independent.
/// @throws InputError naming the entry's line where nothing, or more than one row, agrees
std::vector<TaskRows> derive(const Experiment& experiment, std::vector<TaskRows> results,
                             bool quick);

}  // namespace speclab
