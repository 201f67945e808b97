#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "audit/aspect.h"
#include "audit/audit.h"
#include "verifiers/registry.h"

namespace speclab {

/// The rule of an implementation about which only losslessness is assumed: its output follows the
/// target's law.
inline constexpr std::string_view kLosslessRule = "lossless";

/// The verifiers whose faults an audit of this rule must find: every one that is
/// marked as a fault of the rule, with as many drafts; of `lossless` every control of the claims
/// with one draft.
std::vector<Verifier> known_faults(const AuditOptions& options);

/// The cases of an audit and its power.
struct AuditPlan {
  std::vector<Verifier> faults;
  std::vector<CasePlan> cases;      ///< with trials, names and the faults they detect
  std::vector<UnseenFault> unseen;  ///< by the cases that are asked
  std::size_t tests = 0;            ///< of laws and of dependence, over all cases
  double level = 0;  ///< of one test; the tests' levels sum to the false-alarm probability
  std::optional<double> least_power;  ///< of the cases that are asked, over the faults they show
};

/// @throws UsageError for a number in AuditOptions::only that none of so many cases has
void check_asked_numbers(const std::vector<int>& only, std::size_t cases);

/// Chooses cases: as few decisions as a greedy search finds with which every fault that some
/// candidate shows is detected with options.power; and further candidates with the most tests, for
/// unknown faults.
/// @param candidates  all with `unseen` and laws for each of `faults`
/// @throws LimitError where that takes more than options.most_trials decisions
AuditPlan choose_cases(std::vector<Verifier> faults, std::vector<CasePlan> candidates,
                       const AuditOptions& options);

}  // namespace speclab
