#pragma once

#include <map>
#include <vector>

#include "audit/candidate_pairs.h"
#include "base/random.h"

namespace speclab {

/// Tokens on both sides of a block's end, the first and the last, in order.
std::vector<Token> tokens_at_ends(Token vocabulary);
/// These, and others throughout the vocabulary.
std::vector<Token> spread_tokens(Token vocabulary);

/// How many units a law has, and how many of them are given to one token.
struct LawUnits {
  int least = 0;
  int all = 1;
};
/// Units by token: `least` of token x, the others drawn one by one.
std::map<Token, int> random_units(const std::vector<Token>& tokens, Token x, LawUnits units,
                                  Stream& stream);

// Cases without aspects. The text of a pair is {"vocabulary": V, "kind": "tree", "draft": {PREFIX:
// {TOKEN: "1/24", ...}}, "target": ...}: of each prefix of the drafts the tokens of positive
// probability.

/// V = 1,000, 32,000 and 128,256: laws that have all their mass on tokens at the ends of blocks of
/// powers of two and of the vocabulary, others at each prefix of the drafts. A kernel that leaves a
/// block out, reads past the last one or takes padding for tokens emits what the law never gives.
/// One draft has 7 tokens; several, which the first token distinguishes, have 2.
///
/// The same at every call.
std::vector<PlacedCase> large_cases(int drafts);

/// V = 8, 16, 64 and 2,048 with drafts of 8, 7, 6 and 6 tokens (of several drafts: 2), in every
/// audit. After each prefix of the drafts the target gives four tokens or more a larger probability
/// than the draft does, so that a residual that keeps its largest tokens alone is seen.
///
/// The same at every call.
std::vector<PlacedCase> wide_cases(int drafts);

}  // namespace speclab
