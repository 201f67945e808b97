#include "experiment/calibrated.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

/// The numbers of both verifiers at one value of the parameter.
struct Point {
  double fitted = 0, improvement = 0, standard_error = 0;
};

/// The curve of one member, by the value of the parameter.
using Member = std::map<Rational, Point>;

/// What a member's rows share.
std::string member_of(const Calibrated& entry, const TaskPlace& place) {
  std::string text = between_bars(place.pair_template);
  for (const auto& [name, value] : place.vary) {
    if (name != entry.along) text += fmt::format("|{}={}", name, between_bars(value));
  }
  return text;
}

/// The rows of one verifier at a row of the table.
std::vector<ChosenRow> rows_at(const Calibrated& entry, const PrintedTable& table,
                               const TableRow& row, const std::string& verifier,
                               const std::vector<TaskRows>& results) {
  std::vector<ChosenRow> chosen = choose(at_row(entry.rows, table, row, verifier), results);
  if (chosen.empty()) {
    throw InputError(fmt::format("[[calibrated]] finds no result of {} beside row {} of {}",
                                 verifier, row.label, table.name));
  }
  return chosen;
}

/// The members' curves, without the points where the fitted verifier's number is 0: there is no
/// improvement over nothing. @param zeros  is how many these are
std::map<std::string, Member> members_of(const Calibrated& entry,
                                         const std::vector<ChosenRow>& fitted,
                                         const std::vector<ChosenRow>& other, std::size_t& zeros) {
  std::map<std::string, Member> members;
  for (const ChosenRow& a : fitted) {
    const std::string name = member_of(entry, *a.place);
    const std::string* parameter = find_variable(a.place->vary, entry.along);
    if (parameter == nullptr) {
      throw InputError("[[calibrated]] is along '" + abbreviate(entry.along) +
                       "', which is no variable of its task");
    }
    Member& member = members[name];
    if (a.row.value == 0) {
      ++zeros;
      continue;
    }
    for (const ChosenRow& b : other) {
      const std::string* same = find_variable(b.place->vary, entry.along);
      if (same == nullptr || *same != *parameter || member_of(entry, *b.place) != name) continue;
      const double x = a.row.value, y = b.row.value;
      const double errors = std::hypot(b.row.standard_error.value_or(0) / x,
                                       y * a.row.standard_error.value_or(0) / (x * x));
      member[parse_rational(*parameter)] = {x, y / x - 1, errors};
    }
  }
  return members;
}

/// The improvement where the fitted number is `printed`; nothing where no two neighbours have it
/// between them.
std::optional<MemberPrediction> predict(const Member& member, double printed) {
  if (member.empty()) return std::nullopt;
  for (auto next = member.begin(), last = next++; next != member.end(); last = next++) {
    const Point &a = last->second, &b = next->second;
    if (printed < std::min(a.fitted, b.fitted) || printed > std::max(a.fitted, b.fitted)) continue;
    const double share = a.fitted == b.fitted ? 0 : (printed - a.fitted) / (b.fitted - a.fitted);
    return MemberPrediction{a.improvement + share * (b.improvement - a.improvement),
                            std::hypot((1 - share) * a.standard_error, share * b.standard_error)};
  }
  return std::nullopt;
}

