#pragma once

#include "command.h"

namespace speclab {

/// Refuses a command that would write over a file which it reads: one that --output names and a
/// pair, a verifier, costs, a certificate, rates or the word of the command name too.
/// @throws UsageError with the file
void check_overwriting(const Arguments& arguments);

}  // namespace speclab
