#pragma once

#include <string>

#include "report/report.h"

namespace speclab {

// One line for each combination of verifier and draft length, under its pair.

/// For a terminal, under the heading "all combinations". @pre the report is not empty
std::string overview_table(const Report& report);

/// A Markdown table a pair, fractions where they are of moderate length.
std::string report_markdown(const Report& report);

}  // namespace speclab
