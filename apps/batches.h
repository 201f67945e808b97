#pragma once

#include <vector>

#include "answer/bench.h"
#include "command.h"

namespace speclab {

/// The options of batches: of any number of requests, or of two.
std::vector<Option> batch_options(bool two);

/// Whether one of them is given.
bool asks_batches(const Arguments& arguments);

/// `simulate --batch B`: decodes of B requests that share a budget of verified tokens.
/// @throws UsageError naming the option and the fix
ExitCode simulate_batches(const Arguments& arguments, const BySimulation& method, Bench& bench);

/// `exact --batch 2`: the same of two requests, from every sequence of their decisions.
/// @throws UsageError naming the option and the fix
ExitCode enumerate_batches(const Arguments& arguments, Arithmetic arithmetic,
                           const ByEnumeration& method, Bench& bench);

}  // namespace speclab
