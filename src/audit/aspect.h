#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"

namespace speclab {

/// A possible outcome of a decision, as numbers: an accepted length, tokens.
using OutcomeKey = std::vector<int>;
using KeyLaw = std::map<OutcomeKey, double>;

/// 0 where the law has no such key; never above 1.
double probability_of(const KeyLaw& law, const OutcomeKey& key);

/// A decision as one outcome: its accepted length and its tokens.
OutcomeKey whole_outcome(int accepted, const std::vector<Token>& tokens);

/// A law that a correction may follow, in words.
struct CorrectionReading {
  std::string text;                 ///< "[t - d]+"
  std::vector<double> probability;  ///< by token
};

/// One aspect of a decision, with the law of its keys. Outcomes that none of the keys covers belong
/// to another aspect.
struct Aspect {
  std::string decision;        ///< "accepted length after draft (0,1)"
  KeyLaw law;                  ///< of the rule; no key of probability 0
  std::vector<KeyLaw> faults;  ///< of each known fault, in the plan's order; empty: unseen
  std::vector<CorrectionReading>
      readings;  ///< of the key's last number given this aspect, where that is a token
  DecisionKind kind = DecisionKind::tokens;
  bool given_first = false;  ///< whether it is of one key of the case's first aspect alone, as a
                             ///< correction is of an accepted length
};

/// A case before trials: the question and the laws of the possible outcomes.
struct CasePlan {
  std::size_t candidate = 0;       ///< its number among the candidates
  std::uint64_t least_trials = 0;  ///< that every audit asks; 0: only where the case is chosen
  bool asked = true;               ///< whether this audit asks it, or only counts its requests
  AuditCase shape;                 ///< without trials
  std::vector<Aspect> aspects;
  std::optional<double> agreement;  ///< P(two decisions agree), where their law is known
  std::vector<std::string> unseen;  ///< by fault: why the case cannot show it, or ""
};

/// The observed outcomes, by aspect.
using SeenKeys = std::vector<std::map<OutcomeKey, std::uint64_t>>;

/// The keys of positive probability, all aspects together: the tests that a case makes.
std::size_t test_count(const CasePlan& plan);

/// A number of trials at which one of the case's tests at `level` detects a fault with at least
/// this power; 0 where none does within `most`.
std::uint64_t trials_to_show(const CasePlan& plan, std::size_t fault, double level, double power,
                             std::uint64_t most);

/// The power of the best of the case's tests at `level` against a fault.
double power_against(const CasePlan& plan, std::size_t fault, std::uint64_t trials, double level);

}  // namespace speclab
