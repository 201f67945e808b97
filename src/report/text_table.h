#pragma once

#include <string>
#include <string_view>

#include "document/document.h"

namespace speclab {

/// Columns of text, each as wide as its widest cell, two spaces between them; lines that start with
/// `indent` and have no trailing space.
///
/// A table wider than the page (report/page.h) is folded, by the first of these that is enough:
/// 1. names of columns are broken at spaces; columns that hold the same cell in every row become a
///    line above the table, the last ones first; cells of the first column are broken at spaces;
/// 2. the last columns, where they are text, go on a line below the rest of their row where that
///    has no room for them, at the right, so that only names of rows stand at the left;
/// 3. columns are shown in blocks, one below another, each with the first columns again; a row
///    without a cell in a further block is left out of it.
/// Where the alignment has a bar, and 2 would fold most of the rows that have such a text, the
/// table becomes two there instead, the first columns again in the second; each has the rows that
/// it has a cell for.
std::string text_of(const TextTable& table, std::string_view indent);

}  // namespace speclab
