#include "experiment/document.h"

#include "answer/documents/answers.h"
#include "document/number.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

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

/// What the file writes of an entry.
struct EntryText {
  int line = 0;
  std::string source;
  const Selector& rows;
  std::string relation, along, printed, tolerance;
};

/// A row of what is expected or printed, with the columns that follow from its rows.
/// @param ours  null: none
Cells expected_cells(const Experiment& experiment, const EntryText& entry,
                     const std::vector<ChosenRow>& chosen, const AnswerRow* ours,
                     std::string_view verdict, const std::string& detail,
                     const std::string& explanation, const char* kind) {
  const auto column = [&](const std::string TaskPlace::*field) {
    return shared(chosen, [&](const TaskPlace& place) { return place.*field; });
  };
  const bool none = ours == nullptr;
  return {experiment.id,
          entry.line,
          entry.source,
          entry.rows.get("task"),
          column(&TaskPlace::pair),
          column(&TaskPlace::verifier),
          shared(chosen, [](const TaskPlace& place) { return vary_text(place.vary); }),
          column(&TaskPlace::gamma),
          column(&TaskPlace::horizon),
          column(&TaskPlace::iterations),
          entry.rows.get("quantity"),
          entry.rows.get("index"),
          entry.rows.get("claim"),
          entry.relation,
          entry.along,
          entry.printed,
          entry.tolerance,
          none ? Json() : ours->value,
          none ? Json() : fraction_text(ours->exact),
          none ? Json() : ours->standard_error,
          verdict,
          detail,
          explanation,
          kind};
}

Cells audit_cells(const Experiment& experiment, const AuditResult& result) {
  const TableAudit& entry = *result.found.entry;
  AnswerRow constant;
  if (result.found.constant) {
    constant.exact = result.found.constant;
    constant.value = to_double(*constant.exact);
  }
  const Selector rows{entry.line, {{"task", entry.table}}};
  return expected_cells(
      experiment, {entry.line, entry.source, rows, "audit", "", "", entry.within_text}, {},
      result.found.constant ? &constant : nullptr, expected_verdict_name(result.verdict),
      result.found.detail, entry.explanation, "audit");
}

Cells calibrated_cells(const Experiment& experiment, const CalibratedResult& result) {
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
  const Rational spread = (result.printed_high - result.printed_low) / 2;
  const bool predicted = result.verdict != CalibratedVerdict::open;
  return expected_cells(
      experiment,
      {entry.line, result.table->source + ", " + result.row->label + ": " + result.table->of,
       entry.rows, "calibrated", entry.along, shortest(to_double(middle)),
       shortest(to_double(spread))},
      {row}, predicted ? &ours : nullptr, calibrated_verdict_name(result.verdict), result.detail,
      "", "calibrated");
}

void add_entries(const Experiment& experiment, const Checked& checked, const AddRow& add) {
  for (const ExpectedResult& result : checked.expected) {
    const Expected& entry = *result.entry;
    const std::string relation =
        entry.value ? std::string(relation_name(entry.relation)) : entry.trend;
    add(expected_cells(experiment,
                       {entry.line, entry.source, entry.rows, relation, entry.along, entry.printed,
                        entry.tolerance_text},
                       result.rows, result.furthest, expected_verdict_name(result.verdict),
                       result.detail, entry.explanation, entry.prints ? "value" : "claim"));
  }
  for (const AuditResult& result : checked.audits) add(audit_cells(experiment, result));
  for (const CalibratedResult& result : checked.calibrated) {
    add(calibrated_cells(experiment, result));
  }
  for (const PrintedResult& result : checked.printed) {
    const Printed& entry = *result.entry;
    add(expected_cells(experiment,
                       {entry.line, entry.source, entry.rows, "printed", "", entry.printed, ""},
                       result.rows, result.rows.size() == 1 ? &result.rows.front().row : nullptr,
                       "not judged", entry.of, "", "other"));
  }
}

void add_results(const Experiment& experiment, const std::vector<TaskRows>& results,
                 const AddRow& add) {
  for (const TaskRows& task : results) {
    check_interrupted();
    const TaskPlace& place = task.place;
    const Cells first{experiment.id, place.task, vary_text(place.vary)};
    const RowPlace row_place{place.pair,       place.verifier,   place.gamma,  place.horizon,
                             place.iterations, place.arithmetic, place.trials, place.seed};
    for (const AnswerRow& row : task.rows) add(result_cells(row_place, row, first));
  }
}

}  // namespace

Document results_document(const Experiment& experiment, const std::vector<TaskRows>& results) {
  std::size_t rows = 0;
  for (const TaskRows& task : results) rows += task.rows.size();
  return {.columns = result_column_names({"experiment", "task", "vary"}),
          .rows = [&](const AddRow& add) { add_results(experiment, results, add); },
          .expected_rows = rows};
}

Document expected_document(const Experiment& experiment, const Checked& checked) {
  return {.columns = {"experiment", "line",     "source",  "task",       "pair",        "verifier",
                      "vary",       "gamma",    "horizon", "iterations", "quantity",    "index",
                      "claim",      "relation", "along",   "printed",    "tolerance",   "ours",
                      "exact",      "stderr",   "verdict", "detail",     "explanation", "kind"},
          .rows = [&](const AddRow& add) { add_entries(experiment, checked, add); }};
}

}  // namespace speclab
