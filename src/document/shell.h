#pragma once

#include <string>

namespace speclab {

// Commands in reports, to be copied into a shell as they are printed.

/// A word as one types it: in quotes where the shell would take it apart.
std::string shell_word(const std::string& word);

/// A command on lines of at most 78 columns, where no word is longer: a backslash ends each but the
/// last, the first begins with `indent` and those after it with four spaces more. Each ends in a
/// line feed.
std::string shell_lines(const std::string& command, const std::string& indent);

}  // namespace speclab
