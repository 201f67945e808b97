#pragma once

#include <string>
#include <vector>

#include "audit/document.h"

namespace speclab {

/// "[0,1] [1,1]": the chains of a case.
std::string drafted_text(const AuditCase& each);

/// "DECISION: DETAIL (TV 0.1, p = 1e-9)".
std::string finding_text(const AuditFinding& finding);

std::vector<const AuditFinding*> findings_of(const AuditReport& report, const AuditCase& each);

/// The findings case by case: of the first cases the laws, the counts and the command that asks
/// them again; in Markdown a table.
Page finding_page(const AuditReport& report, bool markdown, const RerunCommand& rerun);

}  // namespace speclab
