#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "exact/drafted.h"
#include "verifiers/iteration.h"
#include "verifiers/registry.h"
#include "verifiers/window.h"

namespace speclab {

struct Answer;

/// "correction", "bonus", "horizon", "undefined".
std::string_view ending_name(Ending ending);

/// One way in which an iteration from a given context can go. Sequences of decisions that differ in
/// nothing else are one outcome.
template <class Real>
struct IterationOutcome {
  std::vector<Token> draft;   ///< the drafted tokens, in the order in which they were drafted
  std::vector<Token> path;    ///< the path that the verifier works along, of one that lays it out
  std::vector<Token> tokens;  ///< X^tau, Y; without Y where its law has no weight or none follows
  int accepted = 0;           ///< tau
  Ending ending = Ending::horizon;
  ReachedContext<Real> context;  ///< after the tokens, with what the verifier carries on
  Real weight{0};                ///< its probability

  /// Whether Y was drawn.
  [[nodiscard]] bool defined() const { return tokens.size() > static_cast<std::size_t>(accepted); }
};

template <class Real>
using IterationLaw = std::vector<IterationOutcome<Real>>;

/// What is asked of an iteration's law.
struct IterationRequest {
  /// The whole draft X^gamma is part of the outcome, looked at by the verifier or not: for
  /// verifiers of one chain of drafts. Otherwise `draft` ends where the verifier stopped drafting.
  bool whole_draft = false;
  /// Y is part of the outcome. Without it `tokens` still ends with a token where Y is drawn, which
  /// means nothing: enough for the law of tau, and quicker.
  bool corrections = true;
  double most_sequences = 1e8;  ///< of decisions, in the law from one context
};

/// The exact laws of a verifier's iterations: of (X, X^tau, Y) and the context reached, in
/// fractions (Real = Rational) or in doubles. Each law is made once.
///
/// Worked example: toy pair bernoulli(draft=2/3,target=1/3), token, gamma = 1. X = 1 has 2/3 and is
/// accepted with 1/2: (X; X^tau, Y) = (1; 1, 1) has 1/9, (1; 1, 0) has 2/9, and (1; 0) with tau = 0
/// has 1/3. X = 0 is accepted: (0; 0, 0) has 2/9 and (0; 0, 1) has 1/9.
template <class Real>
class IterationLaws {
 public:
  IterationLaws(const Verifier& verifier, std::shared_ptr<const Rows<Real>> rows,
                const IterationRequest& request = {});

  /// The law of the iteration from a state of the pair with nothing carried, outcomes in the order
  /// of their drafts, then tokens; the weights sum to 1.
  /// @throws LimitError beyond most_sequences; UsageError for whole drafts of a verifier that does
  /// not draft one chain; ContractError as run_exact does
  const IterationLaw<Real>& from(State start, Window window);

  /// Of a full iteration: gamma drafts, then a bonus token.
  const IterationLaw<Real>& from(State start, int gamma) {
    return from(start, {.drafts = gamma, .bonus = true});
  }

 private:
  IterationLaw<Real> make(State start, Window window) const;

  Verifier verifier_;
  std::shared_ptr<const Rows<Real>> rows_;
  IterationRequest request_;
  std::map<std::tuple<State, int, bool>, IterationLaw<Real>> known_;
};

/// Adds Answer::iteration_law: the law of the first iteration, the start drawn from the prompt.
/// A note says why it is missing where it has more sequences of decisions than `most_sequences`.
template <class Real>
void add_iteration_law(Answer& answer, std::shared_ptr<const Rows<Real>> rows,
                       double most_sequences);

}  // namespace speclab
