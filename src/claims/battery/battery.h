#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "claims/engine/claim.h"
#include "claims/engine/instance.h"

namespace speclab {

/// Which instances a statement is checked on.
struct BatteryShape {
  Sized tokens = 3;      ///< largest vocabulary
  Sized gammas = 2;      ///< draft lengths 1 .. gammas
  int least_drafts = 1;  ///< K from here
  int drafts = 1;        ///< .. to here
  Sized random = 4;      ///< random trees of the context's seed
  bool contexts = true;  ///< pairs with a context at all
};

/// The instances, smallest first (fewest tokens, then gamma, then K, then the largest denominator):
/// the papers' own pairs; zeros in either support, equal, disjoint, one-hot and nearly equal laws,
/// one token; contexts that matter; random trees.
std::vector<Instance> battery(const ClaimContext& context, const BatteryShape& shape);

/// Small pairs with rational laws, enumerated in the same order.
struct SearchSpace {
  Sized tokens = 3;       ///< vocabularies 1 .. tokens
  int least_gamma = 1;    ///< draft lengths from here
  Sized gammas = 2;       ///< .. to here
  int least_drafts = 1;   ///< K from here
  Sized drafts = 1;       ///< .. to here
  Sized denominator = 4;  ///< least common denominators 1 .. denominator of both laws
  bool labelled = false;  ///< all labellings of the tokens; else one of each class
  /// Contexts 1 .. states: one is a memoryless pair, two distinguish two sets of histories. Every
  /// automaton is taken in which all are reached, each known by the order in which it is met.
  Sized states = 1;
  /// The statement itself speaks of pairs without context, not only its search.
  bool memoryless = false;
  /// The statement speaks of one context before position 1; implied where there is one context.
  bool one_start = false;
};

/// Calls visit(instance) in order until it returns true. Returns the number of calls.
/// The order: V, gamma, K, the number of contexts, the least common denominator of all laws; then
/// the contexts' successors in lexicographic order, then draft and target, context by context, a
/// law with more weight on earlier tokens first.
std::uint64_t enumerate_pairs(const SearchSpace& space, Effort effort,
                              const std::function<bool(const Instance&)>& visit);

}  // namespace speclab
