#include "experiment/printed_table.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace speclab {

std::optional<std::size_t> PrintedTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name() == name) return i;
  }
  return std::nullopt;
}

const TableRow* PrintedTable::row(std::string_view label) const {
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [&](const TableRow& line) { return line.label == label; });
  return found == lines.end() ? nullptr : &*found;
}

const PrintedTable* find_table(const std::vector<PrintedTable>& tables, std::string_view name) {
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [&](const PrintedTable& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
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
