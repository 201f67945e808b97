#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimum/acceptance_proof.h"
#include "optimum/prefix_tree.h"

namespace speclab {

/// The decisions of a verifier that attains an optimum, as tables.
///
/// A draft enters only by its longest prefix that both models can take. An iteration draws the set
/// of its drafts' prefixes, accepts one prefix with which a draft begins, and continues by
/// `corrections`:
///   plug-and-play, algorithm2  one token from the law at the accepted prefix, then the plain
///   target coupling                   token after token from the laws at the contexts so far, up
///   to gamma
///                              tokens: the carry
/// Where there is no law, and after gamma tokens, the plain target continues.
struct AcceptancePlan {
  /// P(the set is drafted and the prefix accepted).
  struct Choice {
    std::vector<Prefix> drafts;  ///< in order, distinct
    Prefix accepted;
    Rational probability;
  };
  std::vector<Choice> choices;
  std::map<Prefix, std::vector<Rational>> corrections;
};

/// The plan of an optimum's masses B, by a maximum flow from sets of drafts to accepted prefixes.
/// @throws LimitError beyond `most` pairs of a set and a prefix; std::logic_error where the masses
/// do not belong to a verifier
AcceptancePlan make_plan(const PrefixTree& tree, const Rows<Rational>& rows,
                         const AcceptanceProblem& problem, const std::vector<Rational>& masses,
                         std::size_t most);

/// The value of a plan.
struct PlanVerdict {
  std::optional<Rational> expected;  ///< E[tau]; empty where the plan is no verifier of the class
  std::string fault;                 ///< the reason, where `expected` is empty
};

/// Checks a plan from the pair's rows alone: its drafts are K i.i.d. ones, it accepts only drafted
/// prefixes, and the output's first gamma tokens follow the target, whatever was accepted.
PlanVerdict check_plan(const AcceptancePlan& plan, const AcceptanceProblem& problem,
                       const Rows<Rational>& rows, State start);

}  // namespace speclab
