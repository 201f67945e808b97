#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "claims/papers/rules/rules.h"

namespace speclab::batch {

// Two requests of one pair, both at its start, that share a budget of verified tokens.

/// The draft of one request, gamma tokens.
struct DraftedBlock {
  std::vector<Token> tokens{};
  Rational weight{};              ///< its probability
  std::vector<Rational> own{};    ///< by length: the product of the tokens' draft probabilities
  std::vector<Rational> known{};  ///< the same of sum of min(d, t), known before the token is drawn
  std::vector<Rational> kept{};   ///< the same of min(1, t/d): that so many are accepted
  /// kept of one token less times sum of min(d, t): what is known of that before the last is drawn.
  std::vector<Rational> likely{};
};

/// Every block that the draft may draw.
/// @throws LimitError where they make more than kMostEntries pairs
std::vector<DraftedBlock> drafted_blocks(const Instance& at);

/// The budgets that let some of both blocks' tokens be verified and not all: 1 to 2 gamma - 1.
inline std::vector<std::size_t> budgets(const Instance& at) {
  std::vector<std::size_t> all(2 * static_cast<std::size_t>(at.gamma) - 1);
  std::iota(all.begin(), all.end(), 1);
  return all;
}

/// The tokens of both requests that are verified.
using Split = std::pair<std::size_t, std::size_t>;
using Products = std::vector<Rational> DraftedBlock::*;

/// The `budget` tokens with the largest products, ties to the first request: of a block its first
/// tokens, since a later one is admitted after those before it.
Split ranked(const DraftedBlock& one, const DraftedBlock& other, Products products,
             std::size_t budget);

}  // namespace speclab::batch
