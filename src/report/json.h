#pragma once

#include <string>

#include "report/report.h"

namespace speclab {

/// {"results": [...]}, one object a combination, keys in a fixed order, indented by one space a
/// level, ending in a line feed. A number that does not exist is null, and "notes" says why.
std::string report_json(const Report& report);

}  // namespace speclab
