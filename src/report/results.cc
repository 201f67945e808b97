#include "report/results.h"

#include "report/csv.h"
#include "report/number.h"

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
    const std::string own = field(*row.place);
    if (&row != &rows.front() && own != text) return "";
    text = own;
  }
  return text;
}

const std::vector<std::string> kExpectedColumns{
    "experiment", "line",     "source",  "task",       "pair",       "verifier",
    "vary",       "gamma",    "horizon", "iterations", "quantity",   "index",
    "claim",      "relation", "along",   "printed",    "tolerance",  "ours",
    "exact",      "stderr",   "verdict", "detail",     "explanation"};

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

  [[nodiscard]] std::string text(std::string verdict, const std::string& detail,
                                 const std::string& explanation) {
    fields_.insert(fields_.end(), {std::move(verdict), detail, explanation});
    return csv_line(fields_);
  }

 private:
  std::vector<std::string> fields_;
};

}  // namespace

std::string results_csv(const Experiment& experiment, const std::vector<TaskRows>& results) {
  const std::vector<std::string> names{"experiment", "task", "vary"};
  std::string text = csv_header(names);
  for (const TaskRows& task : results) {
    const std::vector<std::string> first{experiment.id, task.place.task,
                                         vary_text(task.place.vary)};
    const RowPlace place = row_place(task.place);
    for (const AnswerRow& row : task.rows) text += csv_row(place, row, first);
  }
  return text;
}

std::string expected_csv(const Experiment& experiment, const std::vector<ExpectedResult>& results,
                         const std::vector<PrintedResult>& printed) {
  std::string text = csv_line(kExpectedColumns);
  for (const ExpectedResult& result : results) {
    const Expected& entry = *result.entry;
    text += ExpectedLine(experiment, entry.line, entry.source, entry.rows, result.rows)
                .relation(entry.value ? std::string(relation_name(entry.relation)) : entry.trend,
                          entry.along, entry.printed, entry.tolerance_text)
                .ours(result.furthest)
                .text(std::string(expected_verdict_name(result.verdict)), result.detail,
                      entry.explanation);
  }
  for (const PrintedResult& result : printed) {
    const Printed& entry = *result.entry;
    text += ExpectedLine(experiment, entry.line, entry.source, entry.rows, result.rows)
                .relation("printed", "", entry.printed, "")
                .ours(result.rows.size() == 1 ? &result.rows.front().row : nullptr)
                .text("not judged", entry.of, "");
  }
  return text;
}

}  // namespace speclab
