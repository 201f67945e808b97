#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "audit/aspect.h"
#include "audit/audit.h"
#include "verifiers/registry.h"

namespace speclab {

/// The rule of an implementation of which nothing more is known than that it is meant to follow the
/// target's law.
inline constexpr std::string_view kLosslessRule = "lossless";

/// The verifiers whose faults an audit of this rule must find: every one that is
/// marked as a fault of the rule, with as many drafts; of `lossless` every control of the claims
/// with one draft.
std::vector<Verifier> known_faults(const AuditOptions& options);

/// What an audit asks, and of what power it is.
struct AuditPlan {
  std::vector<Verifier> faults;
  std::vector<CasePlan> cases;  ///< with trials, names and what they show
  std::vector<UnseenFault> unseen;
  double level = 0;  ///< of one test; the tests' levels add up to the false alarm
  std::optional<double> least_power;
};

/// Chooses cases: as few decisions as a greedy search finds with which every fault that some
/// candidate shows is found with options.power; and `general` candidates more, for faults that
/// nobody has named yet.
/// @param candidates  all with `unseen` and laws for each of `faults`
/// @throws LimitError where that takes more than options.most_trials decisions
AuditPlan choose_cases(std::vector<Verifier> faults, std::vector<CasePlan> candidates,
                       const AuditOptions& options);

}  // namespace speclab
