#pragma once

#include <vector>

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

}  // namespace speclab
