#pragma once

#include <vector>

#include "audit/aspect.h"
#include "audit/plan.h"

namespace speclab {

/// What fits every finding.
struct AuditHints {
  std::vector<std::string> faults;    ///< known faults, the likeliest first
  std::vector<std::string> readings;  ///< laws of the corrections
};

/// Tests the observations against the laws: an exact binomial test of every key, with Holm's
/// step-down over all tests of the audit, those of dependence counted (audit/dependence.h), so that
/// a correct implementation is rejected with probability at most `false_alarm`. A key that is
/// impossible under the law is a finding at once. One finding per decision, in the order of the
/// cases; cases that were not asked have none.
/// @param seen  by case
/// @param hints  what fits all findings, where it is wanted
std::vector<AuditFinding> judge(const AuditPlan& plan, const std::vector<SeenKeys>& seen,
                                double false_alarm, AuditHints* hints = nullptr);

/// How many cases test each kind of decision, and in how many it is wrong; kinds that none tests
/// are left out.
std::vector<DecisionSummary> summary_of(const AuditPlan& plan,
                                        const std::vector<AuditFinding>& findings);

}  // namespace speclab
