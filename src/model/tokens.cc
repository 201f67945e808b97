#include "model/tokens.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>

#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The token that begins at `at`, or an empty one at the end of the text.
std::string_view next_piece(std::string_view text, std::size_t& at, TokenKind kind) {
  if (kind == TokenKind::word) at = std::min(text.find_first_not_of(kSpace, at), text.size());
  if (at == text.size()) return {};
  const std::size_t first = at++;
  if (kind == TokenKind::word && in_word(text[first])) {
    while (at < text.size() && in_word(text[at])) ++at;
  }
  return text.substr(first, at - first);
}

}  // namespace

TokenText tokenise(std::string_view text, TokenKind kind, Token cap) {
  TokenText result;
  std::unordered_map<std::string_view, Token> ids;
  std::vector<std::string_view> pieces;
  std::vector<std::size_t> counts;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view piece = next_piece(text, at, kind);
    if (piece.empty()) break;
    if (result.tokens.size() % kPollStride == 0) check_interrupted();
    const auto [found, is_new] = ids.try_emplace(piece, static_cast<Token>(pieces.size()));
    if (is_new) {
      pieces.push_back(piece);
      counts.push_back(0);
    }
    ++counts[static_cast<std::size_t>(found->second)];
    result.tokens.push_back(found->second);
  }

  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t compared = 0;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (++compared % kPollStride == 0) check_interrupted();
    return counts[a] > counts[b];
  });
  const bool unknown = pieces.size() > static_cast<std::size_t>(cap);
  const std::size_t kept = unknown ? static_cast<std::size_t>(cap) - 1 : pieces.size();
  std::vector<Token> rank(pieces.size(), static_cast<Token>(kept));
  for (std::size_t i = 0; i < kept; ++i) {
    rank[order[i]] = static_cast<Token>(i);
    result.names.emplace_back(pieces[order[i]]);
  }
  if (unknown) result.names.emplace_back(kUnknownName);
  for (Token& token : result.tokens) token = rank[static_cast<std::size_t>(token)];
  return result;
}

}  // namespace speclab
