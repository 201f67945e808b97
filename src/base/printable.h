#pragma once

#include <string>
#include <string_view>

namespace speclab {

/// `text` with '?' in the place of everything that can control a terminal: control characters
/// (ASCII, C1, and the marks that change the writing direction) and bytes that are not UTF-8.
/// @param lines  keep line breaks and tabs
std::string printable(std::string_view text, bool lines = false);

/// printable() with lines as text between tags or in an attribute of XML and HTML: the signs of
/// markup are escaped.
std::string markup(std::string_view text);

/// The lossless counterpart for JSON: such characters in strings become escapes (\u009b), and line
/// breaks between values stay. @param json  valid UTF-8
std::string printable_json(std::string_view json);

}  // namespace speclab
