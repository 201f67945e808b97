#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "claims/engine/one_iteration.h"

namespace speclab {

/// One way in which an iteration can go: gamma drafts, then X^tau, Y.
struct BlockOutcome {
  TokenPath draft;   ///< what the verifier looked at of X^gamma
  TokenPath tokens;  ///< X^tau, Y; without Y where its law has no weight
  int accepted = 0;  ///< tau
  Rational weight;

  /// Whether Y's law has any weight.
  [[nodiscard]] bool defined() const { return static_cast<int>(tokens.size()) > accepted; }
};

/// Every outcome of one iteration from `start`, by a verifier's name: block, token (which looks at
/// the whole draft here), greedy-block, wrong-first-failure, wrong-weight-coins, wrong-no-carry,
/// the listing of token verification in sun2025 appendix A (token-listing, and as its text stands
/// token-listing-printed), and two plug-and-play verifiers that the papers do not name:
///   one-hot-block  block that ignores X_gamma where the target is sure of the first token
///   lazy-block     block that ignores X_gamma with probability 1/4
/// @throws std::logic_error for another name
std::vector<BlockOutcome> outcomes(std::string_view verifier, const Instance& instance,
                                   State start);

/// reach[x^i] = P(X^i = x^i, tau >= i) for every drafted x^i, i = 1 .. gamma.
std::map<TokenPath, Rational> reach_of(std::string_view verifier, const Instance& instance,
                                       State start);

/// A verifier run in Algorithm 3, by the law of X^tau, Y from each state.
class Decoding {
 public:
  Decoding(std::string_view verifier, const Instance& instance)
      : verifier_(verifier), instance_(instance) {}

  /// The law of X^tau, Y; where Y's law has no weight, mass is missing.
  const std::map<TokenPath, Rational>& emitted(State state);

  /// P(O^n = x, N(i) >= least) of decoding from `state`, O^n the first n tokens of the output. What
  /// comes after i iterations is the target's, as it is for every valid verifier.
  Rational reached(State state, std::span<const Token> x, int iterations, int least);

  /// E[N(i)].
  Rational tokens(State state, int iterations);

 private:
  std::string_view verifier_;
  const Instance& instance_;
  std::map<State, std::map<TokenPath, Rational>> emitted_;
  std::map<std::pair<State, int>, Rational> tokens_;
};

}  // namespace speclab
