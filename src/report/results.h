#pragma once

#include <string>
#include <vector>

#include "experiment/expected.h"

namespace speclab {

/// Results of an experiment as comma-separated values: a header and a line a number. Columns:
/// experiment, task and vary ("K=2 drafter=1"), then those of every table (report/csv.h). A formula
/// or a training stands in the column `verifier`.
std::string results_csv(const Experiment& experiment, const std::vector<TaskRows>& results);

/// What the experiment expects as comma-separated values, a line an entry; then what papers print
/// of other models, a line a number, with relation "printed" and verdict "not judged". Columns,
/// each described in docs/experiments.md:
///   experiment, line, source
///   task, pair, verifier, vary, gamma, horizon, iterations    where all its rows have the same
///   quantity, index, claim                                    as asked for
///   relation ("equals", "at_most", "at_least", the trends, "printed"), along
///   printed, tolerance                                        as the file writes them
///   ours, exact, stderr      of the row furthest from it; of a printed number: of the only row
///   verdict                  see ExpectedVerdict
///   detail                   of a printed number: whose it is
///   explanation
std::string expected_csv(const Experiment& experiment, const std::vector<ExpectedResult>& results,
                         const std::vector<PrintedResult>& printed);

}  // namespace speclab
