#pragma once

#include <string>

#include "document/document.h"
#include "document/shell.h"

namespace speclab {

enum class Format { table, json, csv, markdown, junit };

/// A document in a format; a partial one is marked: a last line of a table, the key "partial" of
/// JSON, a last row of CSV (its first column; the others are empty), a last paragraph of Markdown,
/// a test case with an error of JUnit.
/// An empty document, without rows and data, is "".
/// - table: for a terminal, folded to the page (report/page.h). Rows without a text of their own
///   have a line each with their first cell, and an indented line for every other cell that is not
///   empty.
/// - json: indented, members in order, ending in a line feed.
/// - csv: a header and a line a row, RFC 4180 quoting, lines ending in a line feed, numbers that
///   read back to the same double.
/// - junit: the suite. @pre the document has one
std::string render(const Document& document, Format format);

}  // namespace speclab
