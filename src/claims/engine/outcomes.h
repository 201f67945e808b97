#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "answer/iteration_law.h"
#include "claims/engine/compared.h"
#include "claims/engine/paths.h"

namespace speclab {

/// One way in which an iteration can go: gamma drafts, then X^tau, Y.
using BlockOutcome = IterationOutcome<Rational>;

/// A verifier (see verifier_of) in Algorithm 3, by the law of its iterations from each state.
class Decoding {
 public:
  Decoding(std::string_view verifier, const Instance& instance,
           const IterationRequest& request = {});

  /// The law of one full iteration.
  const IterationLaw<Rational>& outcomes(State state);

  /// The law of X^tau, Y; where Y's law has no weight, mass is missing.
  const std::map<TokenPath, Rational>& emitted(State state);

  /// The law of the first `length` tokens of X^tau, Y and what the target adds to them; what is
  /// undefined is missing.
  /// @param carried  the target as the verifier carries it on, else as it is
  std::map<TokenPath, Rational> continued(State state, int length, bool carried);

  /// TV of that law to the target's; what is undefined is missing.
  Rational distance(State state, int length, bool carried = false);

  /// P(O^n = x, N(i) >= least) of decoding from `state`, O^n the first n tokens of the output. What
  /// comes after i iterations is the target's, as it is for every valid verifier.
  Rational reached(State state, std::span<const Token> x, int iterations, int least);

 private:
  const Instance& instance_;
  IterationLaws<Rational> laws_;
  std::map<State, std::map<TokenPath, Rational>> emitted_;
  std::map<std::tuple<State, TokenPath, int, int>, Rational> reached_;
};

/// Every outcome of one iteration from `start`, of a verifier of one draft; the whole draft is part
/// of it, looked at or not.
IterationLaw<Rational> outcomes(std::string_view verifier, const Instance& instance, State start);

/// The law of one iteration's first gamma tokens, continued with the target as the verifier carries
/// it on, against the target's.
/// @param what  begins the evidence
/// @param name  the law's, as an ingredient
Comparisons continued_against_target(std::string_view verifier, const Instance& instance,
                                     std::string_view what, std::string_view name);

/// reach[x^i] = P(x^i is drafted and accepted) for every drafted x^i, i = 1 .. gamma.
std::map<TokenPath, Rational> reach_of(std::string_view verifier, const Instance& instance,
                                       State start);

}  // namespace speclab
