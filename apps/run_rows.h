#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "run_experiment.h"

namespace speclab {

/// One number of an experiment's results: a line of its CSV.
struct ResultRow {
  std::string quantity;  ///< its path in JSON, without element number
  std::string index;     ///< of an element: tau for iteration.accepted_law, i for E[N(i)]
  double value = 0;
  std::string exact;                                ///< the fraction, or ""
  std::optional<double> standard_error, low, high;  ///< of an estimate
  std::string claim;                                ///< of a closed form, or ""
  std::string relation;                             ///< of a closed form
  std::optional<double> z;
  std::string verdict;  ///< of a closed form beside a result
};

/// Rows of one task, and where it stands.
struct TaskRows {
  std::string task;  ///< the group's name, or that of a derived quantity
  std::string kind;  ///< or "derived"
  Variables vary;
  std::string pair_template, verifier_template;
  std::string pair, verifier;  ///< canonical
  std::optional<int> gamma, horizon;
  std::optional<std::uint64_t> trials, seed;
  std::vector<ResultRow> rows;
};

/// The rows of a record: its quantities, then its closed forms.
std::vector<ResultRow> record_rows(const Record& record);

/// One closed form, not held against anything.
ResultRow prediction_row(const Prediction& prediction);

/// Keeps the rows whose quantity is one of `keep`; all where it is empty.
void keep_rows(std::vector<ResultRow>& rows, const std::vector<std::string>& keep);

/// Rows as JSON text, and back.
std::string rows_text(const std::vector<ResultRow>& rows);
std::vector<ResultRow> read_rows(const std::string& text);

/// Adds iteration.accepted_tail, P(tau >= i), to every whole exact or closed-form law of tau.
void add_tails(std::vector<ResultRow>& rows);

/// Whether --quick leaves a group out, or what a derived quantity is made of.
bool left_out(const Experiment& experiment, const std::string& task, bool quick);

/// The results with the derived quantities behind them, in the order of the file; one may be
/// derived from those before it. Each row of `of` with the row of `over` that agrees with it.
/// Standard errors by the delta method; different tasks draw from different streams and are
/// independent.
/// @throws InputError naming the entry's line where nothing, or more than one row, agrees
std::vector<TaskRows> derive(const Experiment& experiment, std::vector<TaskRows> results,
                             bool quick);

/// A row of results with its place.
struct ChosenRow {
  const TaskRows* place;
  const ResultRow* row;
};

/// The rows that a selector chooses, in order; of results after several numbers of trials the last.
std::vector<ChosenRow> choose(const Selector& selector, const std::vector<TaskRows>& results);

/// Comma-separated values, a header and a line a row, as of report/csv.h. Columns, empty where they
/// do not apply:
///   experiment, task, kind       the file, the group or derived quantity, how it was found
///   vary                         "NAME=VALUE NAME=VALUE", by name
///   pair, verifier               canonical spec text (a formula stands in `verifier`); of a
///   derived
///                                quantity the verifier of `of`
///   gamma, horizon, trials, seed
///   quantity, index, value, exact, stderr, ci95_low, ci95_high
///   claim, relation, z, verdict  of a closed form, whose value is in `value`
std::string results_csv(const Experiment& experiment, const std::vector<TaskRows>& results);

}  // namespace speclab
