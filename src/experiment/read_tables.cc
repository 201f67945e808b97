// The entries about printed tables.

#include <fmt/format.h>

#include <sstream>

#include "base/text.h"
#include "experiment/read_entries.h"

namespace speclab {
namespace {

TableColumn read_column(const TomlTable& reader, const std::string& word) {
  const std::size_t point = word.find('.');
  if (point == std::string::npos || point == 0 || point + 1 == word.size()) {
    reader.refuse("'" + abbreviate(word) + "' is no METHOD.METRIC such as token.efficiency");
  }
  return {word.substr(0, point), word.substr(point + 1)};
}

void read_numbers(TomlTable& reader, PrintedTable& table, const std::vector<std::string>& summary) {
  const toml::node& node = reader.need("numbers", "numbers = \"\"\"\nLM1B 3.21 3.49\n\"\"\"");
  std::istringstream lines(reader.text(node, "numbers"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    TableRow row;
    if (!(words >> row.label)) continue;
    row.summary = contains(summary, row.label);
    if (table.row(row.label) != nullptr) {
      reader.refuse(line_of(node), "the row '" + abbreviate(row.label) + "' is there twice");
    }
    for (std::string word; words >> word;) {
      row.numbers.emplace_back();
      if (word == "-") continue;
      row.numbers.back() = reader.checked(
          line_of(node), [&] { return read_printed_number(word); }, row.label + ": ");
    }
    if (row.numbers.size() != table.columns.size()) {
      reader.refuse(line_of(node), "the row '" + abbreviate(row.label) + "' has " +
                                       std::to_string(row.numbers.size()) + " numbers and not " +
                                       std::to_string(table.columns.size()));
    }
    table.lines.push_back(std::move(row));
  }
  if (table.lines.empty()) reader.refuse(line_of(node), "numbers has no row");
  for (const std::string& label : summary) {
    if (table.row(label) == nullptr) reader.refuse("summary names no row '" + label + "'");
  }
}

/// A share as a decimal: "0.0868" of 8.68 percent.
std::string share_text(const PrintedNumber& percent) {
  std::string digits = percent.text;
  const bool negative = digits.starts_with('-');
  std::erase_if(digits, [](char c) { return c == '-' || c == '+' || c == '.'; });
  const std::size_t point = percent.text.find('.');
  const std::size_t places = 2 + (point == std::string::npos ? 0 : percent.text.size() - point - 1);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, ".");
  return (negative ? "-" : "") + digits;
}

/// Both columns of a method to predict are there. A number that is fitted, where the other one is
/// beside it, is above 0 by more than its rounding, so that there is an improvement over it.
void check_columns(const TomlTable& reader, const PrintedTable& table, const Calibrated& entry) {
  const std::string fitted = entry.fitted + "." + entry.metric;
  const std::size_t at = reader.checked(reader.line(), [&] { return table.column(fitted); });
  const std::size_t other = reader.checked(
      reader.line(), [&] { return table.column(entry.method + "." + entry.metric); });
  for (const TableRow& row : table.lines) {
    const auto& number = row.numbers[at];
    if (row.summary || !number || !row.numbers[other]) continue;
    if (number->value > number->half_unit) continue;
    reader.refuse(
        fmt::format("{}, row {}: {} is {}, and there is no improvement over what may be 0 or less",
                    table.name, abbreviate(row.label), fitted, number->text));
  }
}

const PrintedTable& read_named(const TomlTable& reader, const std::vector<PrintedTable>& tables,
                               const std::string& name) {
  return *reader.checked(reader.line(), [&] { return &table_named(tables, name); });
}

/// The numbers of a [[printed]] that names a table.
std::vector<Printed> printed_of_table(TomlTable& reader, const Printed& first,
                                      const std::vector<PrintedTable>& tables) {
  const PrintedTable& table =
      read_named(reader, tables, reader.text("table", "table = \"sun2025-table4\""));
  const std::string metric = reader.text("metric", "metric = \"efficiency\"");
  const std::vector<std::string> methods = reader.texts("methods");
  const std::string wanted = reader.text_or("row");
  std::vector<Printed> made;
  for (const TableRow& row : table.lines) {
    if (wanted.empty() ? row.summary : row.label != wanted) continue;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const TableColumn& column = table.columns[i];
      if (column.metric != metric || !row.numbers[i]) continue;
      if (!methods.empty() && !contains(methods, column.method)) continue;
      Printed& printed = made.emplace_back(first);
      printed.source = table.source;
      printed.of = table.of;
      if (table.rows == "row" && !row.summary) printed.of += ", " + row.label;
      printed.printed = column.percent() ? share_text(*row.numbers[i]) : row.numbers[i]->text;
      printed.rows = at_row(first.rows, table, row, column.method);
    }
  }
  if (made.empty()) reader.refuse(table.name + " has no number of " + metric + " there");
  return made;
}

/// The numbers of a [[printed]] that has them itself.
std::vector<Printed> printed_values(TomlTable& reader, const Printed& first,
                                    const Names& variables) {
  if (const auto value = reader.number_or("value")) {
    Printed one = first;
    one.printed = value->text;
    return {one};
  }
  const std::string by = reader.text("by", "by = \"verifier\"");
  if (!is_column(by) && !contains(variables, by)) {
    reader.refuse("by names a column or a variable, not '" + abbreviate(by) + "'" +
                  suggestion(by, variables));
  }
  TomlTable values = reader.table("values", "values = {token = 3.21, block = 3.49}");
  std::vector<Printed> made;
  for (const auto& [key, node] : values.raw()) {
    const std::string name(key.str());
    Printed& printed = made.emplace_back(first);
    printed.rows.columns.emplace_back(by, name);
    printed.printed = values.number_or(name)->text;
  }
  if (made.empty()) reader.refuse("values has no number");
  return made;
}

}  // namespace

