#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "document/document.h"

namespace speclab {

/// The command that asks one case again.
using RerunCommand = std::function<std::string(int number)>;

/// What `audit` found (docs/formats.md), in every format.
/// - table: the verdict, a summary by kind of decision, what fits every finding, what the verdict
/// is
///   worth, the findings case by case (the first cases with their laws, counts and the command that
///   asks them again), a line a case (of more than 40 those with findings alone), the known faults
///   that the audit cannot show.
/// - csv: a row a finding, and one for each case without any.
/// - junit: each case a test case; with `seconds`, what the audit took, the suite has that time and
///   each case its share by decisions: cases are asked mixed.
Document audit_document(const AuditReport& report, std::optional<double> seconds = {},
                        const RerunCommand& rerun = {});

/// The cases alone, for a terminal and as JSON.
Document cases_document(const std::vector<AuditCase>& cases);

}  // namespace speclab
