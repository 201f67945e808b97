#pragma once

#include <string>

#include "command.h"

namespace speclab {

/// What `speclab --help` prints.
std::string program_help();

/// What `speclab COMMAND --help` prints.
std::string command_help(const Command& command);

/// Every command with its line of prose, a row each.
std::string commands_markdown();

/// One command with its options and examples: what docs/commands/NAME.md shows.
std::string command_markdown(const Command& command);

}  // namespace speclab
