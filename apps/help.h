#pragma once

#include <string>

#include "command.h"

namespace speclab {

/// What `speclab --help` prints.
std::string program_help();

/// What `speclab COMMAND --help` prints.
std::string command_help(const Command& command);

/// Every command with its options and examples, as the README shows them.
std::string commands_markdown();

}  // namespace speclab
