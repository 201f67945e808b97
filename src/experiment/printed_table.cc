#include "experiment/printed_table.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace speclab {

std::optional<std::size_t> PrintedTable::find_column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &TableColumn::name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::size_t PrintedTable::column(std::string_view wanted) const {
  if (const auto found = find_column(wanted)) return *found;
  std::vector<std::string> names;
  for (const TableColumn& each : columns) names.push_back(each.name());
  throw InputError("'" + abbreviate(wanted) + "' is no column of " + name +
                   suggestion(wanted, names) + "; it has " + join(names));
}

const TableRow* PrintedTable::row(std::string_view label) const {
  const auto found = std::ranges::find(lines, label, &TableRow::label);
  return found == lines.end() ? nullptr : &*found;
}

const PrintedTable& table_named(const std::vector<PrintedTable>& tables, std::string_view name) {
  const auto found = std::ranges::find(tables, name, &PrintedTable::name);
  if (found != tables.end()) return *found;
  std::vector<std::string> names;
  for (const PrintedTable& table : tables) names.push_back(table.name);
  throw InputError("there is no [[table]] '" + abbreviate(name) + "'" + suggestion(name, names));
}

PrintedNumber read_printed_number(const std::string& text) {
  const bool decimal = !text.empty() && text.size() <= 20 &&
                       text.find_first_of("0123456789") != std::string::npos &&
                       text.find_first_not_of("+-.0123456789") == std::string::npos;
  if (!decimal) throw InputError("'" + abbreviate(text) + "' is no decimal number such as 3.21");
  PrintedNumber number{text, parse_rational(text.starts_with('+') ? text.substr(1) : text),
                       Rational(1, 2)};
  const std::size_t point = text.find('.');
  const std::size_t digits = point == std::string::npos ? 0 : text.size() - point - 1;
  for (std::size_t i = 0; i < digits; ++i) number.half_unit /= 10;
  return number;
}

Selector at_row(Selector rows, const PrintedTable& table, const TableRow& row,
                const std::string& verifier) {
  rows.columns.emplace_back("verifier", verifier);
  if (const std::string gamma = table.gamma_at(row); !gamma.empty()) {
    rows.columns.emplace_back("gamma", gamma);
  }
  if (table.rows != "gamma" && table.rows != "row")
    rows.columns.emplace_back(table.rows, row.label);
  return rows;
}

std::vector<TaskRows> table_rows(const PrintedTable& table) {
  std::vector<TaskRows> made;
  for (const TableRow& line : table.lines) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!line.numbers[i]) continue;
      TaskRows& rows = made.emplace_back();
      rows.place.task = table.name;
      rows.place.verifier = table.columns[i].method;
      rows.place.gamma = table.gamma_at(line);
      if (table.rows != "gamma") rows.place.vary = {{table.rows, line.label}};
      AnswerRow& row = rows.rows.emplace_back();
      row.method = "printed";
      row.quantity = table.columns[i].metric;
      row.exact = line.numbers[i]->value;
      row.value = to_double(*row.exact);
    }
  }
  return made;
}

}  // namespace speclab
