#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace speclab {

/// Columns of text, each as wide as its widest cell, two spaces between them.
class TextTable {
 public:
  /// One letter a column: 'l' left, 'r' right.
  explicit TextTable(std::string alignment) : alignment_(std::move(alignment)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Lines that start with `indent` and have no trailing space.
  [[nodiscard]] std::string text(std::string_view indent = "") const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

/// For reading on a terminal of 100 columns: a block for each combination, with closed forms and
/// verdicts beside the results, and, for several combinations, one line each at the end.
std::string report_table(const Report& report);

/// A Markdown table a pair with one row a combination, fractions where they are of moderate length.
std::string report_markdown(const Report& report);

}  // namespace speclab