void judge(CalibratedResult& result, std::size_t zeros) {
  const auto count = static_cast<double>(result.members.size());
  double low = 0, high = 0, noise = 0;
  for (const MemberPrediction& member : result.members) {
    const bool first = &member == &result.members.front();
    low = first ? member.improvement : std::min(low, member.improvement);
    high = first ? member.improvement : std::max(high, member.improvement);
    noise = std::max(noise, member.standard_error);
    result.mean += member.improvement / count;
  }
  for (const MemberPrediction& member : result.members) {
    result.deviation += std::pow(member.improvement - result.mean, 2) / std::max(count - 1, 1.0);
  }
  result.deviation = std::sqrt(result.deviation);
  result.detail = fmt::format("{} of {} pairs fitted to {}", result.members.size(), result.asked,
                              result.entry->fitted);
  if (zeros > 0) result.detail += fmt::format(", where it is 0 left out ({} results)", zeros);
  if (noise > 0) result.detail += fmt::format(", a standard error of {:.2g} each", noise);
  if (result.members.size() < kFewestMembers || noise > kMostNoise) return;
  const double spread = kSpread * result.deviation;
  const bool within = to_double(result.printed_low) <= result.mean + spread &&
                      to_double(result.printed_high) >= result.mean - spread;
  result.verdict = within ? CalibratedVerdict::within : CalibratedVerdict::outside;
  result.detail += fmt::format("; from {:.3g} to {:.3g}; printed {:.3g} to {:.3g}", low, high,
                               to_double(result.printed_low), to_double(result.printed_high));
}

}  // namespace

std::string_view calibrated_verdict_name(CalibratedVerdict verdict) {
  constexpr std::array<std::string_view, 3> names{"within the spread", "outside the spread",
                                                  "not predicted"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<CalibratedResult> calibrate(const Calibrated& entry,
                                        const std::vector<PrintedTable>& tables,
                                        const std::vector<TaskRows>& results) {
  const PrintedTable& table = table_named(tables, entry.table);
  const std::size_t fitted_column = table.column(entry.fitted + "." + entry.metric);
  const std::size_t other_column = table.column(entry.method + "." + entry.metric);
  std::vector<CalibratedResult> made;
  for (const TableRow& row : table.lines) {
    const auto &fitted = row.numbers[fitted_column], &other = row.numbers[other_column];
    if (row.summary || !fitted || !other) continue;
    CalibratedResult& result = made.emplace_back();
    result.entry = &entry;
    result.table = &table;
    result.row = &row;
    result.fitted = fitted->value;
    result.printed_low =
        (other->value - other->half_unit) / (fitted->value + fitted->half_unit) - 1;
    result.printed_high =
        (other->value + other->half_unit) / (fitted->value - fitted->half_unit) - 1;
    result.chosen = rows_at(entry, table, row, entry.fitted, results);
    std::size_t zeros = 0;
    const auto members = members_of(entry, result.chosen,
                                    rows_at(entry, table, row, entry.verifier, results), zeros);
    result.asked = members.size();
    for (const auto& [name, member] : members) {
      if (const auto found = predict(member, to_double(fitted->value))) {
        result.members.push_back(*found);
      }
    }
    judge(result, zeros);
  }
  return made;
}

std::vector<TaskRows> calibrated_rows(const std::vector<CalibratedResult>& results) {
  std::vector<TaskRows> made;
  for (const CalibratedResult& result : results) {
    const Calibrated& entry = *result.entry;
    const auto row = [&](const std::string& method, const std::string& verifier, double value) {
      TaskRows& rows = made.emplace_back();
      rows.place.task = entry.rows.get("task");
      rows.place.vary = {{"table", entry.table}};
      if (result.table->rows != "gamma") {
        rows.place.vary.emplace_back(result.table->rows, result.row->label);
      }
      rows.place.verifier = verifier;
      rows.place.gamma = result.table->gamma_at(*result.row);
      AnswerRow& number = rows.rows.emplace_back();
      number.method = method;
      number.quantity = entry.rows.get("quantity");
      number.value = value;
      return &number;
    };
    row("printed", entry.fitted, to_double(result.fitted))->index = "fitted";
    AnswerRow* printed = row("printed", entry.verifier,
                             to_double(Rational((result.printed_low + result.printed_high) / 2)));
    printed->low = to_double(result.printed_low);
    printed->high = to_double(result.printed_high);
    if (result.verdict == CalibratedVerdict::open) continue;
    AnswerRow* predicted = row("calibrated", entry.verifier, result.mean);
    predicted->standard_error = result.deviation;
    predicted->low = result.mean - kSpread * result.deviation;
    predicted->high = result.mean + kSpread * result.deviation;
  }
  return made;
}

}  // namespace speclab
