#pragma once

#include <vector>

#include "answer/bench.h"
#include "command.h"

namespace speclab {

/// The options of `simulate --batch`.
std::vector<Option> batch_options();

/// Whether one of them is given.
bool asks_batches(const Arguments& arguments);

/// `simulate --batch B`: decodes of B requests that share a budget of verified tokens.
/// @throws UsageError naming the option and the fix
ExitCode simulate_batches(const Arguments& arguments, const BySimulation& method, Bench& bench);

}  // namespace speclab
