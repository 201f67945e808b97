#pragma once

#include <string>

#include "report/report.h"

namespace speclab {

/// For reading on a terminal of 100 columns: a block for each combination, with closed forms and
/// verdicts beside the results, and, for several combinations, one line each at the end.
std::string report_table(const Report& report);

}  // namespace speclab
