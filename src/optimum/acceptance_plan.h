#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimum/acceptance_proof.h"
#include "optimum/prefix_tree.h"

namespace speclab {

/// What a verifier does that attains an optimum, as tables.
///
/// Of a draft matters how far the target can follow it: its longest prefix that both models take.
/// An iteration draws the set of its drafts' prefixes, accepts one prefix that a draft begins with,
/// and goes on from there by `corrections`:
///   plug-and-play, algorithm2  one token from the law at the accepted prefix, then the plain
///   target coupling                   token after token from the laws at the contexts so far, up
///   to gamma
///                              tokens: the carry
/// Where there is no law, and after gamma tokens, the plain target goes on.
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

/// The plan of an optimum's masses B, by a largest flow from sets of drafts to accepted prefixes.
/// @throws LimitError beyond `most` pairs of a set and a prefix; std::logic_error where the masses
/// are no verifier's
AcceptancePlan make_plan(const PrefixTree& tree, const Rows<Rational>& rows,
                         const AcceptanceProblem& problem, const std::vector<Rational>& masses,
                         std::size_t most);

/// What a plan attains.
struct PlanVerdict {
  std::optional<Rational> expected;  ///< E[tau]; nothing where it is no verifier of the class
  std::string fault;                 ///< then: why
};

/// Checks a plan from the pair's rows alone: that its drafts are K i.i.d. ones, that it accepts
/// what was drafted, that the output's first gamma tokens follow the target, whatever was accepted.
PlanVerdict check_plan(const AcceptancePlan& plan, const AcceptanceProblem& problem,
                       const Rows<Rational>& rows, State start);

}  // namespace speclab
