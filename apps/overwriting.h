#pragma once

#include "command.h"

namespace speclab {

/// Refuses a command that would write one file twice, and sees to it that none is read that will be
/// written over, whatever names it (system/output_files.h). Before anything is read.
/// @throws UsageError with the file
void check_overwriting(const Command& command, const Arguments& arguments);

}  // namespace speclab
