#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace speclab {

/// The units into which a text is cut.
enum class TokenKind {
  word,  ///< runs of letters, digits, `'` and non-ASCII characters, and every other ASCII
         ///< character alone; ASCII white space separates. "don't stop." -> don't, stop, .
  byte,  ///< every byte
};

/// A text as token ids. Ids are in order of falling frequency, ties by first appearance; when more
/// distinct tokens occur than the cap allows, the rarest become one unknown token, the last id.
struct TokenText {
  std::vector<Token> tokens;
  std::vector<std::string> names;  ///< by id; kUnknownName for the unknown token
};

inline constexpr std::string_view kUnknownName = "<unk>";

/// @param cap largest vocabulary, the unknown token included; at least 1
TokenText tokenise(std::string_view text, TokenKind kind, Token cap);

}  // namespace speclab
