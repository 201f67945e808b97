#pragma once

#include <string>

namespace speclab {

/// The first byte of a text that steers a terminal: a control character of ASCII or C1, a C1 byte
/// that is no part of a UTF-8 character, or a turn of the direction of writing; npos: none.
inline std::size_t steering(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f || byte == 0x9b) return i;
    if (text.compare(i, 3, "\u202e") == 0) return i;
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) {
      return i;
    }
  }
  return std::string::npos;
}

}  // namespace speclab
