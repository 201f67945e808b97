#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/spec.h"
#include "base/types.h"

namespace speclab {

using TokenNames = std::vector<std::string>;

/// Reads a vocabulary, "a-b-ab": at most 64 strings of 1 to 16 letters, digits and '_', each once.
TokenNames read_token_names(SpecReader& spec, std::string_view key);

/// Makes tokens of strings. Every character of a string has to be a token itself.
class Tokeniser {
 public:
  /// @param merges  byte pair encoding in place of the longest match
  Tokeniser(TokenNames names, bool merges);

  [[nodiscard]] const TokenNames& names() const { return names_; }
  /// The characters that are tokens, in the order of the tokens.
  [[nodiscard]] const std::string& characters() const { return characters_; }
  [[nodiscard]] std::optional<Token> number(const std::string& name) const;

  /// The tokens of a string. Longest match: from the left, each time the longest token that stands
  /// there; with ab, abb is ab, b. Byte pair encoding (Sennrich et al. 2016): its characters, of
  /// which neighbours are joined whose join is a token, the first such token of the vocabulary
  /// before the others and the leftmost place before the others; with bc before ab, abc is a, bc.
  [[nodiscard]] std::vector<int> tokens(const std::string& text) const {
    return merges_ ? merged(text) : longest(text);
  }

 private:
  [[nodiscard]] std::vector<int> longest(const std::string& text) const;
  [[nodiscard]] std::vector<int> merged(const std::string& text) const;

  TokenNames names_;
  bool merges_;
  std::map<std::string, Token> numbers_;
  std::string characters_;
};

}  // namespace speclab
