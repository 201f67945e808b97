#include "model/families/tokeniser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/text.h"

namespace speclab {
namespace {

constexpr std::size_t kMostNames = 64;
constexpr std::size_t kLongestName = 16;

}  // namespace

TokenNames read_token_names(SpecReader& spec, std::string_view key) {
  const std::string text = spec.path(key);
  TokenNames names(1);
  for (const char c : text) {
    if (c == '-') {
      names.emplace_back();
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      names.back() += c;
    } else {
      spec.refuse(
          fmt::format("{} has '{}'; write tokens of letters, digits and _, with - between "
                      "them, such as a-b-ab",
                      key, abbreviate(std::string(1, c))));
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || names[i].size() > kLongestName) {
      spec.refuse(fmt::format("{}: token {} has {} characters; give each from 1 to {}", key, i,
                              names[i].size(), kLongestName));
    }
    if (std::find(names.begin(), names.end(), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      spec.refuse(fmt::format("{} has '{}' twice; give each token once", key, names[i]));
    }
  }
  if (names.size() > kMostNames) {
    spec.refuse(fmt::format("{} has {} tokens; give at most {}", key, names.size(), kMostNames));
  }
  return names;
}

Tokeniser::Tokeniser(TokenNames names, bool merges) : names_(std::move(names)), merges_(merges) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    numbers_[names_[i]] = static_cast<Token>(i);
    if (names_[i].size() == 1) characters_ += names_[i];
  }
}

std::optional<Token> Tokeniser::number(const std::string& name) const {
  const auto at = numbers_.find(name);
  return at == numbers_.end() ? std::nullopt : std::optional<Token>(at->second);
}

std::vector<int> Tokeniser::longest(const std::string& text) const {
  std::vector<int> made;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t size = std::min(kLongestName, text.size() - at);
    while (!number(text.substr(at, size))) --size;
    made.push_back(*number(text.substr(at, size)));
    at += size;
  }
  return made;
}

std::vector<int> Tokeniser::merged(const std::string& text) const {
  std::vector<int> pieces;
  for (const char c : text) pieces.push_back(*number(std::string(1, c)));
  const auto name = [this](int token) { return names_[static_cast<std::size_t>(token)]; };
  while (true) {
    constexpr Token kNone = std::numeric_limits<Token>::max();
    Token first = kNone;
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto join = number(name(pieces[i]) + name(pieces[i + 1]));
      if (!join || *join >= first) continue;
      first = *join;
      place = i;
    }
    if (first == kNone) return pieces;
    pieces[place] = first;
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

}  // namespace speclab
