#pragma once

#include <vector>

#include "audit/dependence.h"
#include "audit/law.h"
#include "audit/plan.h"

namespace speclab {

/// The smallest faults of some classes that the plan's decisions show with at least this power:
/// bonus tokens from t^a, corrections from their law to the power a, tests against d^a where d was
/// sampled, rows rounded to few bits.
/// @param places  by case; classes of the bonus and the correction are of cases of one chain
std::vector<SmallestFault> smallest_faults(const AuditPlan& plan,
                                           const std::vector<const AuditPlace*>& places,
                                           const Verifier& rule, double power);

/// By kind of decision the distances that its tests see with this power. A law is unseen only where
/// no outcome's probability deviates by as much as its own test sees; what it adds to some outcomes
/// it takes from others.
std::vector<SeenDistance> seen_distances(const AuditPlan& plan, const DecisionOrder& order,
                                         double power);

}  // namespace speclab
