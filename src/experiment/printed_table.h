#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "experiment/selector.h"

namespace speclab {

/// A number as a paper prints it: it stands for every number that rounds to it.
struct PrintedNumber {
  std::string text;  ///< "3.21"
  Rational value;
  Rational half_unit;  ///< half a unit of the last digit: 1/200 of "3.21"
};

/// The method and the metric of a column: "token.efficiency". A metric that ends in % is
/// printed in percent.
struct TableColumn {
  std::string method, metric;

  [[nodiscard]] std::string name() const { return method + "." + metric; }
  [[nodiscard]] bool percent() const { return metric.ends_with('%'); }
};

/// A row of a table: its label, and a number or nothing in each column.
struct TableRow {
  std::string label;
  bool summary = false;  ///< a mean of other rows, say: no row of its own
  std::vector<std::optional<PrintedNumber>> numbers;
};

/// A table of a paper, number by number.
struct PrintedTable {
  int line = 0;
  std::string name;         ///< "sun2025-table1"
  std::string source;       ///< "sun2025, Table 1"
  std::string of;           ///< whose numbers: "PALM-2-S, drafts of PALM-2-XXS"
  std::string gamma;        ///< "" where it is a coordinate of the rows, or there is none
  std::string rows{"row"};  ///< what the labels are: "gamma", a variable, or "row", a name alone
  std::vector<TableColumn> columns;
  std::vector<TableRow> lines;

  /// The place of a column, or nothing.
  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view name) const;
  /// @throws InputError naming the columns where it is none of them
  [[nodiscard]] std::size_t column(std::string_view wanted) const;
  /// The row of this label, or null.
  [[nodiscard]] const TableRow* row(std::string_view label) const;
  /// The draft length at a row, or "".
  [[nodiscard]] std::string gamma_at(const TableRow& row) const {
    return rows == "gamma" ? row.label : gamma;
  }
};

/// The first table of this name. @throws InputError where there is none
const PrintedTable& table_named(const std::vector<PrintedTable>& tables, std::string_view name);

/// Reads a decimal number such as 3.21. @throws InputError
PrintedNumber read_printed_number(const std::string& text);

/// What chooses the results of one verifier at a row of the table, among those of `rows`.
Selector at_row(Selector rows, const PrintedTable& table, const TableRow& row,
                const std::string& verifier);

/// The numbers of a table as rows of results: method "printed"; the method stands in the column
/// `verifier`, the metric in `quantity`, the label in `vary` (or gamma).
std::vector<TaskRows> table_rows(const PrintedTable& table);

}  // namespace speclab
