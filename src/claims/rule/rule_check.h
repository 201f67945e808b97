#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/proofs.h"
#include "base/rational.h"
#include "claims/engine/instance.h"

namespace speclab {

// What is known of one rule: whether it is lossless on the battery of controls.h and on pairs of
// the user's, what it accepts, and what is proved. Everything is exact, in fractions.

struct RuleRequest {
  std::string verifier;            ///< spec text
  std::vector<PairPointer> pairs;  ///< beside the battery, which is left out for a rule whose
                                   ///< tables are of one pair
  std::vector<int> gammas{1, 2};   ///< draft lengths on those pairs
  /// Queries that each proof may put to the solver.
  std::uint64_t most_queries = 400;
};

/// A pair on which the output does not follow the target's law.
struct RuleCounterexample {
  std::string pair;  ///< spec text
  int gamma = 1;
  int horizon = 1;            ///< the fewest tokens whose joint law is wrong
  std::vector<Token> tokens;  ///< of these the sequence whose probability is off by the most
  Rational output, target;    ///< its probability, and by the target
  Rational tv;                ///< of the joint laws of `horizon` tokens
};

/// The largest probability of a draw from a law of zero total weight, in one iteration.
struct RuleUndefined {
  Rational mass;
  std::string pair;  ///< where; the first of several
  int gamma = 1;
};

/// Expected accepted tokens of the first iteration on one pair, and tokens of the first iterations.
struct RuleRate {
  std::string pair;
  int gamma = 1;
  Rational accepted;
  /// Of block and greedy-block, and the optimum of the rule's class; nothing where it is beyond a
  /// limit, or not known.
  std::optional<Rational> block, greedy, optimum;
  /// E[N(i)], i = 1 .. kRuleIterations; empty beyond a limit.
  std::vector<Rational> tokens, block_tokens, greedy_tokens;
};
inline constexpr int kRuleIterations = 4;

/// Whether E[accepted] never falls as a parameter grows.
struct RuleGrowth {
  std::size_t comparisons = 0;
  std::string falls;    ///< the first place where it falls, with both values; "": nowhere
  std::string unasked;  ///< why nothing was compared; "" where something was
};

/// What `prove` says of all pairs of two tokens.
struct RuleProof {
  std::optional<TheoremVerdict> verdict;  ///< nothing where it cannot be asked
  std::string detail;                     ///< the theorems with their cells, or why not
  std::optional<RuleCounterexample> counterexample;
};

struct RuleReport {
  std::string verifier;                ///< canonical spec text
  bool declared_lossless = false;      ///< by its row in the registry
  std::size_t pairs = 0;               ///< on which the output's law was compared with the target's
  std::size_t settings = 0;            ///< pairs and draft lengths
  std::vector<std::string> unchecked;  ///< pairs beyond a limit or refused, with the reason
  std::optional<RuleCounterexample> counterexample;
  RuleUndefined undefined;
  std::vector<RuleRate> rates;
  RuleGrowth in_gamma, in_drafts;
  RuleProof proof;

  [[nodiscard]] bool lossless() const { return !counterexample; }
  /// E[accepted] over the optimum at the first of `rates`; nothing of a rule that is not lossless,
  /// which the optimum does not bound, or where it is not known or 0.
  [[nodiscard]] std::optional<Rational> share_of_optimum() const;
};

/// Called between the parts with what is being done.
using RuleProgress = std::function<void(std::string_view doing)>;

/// @throws InputError for a rule of one pair's tables without pairs; Error when interrupted
RuleReport check_rule(const RuleRequest& request, const RuleProgress& progress = {});

/// "TV 1/9 of 1 token on PAIR, gamma 1" of a rule that declares itself lossless and is not, by the
/// small pairs of the battery alone: some milliseconds. Nothing of one that keeps its word there,
/// declares nothing, or is one of speclab's own, whose losslessness the tests check.
std::optional<std::string> broken_declaration(const Verifier& verifier);

/// The exact answer, within so few sequences of decisions that no pair takes long.
/// @throws LimitError beyond them
Answer rule_answer(std::string_view verifier, const Instance& instance,
                   std::optional<int> horizon = std::nullopt, int iterations = 0, bool law = false);

/// Whether the joint law of the first `horizon` tokens is not the target's; false where it is
/// beyond a limit.
bool known_wrong(std::string_view verifier, const Instance& instance, int horizon);

/// The draft length of a rule that fixes it by its tree; nothing of others.
std::optional<int> fixed_gamma(const Verifier& verifier);

/// What is wrong with a rule at an instance where the law of `horizon` tokens is wrong.
RuleCounterexample describe_counterexample(std::string_view verifier, const Instance& instance,
                                           int horizon);

/// The smallest memoryless pair at which the rule is not lossless, in the enumeration order of
/// battery.h up to an instance's vocabulary and draft length; nothing where none of the first
/// `most` is one.
std::optional<RuleCounterexample> smaller_counterexample(std::string_view verifier,
                                                         const Instance& than, std::size_t most);

/// The rates on the user's pairs, or on some of the battery's.
std::vector<RuleRate> rule_rates(const Verifier& verifier, const RuleRequest& request);

RuleGrowth growth_in_gamma(const Verifier& verifier, const std::vector<Instance>& instances);
/// At draft length 1.
RuleGrowth growth_in_drafts(const Verifier& verifier, const std::vector<Instance>& instances);

/// Losslessness for all memoryless pairs of two tokens at draft length 2, and for all trees of two
/// tokens at draft length 1; of a rule whose tree has a depth, at that depth.
RuleProof prove_rule(const Verifier& verifier, std::uint64_t most_queries);

}  // namespace speclab
