#pragma once

#include <string>
#include <string_view>

namespace speclab {

/// `text` for a terminal: control characters (those of ASCII, C1 and the ones that turn the
/// direction of writing) and bytes that are not UTF-8 are replaced by '?'.
/// @param lines  line breaks and tabs stay
std::string printable(std::string_view text, bool lines = false);

}  // namespace speclab
