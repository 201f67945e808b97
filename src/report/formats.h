#pragma once

#include <string>
#include <string_view>

#include "document/document.h"

namespace speclab {

// A document in one format each; see report/report.h.

std::string csv_text(const Document& document);
std::string json_text(const Document& document);
std::string junit_text(const Document& document);
std::string markdown_text(const Document& document);
std::string terminal_text(const Document& document);

/// One field of CSV, quoted where it holds a comma, a quote or a line break; behind a `'` where a
/// spreadsheet would take it for a formula (it begins with =, @, a tab, or a sign without a
/// number; the name of an option, `--gamma`, is none).
std::string csv_field(std::string_view text);

/// A cell of a Markdown table: `|` escaped, no line breaks.
std::string markdown_cell(std::string_view text);

/// Such a cell as code, between as many backticks as end it nowhere inside.
std::string markdown_code(std::string_view text);

}  // namespace speclab
