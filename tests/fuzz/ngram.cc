// Text for n-grams. Input: a line of parameters of ngram(), then the text:
//   draft=2,target=4,tokens=byte
//   to be or not to be
#include "model/tokens.h"
#include "pairs.h"

namespace speclab::fuzz {
namespace {

/// The tokens of a text are names, the commonest first, and each piece of the text is one.
void check_tokens(std::string_view text) {
  for (const TokenKind kind : {TokenKind::word, TokenKind::byte}) {
    for (const Token cap : {1, 2, 512}) {
      const TokenText tokens = tokenise(text, kind, cap);
      demand(static_cast<Token>(tokens.names.size()) <= cap, "a cap is kept");
      demand(kind != TokenKind::byte || tokens.tokens.size() == text.size(), "a byte is a token");
      std::vector<std::size_t> counts(tokens.names.size());
      for (const Token token : tokens.tokens) {
        demand(token >= 0 && static_cast<std::size_t>(token) < counts.size(), "a token has a name");
        ++counts[static_cast<std::size_t>(token)];
      }
      const std::size_t whole = tokens.names.empty() ? 0 : tokens.names.size() - 1;
      demand(std::is_sorted(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(whole),
                            std::greater<>()),
             "commoner tokens come first");
    }
  }
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  const std::string_view input = text_of(data, size);
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view parameters = input.substr(0, end);
  const std::string_view text = input.substr(std::min(end + 1, input.size()));
  check_tokens(text);
  if (!modest(parameters)) return 0;
  const MemoryFile file(text);
  make_checked_pair(
      fmt::format("ngram(text={}{}{})", file.path(), parameters.empty() ? "" : ",", parameters));
  return 0;
}
