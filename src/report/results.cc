#include "report/results.h"

#include "report/csv.h"
#include "report/number.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

RowPlace row_place(const TaskPlace& place) {
  return {.pair = place.pair,
          .verifier = place.verifier,
          .gamma = place.gamma,
          .horizon = place.horizon,
          .iterations = place.iterations,
          .arithmetic = place.arithmetic,
          .trials = place.trials ? std::to_string(*place.trials) : "",
          .seed = place.seed ? std::to_string(*place.seed) : ""};
}

/// The text that all rows share, or "".
template <class Field>
std::string shared(const std::vector<ChosenRow>& rows, const Field& field) {
  std::string text;
  for (const ChosenRow& row : rows) {
    check_interrupted();
    const std::string own = field(*row.place);
    if (&row != &rows.front() && own != text) return "";
    text = own;
  }
  return text;
}

const std::vector<std::string> kExpectedColumns{
    "experiment", "line",     "source",  "task",       "pair",        "verifier",
    "vary",       "gamma",    "horizon", "iterations", "quantity",    "index",
    "claim",      "relation", "along",   "printed",    "tolerance",   "ours",
    "exact",      "stderr",   "verdict", "detail",     "explanation", "kind"};

/// A line of what is expected or printed, the columns that are told from its rows filled in.
class ExpectedLine {
 public:
  ExpectedLine(const Experiment& experiment, int line, const std::string& source,
               const Selector& rows, const std::vector<ChosenRow>& chosen) {
    const auto column = [&](const std::string TaskPlace::*field) {
      return shared(chosen, [&](const TaskPlace& place) { return place.*field; });
    };
    fields_ = {experiment.id,
               std::to_string(line),
               source,
               rows.get("task"),
               column(&TaskPlace::pair),
               column(&TaskPlace::verifier),
               shared(chosen, [](const TaskPlace& place) { return vary_text(place.vary); }),
               column(&TaskPlace::gamma),
               column(&TaskPlace::horizon),
               column(&TaskPlace::iterations),
               rows.get("quantity"),
               rows.get("index"),
               rows.get("claim")};
  }

  /// How the number stands to which, and what the file writes.
  ExpectedLine& relation(std::string relation, const std::string& along, const std::string& printed,
                         const std::string& tolerance) {
    fields_.insert(fields_.end(), {std::move(relation), along, printed, tolerance});
    return *this;
  }

  /// Our number; null: none.
  ExpectedLine& ours(const AnswerRow* row) {
    const bool none = row == nullptr;
    fields_.push_back(none ? "" : shortest(row->value));
    fields_.push_back(none ? "" : fraction_text(row->exact).value_or(""));
    fields_.push_back(none || !row->standard_error ? "" : shortest(*row->standard_error));
    return *this;
  }

  [[nodiscard]] std::string text(std::string_view verdict, const std::string& detail,
                                 const std::string& explanation, const std::string& kind) {
    fields_.insert(fields_.end(), {std::string(verdict), detail, explanation, kind});
    return csv_line(fields_);
  }

 private:
  std::vector<std::string> fields_;
};

std::string audit_line(const Experiment& experiment, const AuditResult& result) {
  const TableAudit& entry = *result.found.entry;
  AnswerRow constant;
  if (result.found.constant) {
    constant.exact = result.found.constant;
    constant.value = to_double(*constant.exact);
  }
  return ExpectedLine(experiment, entry.line, entry.source, {entry.line, {{"task", entry.table}}},
                      {})
      .relation("audit", "", "", entry.within_text)
      .ours(result.found.constant ? &constant : nullptr)
      .text(expected_verdict_name(result.verdict), result.found.detail, entry.explanation, "audit");
}

std::string calibrated_line(const Experiment& experiment, const CalibratedResult& result) {
  const Calibrated& entry = *result.entry;
  // The place of a row of its own: what is predicted, at the row of the table.
  ChosenRow row = result.chosen.front();
  TaskPlace place = *row.place;
  place.verifier = entry.verifier;
  place.vary.clear();
  if (result.table->rows != "gamma") place.vary = {{result.table->rows, result.row->label}};
  if (result.chosen.size() > 1) place.pair = "";
  row.place = &place;
  AnswerRow ours;
  ours.value = result.mean;
  ours.standard_error = result.deviation;
  const Rational middle = (result.printed_low + result.printed_high) / 2;
  const bool predicted = result.verdict != CalibratedVerdict::open;
  return ExpectedLine(experiment, entry.line,
                      result.table->source + ", " + result.row->label + ": " + result.table->of,
                      entry.rows, {row})
      .relation("calibrated", entry.along, shortest(to_double(middle)),
                shortest(to_double(Rational((result.printed_high - result.printed_low) / 2))))
      .ours(predicted ? &ours : nullptr)
      .text(calibrated_verdict_name(result.verdict), result.detail, "", "calibrated");
}

}  // namespace

std::string results_csv(const Experiment& experiment, const std::vector<TaskRows>& results) {
  const std::vector<std::string> names{"experiment", "task", "vary"};
  std::string text = csv_header(names);
  std::size_t done = 0;
  for (const TaskRows& task : results) {
    check_interrupted();
    // From the first tasks on it is known how long it will be: to double it each time would take
    // the memory of a long one twice.
    constexpr std::size_t kKnown = 1024;
    if (done++ == kKnown)
      text.reserve(text.size() / kKnown * (results.size() + results.size() / 8));
    const std::vector<std::string> first{experiment.id, task.place.task,
                                         vary_text(task.place.vary)};
    const RowPlace place = row_place(task.place);
    for (const AnswerRow& row : task.rows) text += csv_row(place, row, first);
  }
  return text;
}

std::string expected_csv(const Experiment& experiment, const Checked& checked) {
  std::string text = csv_line(kExpectedColumns);
  for (const ExpectedResult& result : checked.expected) {
    const Expected& entry = *result.entry;
    text += ExpectedLine(experiment, entry.line, entry.source, entry.rows, result.rows)
                .relation(entry.value ? std::string(relation_name(entry.relation)) : entry.trend,
                          entry.along, entry.printed, entry.tolerance_text)
                .ours(result.furthest)
                .text(expected_verdict_name(result.verdict), result.detail, entry.explanation,
                      entry.prints ? "value" : "claim");
  }
  for (const AuditResult& result : checked.audits) text += audit_line(experiment, result);
  for (const CalibratedResult& result : checked.calibrated) {
    text += calibrated_line(experiment, result);
  }
  for (const PrintedResult& result : checked.printed) {
    const Printed& entry = *result.entry;
    text += ExpectedLine(experiment, entry.line, entry.source, entry.rows, result.rows)
                .relation("printed", "", entry.printed, "")
                .ours(result.rows.size() == 1 ? &result.rows.front().row : nullptr)
                .text("not judged", entry.of, "", "other");
  }
  return text;
}

}  // namespace speclab
