#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace speclab {

/// Rows of a registry under named columns.
struct Listing {
  std::string name;  ///< "pairs": the key of the rows in JSON
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
};

/// A listing as text: `table` gives each row a line with its first cell and an indented line for
/// every other cell that is not empty; `json` is {"NAME": [{COLUMN: cell, ...}, ...]}; `csv` has a
/// header; `markdown` is a table, the first column as code.
std::string render(const Listing& listing, Format format);

/// A cell of a Markdown table: `|` escaped, no line breaks.
std::string markdown_cell(std::string_view text);

/// Such a cell as code, between as many backticks as end it nowhere inside.
std::string markdown_code(std::string_view text);

}  // namespace speclab
