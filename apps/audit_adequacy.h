#pragma once

#include "command.h"

namespace speclab {

/// `audit --adequacy FILE`: whether a maintainer's own test cases find the known faults.
ExitCode run_adequacy(const Arguments& arguments);

}  // namespace speclab
