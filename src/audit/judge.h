#pragma once

#include <vector>

#include "audit/aspect.h"
#include "audit/plan.h"

namespace speclab {

/// Holds what was seen to the laws: an exact binomial test of every key, Holm's step-down over all
/// tests of the audit, so that a right implementation is accused with probability at most
/// `false_alarm`. A key that the law never gives is a finding at once. One finding a decision, in
/// the order of the cases.
/// @param seen  by case
std::vector<AuditFinding> judge(const AuditPlan& plan, const std::vector<SeenKeys>& seen,
                                double false_alarm);

}  // namespace speclab
