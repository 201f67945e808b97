#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/types.h"

namespace speclab {

/// The number of these tokens up to and including the first end-of-sequence token.
inline std::size_t before_end(const std::vector<Token>& tokens, std::optional<Token> end) {
  if (!end) return tokens.size();
  const auto found = std::find(tokens.begin(), tokens.end(), *end);
  return static_cast<std::size_t>(found - tokens.begin()) + (found == tokens.end() ? 0 : 1);
}

/// Whether the text ends within these tokens.
inline bool has_end(const std::vector<Token>& tokens, std::optional<Token> end) {
  return end && std::find(tokens.begin(), tokens.end(), *end) != tokens.end();
}

}  // namespace speclab
