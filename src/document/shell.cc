#include "document/shell.h"

#include <string_view>
#include <vector>

namespace speclab {
namespace {

/// The words of a command with their quotes.
std::vector<std::string> quoted_words(const std::string& command) {
  std::vector<std::string> words{""};
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string shell_lines(const std::string& command, const std::string& indent) {
  constexpr std::size_t kColumns = 78;
  std::string text, line = indent;
  bool begun = false;  // whether the line has a word
  for (const std::string& word : quoted_words(command)) {
    if (begun && line.size() + 1 + word.size() + 2 > kColumns) {
      text += line + " \\\n";
      line = indent + "    ";
      begun = false;
    }
    line += (begun ? " " : "") + word;
    begun = true;
  }
  return text + line + "\n";
}

}  // namespace speclab
