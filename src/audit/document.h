#pragma once

#include <optional>
#include <vector>

#include "audit/audit.h"
#include "document/document.h"

namespace speclab {

/// What `audit` found (docs/formats.md), in every format.
/// - table: the verdict, what it is worth, the findings, a line a case (of more than 40 those with
///   findings alone), the known faults that the mode cannot show.
/// - csv: a row a finding, and one for each case without any.
/// - junit: each case a test case; with `seconds`, what the audit took, the suite has that time and
///   each case its share by decisions: cases are asked mixed.
Document audit_document(const AuditReport& report, std::optional<double> seconds = {});

/// The cases alone, for a terminal and as JSON.
Document cases_document(const std::vector<AuditCase>& cases);

}  // namespace speclab
