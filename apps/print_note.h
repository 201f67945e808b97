#pragma once

#include <string_view>

namespace speclab {

/// One line on standard error, "speclab: MESSAGE", whatever the message quotes.
void print_note(std::string_view message);

}  // namespace speclab