PrintedTable read_table(TomlTable reader) {
  PrintedTable table;
  table.line = reader.line();
  table.name = reader.text("name", "name = \"sun2025-table1\"");
  check_name(reader, table.name);
  table.source = reader.text("source", "source = \"sun2025, Table 1\"");
  table.of = reader.text("of", "of = \"PALM-2 models\"");
  if (const toml::node* node = reader.find("gamma")) table.gamma = reader.word(*node, "gamma");
  table.rows = reader.text_or("rows", table.rows);
  if (table.rows != "gamma") check_variable(reader, table.rows);
  reader.need("columns", "columns = [\"token.efficiency\", \"block.efficiency\"]");
  for (const std::string& word : reader.texts("columns")) {
    if (table.find_column(word))
      reader.refuse("the column '" + abbreviate(word) + "' is there twice");
    table.columns.push_back(read_column(reader, word));
  }
  read_numbers(reader, table, reader.texts("summary"));
  reader.finish();
  return table;
}

std::vector<TableAudit> read_audits(TomlTable reader, const std::vector<PrintedTable>& tables) {
  TableAudit first;
  first.line = reader.line();
  first.source = reader.text("source", "source = \"sun2025, Table 1\"");
  first.explanation = reader.text_or("explanation");
  first.row = reader.text_or("row");
  reader.need("table", "table = \"sun2025-table1\"");
  const std::vector<std::string> names = reader.texts("table");
  const std::vector<std::string> equations = reader.texts("equation");
  const std::vector<std::string> constants = reader.texts("constant");
  if (equations.empty() == constants.empty()) {
    reader.refuse("[[audit]] has an equation or a constant");
  }
  if (auto within = reader.number_or("within")) {
    if (constants.empty() || within->value < 0) {
      reader.refuse("within is of a constant, and 0 or more");
    }
    first.within = std::move(within->value);
    first.within_text = std::move(within->text);
  }
  std::vector<TableAudit> made;
  for (const std::string& name : names) {
    first.table = read_named(reader, tables, name).name;
    for (const auto* list : {&equations, &constants}) {
      for (const std::string& text : *list) {
        made.push_back(first);
        made.back().text = text;
        reader.checked(reader.line(), [&] {
          if (list == &equations) {
            made.back().equation = Equation::parse(text);
          } else {
            made.back().constant = Expression(text);
          }
        });
      }
    }
  }
  reader.finish();
  return made;
}

std::vector<Calibrated> read_calibrated(TomlTable reader, const Names& variables,
                                        const std::vector<PrintedTable>& tables) {
  Calibrated first;
  first.line = reader.line();
  reader.need("table", "table = \"sun2025-table1\"");
  const std::vector<std::string> names = reader.texts("table");
  first.metric = reader.text("metric", "metric = \"efficiency\"");
  first.along = reader.text("along", "along = \"noise\"");
  if (!contains(variables, first.along)) {
    reader.refuse("along names a variable, not '" + abbreviate(first.along) + "'" +
                  suggestion(first.along, variables));
  }
  first.fitted = reader.text("fitted", "fitted = \"token\"");
  const TomlTable methods = reader.table("predicted", "predicted = {block = \"block\"}");
  for (const char* column : {"verifier", "gamma", "claim", "index", "trials"}) {
    if (reader.find(column) != nullptr) {
      reader.refuse(std::string("[[calibrated]] takes its ") + column + " from the table");
    }
  }
  first.rows = read_selector(reader, variables, "");
  std::vector<Calibrated> made;
  for (const std::string& name : names) {
    const PrintedTable& table = read_named(reader, tables, name);
    first.table = table.name;
    for (const auto& [key, node] : methods.raw()) {
      Calibrated& entry = made.emplace_back(first);
      entry.method = std::string(key.str());
      entry.verifier = methods.text(node, entry.method);
      check_columns(reader, table, entry);
    }
  }
  if (made.empty()) reader.refuse("predicted names no method");
  reader.finish();
  return made;
}

std::vector<Printed> read_printed(TomlTable reader, const Names& variables,
                                  const std::vector<PrintedTable>& tables) {
  Printed first;
  first.line = reader.line();
  const bool table = reader.find("table") != nullptr;
  if (!table) {
    first.source = reader.text("source", "source = \"sun2025, Table 4\"");
    first.of = reader.text("of", "of = \"PALM-2 models\"");
  }
  first.rows = read_selector(reader, variables, "");
  std::vector<Printed> made =
      table ? printed_of_table(reader, first, tables) : printed_values(reader, first, variables);
  reader.finish();
  return made;
}

}  // namespace speclab
