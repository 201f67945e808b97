#pragma once

#include <optional>
#include <span>
#include <string>

#include "audit/audit.h"

namespace speclab {

enum class AuditFormat { table, json, csv, junit, markdown };

/// The report as text.
/// - table: the verdict, trials, false alarm and power; a line a case; the findings; the known
///   faults that the mode cannot show.
/// - json: see docs/formats.md. - csv: a row a finding, and one for each case without any.
/// - junit: each case a test case; with `seconds`, what the audit took, the suite has that `time`
///   and each case its share by decisions: cases are asked mixed. - markdown: a page.
/// All but `junit`, which shows times, are the same bytes for the same results.
std::string render(const AuditReport& report, AuditFormat format,
                   std::optional<double> seconds = {});

/// The cases alone, `table` or `json`.
std::string render(std::span<const AuditCase> cases, AuditFormat format);

}  // namespace speclab
