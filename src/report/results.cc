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

std::string expected_csv(const Experiment& experiment, const std::vector<ExpectedResult>& results) {
  const std::vector<std::string> names{
      "experiment", "line",     "source",  "task",       "pair",       "verifier",
      "vary",       "gamma",    "horizon", "iterations", "quantity",   "index",
      "claim",      "relation", "along",   "printed",    "tolerance",  "ours",
      "exact",      "stderr",   "verdict", "detail",     "explanation"};
  std::string text = csv_line(names);
  for (const ExpectedResult& result : results) {
    const Expected& entry = *result.entry;
    const AnswerRow* row = result.furthest;
    const auto column = [&](const std::string TaskPlace::*field) {
      return shared(result.rows, [&](const TaskPlace& place) { return place.*field; });
    };
    const std::vector<std::string> fields{
        experiment.id,
        std::to_string(entry.line),
        entry.source,
        entry.rows.get("task"),
        column(&TaskPlace::pair),
        column(&TaskPlace::verifier),
        shared(result.rows, [](const TaskPlace& place) { return vary_text(place.vary); }),
        column(&TaskPlace::gamma),
        column(&TaskPlace::horizon),
        column(&TaskPlace::iterations),
        entry.rows.get("quantity"),
        entry.rows.get("index"),
        entry.rows.get("claim"),
        entry.value ? std::string(relation_name(entry.relation)) : entry.trend,
        entry.along,
        entry.printed,
        entry.tolerance_text,
        row != nullptr ? shortest(row->value) : "",
        row != nullptr ? fraction_text(row->exact).value_or("") : "",
        row != nullptr && row->standard_error ? shortest(*row->standard_error) : "",
        std::string(expected_verdict_name(result.verdict)),
        result.detail,
        entry.explanation};
    text += csv_line(fields);
  }
  return text;
}

}  // namespace speclab
