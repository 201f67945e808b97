#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.h"
#include "exact/exact.h"
#include "model/rows.h"

namespace speclab {

/// One setting on which a statement is held: a pair, a draft length, a number of drafts.
struct Instance {
  std::shared_ptr<const Rows<Rational>> rows;
  int gamma = 1;
  int drafts = 1;  ///< K

  [[nodiscard]] const Pair& pair() const { return rows->pair(); }
  [[nodiscard]] const std::string& name() const { return rows->pair().name(); }
};

/// An instance from a pair's spec text.
Instance make_instance(std::string_view pair, int gamma = 1, int drafts = 1);

/// Which instances a statement is held on.
struct BatteryShape {
  int tokens = 3;            ///< largest vocabulary
  int gammas = 2;            ///< draft lengths 1 .. gammas
  int least_drafts = 1;      ///< K from here
  int drafts = 1;            ///< .. to here
  int random = 4;            ///< random trees of the context's seed
  bool contexts = true;      ///< pairs with a context at all
  bool target_only = false;  ///< keep only pairs with supp t within supp d at every state
};

/// The instances, smallest first (fewest tokens, then gamma, then K, then the largest denominator):
/// the papers' own pairs; zeros in either support, equal, disjoint, one-hot and nearly equal laws,
/// one token; contexts that matter; random trees.
std::vector<Instance> battery(const ClaimContext& context, const BatteryShape& shape);

/// Memoryless pairs with rational laws, enumerated in the same order.
struct SearchSpace {
  int tokens = 3;         ///< vocabularies 1 .. tokens
  int least_gamma = 1;    ///< draft lengths from here
  int gammas = 2;         ///< .. to here
  int least_drafts = 1;   ///< K from here
  int drafts = 1;         ///< .. to here
  int denominator = 4;    ///< least common denominators 1 .. denominator of both laws
  bool labelled = false;  ///< all labellings of the tokens; else one of each class
};

/// Calls visit(instance) in order until it returns true. Returns the number of calls.
/// Two pairs of one (V, gamma, K) and one common denominator come in lexicographic order of draft,
/// then target.
std::uint64_t enumerate_pairs(const SearchSpace& space,
                              const std::function<bool(const Instance&)>& visit);

/// The exact result of a verifier, named by spec text, on an instance.
ExactResult<Rational> exact_result(std::string_view verifier, const Instance& instance,
                                   std::optional<int> horizon = std::nullopt, int iterations = 0,
                                   bool law = false);

}  // namespace speclab
