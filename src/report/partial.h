#pragma once

#include <string>

#include "report/report.h"

namespace speclab {

/// A report that is not all that was asked for, with a mark that says so, whichever way it is read:
/// a last line of a table, the key "partial" of JSON, a last row of CSV (its first column; the
/// others are empty), a last paragraph of Markdown. Unchanged where `why` is empty.
/// @param why  "interrupted after 54 of 132 checks"
std::string mark_partial(std::string text, Format format, const std::string& why);

}  // namespace speclab
