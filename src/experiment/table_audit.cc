#include "experiment/table_audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/split.h"
#include "base/text.h"

namespace speclab {
namespace {

/// A row lacks a number that the expression asks for.
struct Missing {};

Interval interval_of(const PrintedNumber& number) {
  return {number.value - number.half_unit, number.value + number.half_unit};
}

/// What names mean at one row of a table.
class CellPlace {
 public:
  CellPlace(const PrintedTable& table, const TableRow& row, const std::vector<PrintedTable>& tables)
      : table_(table), row_(row), tables_(tables) {}

  [[nodiscard]] Bindings bindings() const {
    return {[this](const std::string& name) { return one(name); },
            [this](const std::string& name) { return all(name); }};
  }

 private:
  /// "TABLE:ROW:COLUMN", "TABLE:COLUMN" or "COLUMN".
  struct Parts {
    const PrintedTable* table;
    std::string row;  ///< "" where none is named
    std::size_t column;
  };

  [[nodiscard]] Parts parts_of(const std::string& name) const {
    const std::vector<std::string_view> words = split(name, ":");
    if (words.size() > 3) {
      throw InputError("'" + abbreviate(name) +
                       "' has more than three parts; write TABLE:ROW:COLUMN");
    }
    const PrintedTable& table = words.size() > 1 ? table_named(tables_, words.front()) : table_;
    return {&table, words.size() == 3 ? std::string(words[1]) : "", table.column(words.back())};
  }

  [[nodiscard]] Interval one(const std::string& name) const {
    const Parts parts = parts_of(name);
    const TableRow* row = &row_;
    if (!parts.row.empty() || parts.table != &table_) {
      row = parts.table->row(parts.row.empty() ? row_.label : parts.row);
      if (row == nullptr) {
        if (parts.row.empty()) throw Missing();
        throw InputError("'" + abbreviate(parts.row) + "' is no row of " + parts.table->name);
      }
    }
    if (!row->numbers[parts.column]) throw Missing();
    return interval_of(*row->numbers[parts.column]);
  }

  [[nodiscard]] std::vector<Interval> all(const std::string& name) const {
    const Parts parts = parts_of(name);
    std::vector<Interval> rows;
    for (const TableRow& row : parts.table->lines) {
      if (!row.summary && row.numbers[parts.column]) {
        rows.push_back(interval_of(*row.numbers[parts.column]));
      }
    }
    return rows;
  }

  const PrintedTable& table_;
  const TableRow& row_;
  const std::vector<PrintedTable>& tables_;
};

std::string range_text(const Interval& interval) {
  const double low = to_double(interval.low), high = to_double(interval.high);
  return low < high ? fmt::format("{:.5g} to {:.5g}", low, high) : fmt::format("{:.5g}", low);
}

/// Calls use(row, bindings) at each row of the entry; the rows that lack a number are passed over.
template <class Use>
void each_row(const TableAudit& entry, const PrintedTable& table,
              const std::vector<PrintedTable>& tables, TableAuditResult& result, const Use& use) {
  if (!entry.row.empty() && table.row(entry.row) == nullptr) {
    throw InputError("'" + abbreviate(entry.row) + "' is no row of " + table.name);
  }
  for (const TableRow& row : table.lines) {
    if (entry.row.empty() ? row.summary : row.label != entry.row) continue;
    try {
      const CellPlace place(table, row, tables);
      use(row, place.bindings());
      ++result.rows;
    } catch (const Missing&) {
    }
  }
  if (result.rows == 0) throw InputError("no row of " + table.name + " has all these numbers");
}

void check_equation(const TableAudit& entry, const std::vector<PrintedTable>& tables,
                    TableAuditResult& result) {
  std::string against;
  each_row(entry, *result.table, tables, result, [&](const TableRow& row, const Bindings& names) {
    const Interval left = entry.equation->left.value(names);
    const Interval right = entry.equation->right.value(names);
    if (Equation::possible(entry.equation->relation, left, right)) {
      ++result.held;
    } else {
      against += fmt::format("{} {}: {} against {}", against.empty() ? "; not in" : ",", row.label,
                             range_text(left), range_text(right));
    }
  });
  result.holds = result.held == result.rows;
  result.detail =
      fmt::format("{}: in {} of {} rows{}", entry.text, result.held, result.rows, against);
}

void check_constant(const TableAudit& entry, const std::vector<PrintedTable>& tables,
                    TableAuditResult& result) {
  struct Allowed {
    Interval interval;
    std::string row;
  };
  std::vector<Allowed> all;
  each_row(entry, *result.table, tables, result, [&](const TableRow& row, const Bindings& names) {
    all.push_back({entry.constant->value(names), row.label});
  });
  const auto highest_low = std::max_element(
      all.begin(), all.end(),
      [](const auto& a, const auto& b) { return a.interval.low < b.interval.low; });
  const auto lowest_high = std::min_element(
      all.begin(), all.end(),
      [](const auto& a, const auto& b) { return a.interval.high < b.interval.high; });
  const Rational low = highest_low->interval.low - entry.within;
  const Rational high = lowest_high->interval.high + entry.within;
  result.constant = (low + high) / 2;
  for (const Allowed& each : all) {
    if (each.interval.low - entry.within <= *result.constant &&
        *result.constant <= each.interval.high + entry.within) {
      ++result.held;
    }
  }
  result.holds = low <= high;
  const std::string within = entry.within > 0 ? " within " + entry.within_text : "";
  result.detail =
      result.holds
          ? fmt::format("{}: {}{} in each of {} rows", entry.text, range_text({low, high}), within,
                        result.rows)
          : fmt::format(
                "{}: no one number{} in {} rows; {} allows at most {:.5g}, {} at least {:.5g}",
                entry.text, within, result.rows, lowest_high->row,
                to_double(lowest_high->interval.high), highest_low->row,
                to_double(highest_low->interval.low));
}

}  // namespace

TableAuditResult audit_table(const TableAudit& entry, const std::vector<PrintedTable>& tables) {
  TableAuditResult result;
  result.entry = &entry;
  result.table = &table_named(tables, entry.table);
  if (entry.equation) {
    check_equation(entry, tables, result);
  } else {
    check_constant(entry, tables, result);
  }
  return result;
}

}  // namespace speclab
