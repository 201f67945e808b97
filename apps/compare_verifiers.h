#pragma once

#include "answer/bench.h"
#include "command.h"

namespace speclab {

/// `simulate --compare A,B`: the differences of two verifiers over the same trials, or over the
/// prompts of a recording.
/// @throws UsageError naming the option and the fix
ExitCode compare_verifiers(const Arguments& arguments, const BySimulation& method, Bench& bench);

}  // namespace speclab
