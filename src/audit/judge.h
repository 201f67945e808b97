#pragma once

#include <vector>

#include "audit/aspect.h"
#include "audit/plan.h"

namespace speclab {

/// Tests the observations against the laws: an exact binomial test of every key, with Holm's
/// step-down over all tests of the audit, so that a correct implementation is rejected with
/// probability at most `false_alarm`. A key that is impossible under the law is a finding at once.
/// One finding per decision, in the order of the cases.
/// @param seen  by case
std::vector<AuditFinding> judge(const AuditPlan& plan, const std::vector<SeenKeys>& seen,
                                double false_alarm);

}  // namespace speclab
