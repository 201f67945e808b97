#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "base/types.h"

namespace speclab {

/// The tokens of the largest probabilities above 0, at most so many, likeliest first, ties to the
/// lower token. @param probability  token -> probability
template <class Probability>
std::vector<Token> likeliest_tokens(Token vocabulary, std::size_t most,
                                    const Probability& probability) {
  std::vector<Token> tokens;
  for (Token x = 0; x < vocabulary; ++x) {
    if (probability(x) > 0) tokens.push_back(x);
  }
  const auto wanted = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(tokens.size(), most));
  std::partial_sort(tokens.begin(), wanted, tokens.end(), [&](Token x, Token y) {
    return probability(x) > probability(y) || (probability(x) == probability(y) && x < y);
  });
  tokens.erase(wanted, tokens.end());
  return tokens;
}

/// The same of a law that is listed.
inline std::vector<Token> likeliest_tokens(std::span<const double> law, std::size_t most) {
  return likeliest_tokens(static_cast<Token>(law.size()), most,
                          [law](Token x) { return law[static_cast<std::size_t>(x)]; });
}

/// Those of the draft at a node, from the state's table where there is one.
template <class Laws>
std::vector<Token> likeliest_drafts(const Laws& laws, std::size_t most) {
  if constexpr (std::is_same_v<typename Laws::Real, double> && requires { laws.table(); }) {
    if (laws.table() != nullptr) return laws.table()->likeliest_drafts(most);
  }
  return likeliest_tokens(laws.vocabulary(), most, [&laws](Token x) { return laws.draft(x); });
}

}  // namespace speclab
