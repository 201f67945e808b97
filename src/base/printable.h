#pragma once

#include <string>
#include <string_view>

namespace speclab {

/// `text` without what steers a terminal: control characters (those of ASCII, C1 and the ones that
/// turn the direction of writing) and bytes that are not UTF-8 are replaced by '?'.
/// @param lines  line breaks and tabs stay
std::string printable(std::string_view text, bool lines = false);

/// The same of JSON, which loses nothing: such characters in its strings become escapes (\u009b).
/// Line breaks between its values stay. @param json  of valid UTF-8
std::string printable_json(std::string_view json);

}  // namespace speclab
