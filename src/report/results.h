#pragma once

#include <string>
#include <vector>

#include "experiment/expected.h"

namespace speclab {

/// Results of an experiment as comma-separated values: a header and a line a number. Columns:
/// experiment, task and vary ("K=2 drafter=1"), then those of every table (report/csv.h). A formula
/// or a training stands in the column `verifier`.
std::string results_csv(const Experiment& experiment, const std::vector<TaskRows>& results);

/// What came of an experiment's entries as comma-separated values: a line an [[expected]], a line
/// an
/// [[audit]], a line a printed number with a prediction by [[calibrated]], then a line a
/// [[printed]] number of other models (relation "printed", verdict "not judged"). Columns, each
/// described in docs/experiments.md:
///   experiment, line, source
///   task, pair, verifier, vary, gamma, horizon, iterations    where all its rows have the same
///   quantity, index, claim                                    as asked for
///   relation ("equals", "at_most", "at_least", the trends, "audit", "calibrated", "printed"),
///   along printed, tolerance       as the file writes them; of a calibrated number: the
///   improvement ours, exact, stderr      of the row furthest from it; of a printed number: of the
///   only row; of
///                            a calibrated one: mean and standard deviation of the ensemble
///   verdict                  see ExpectedVerdict, CalibratedVerdict
///   detail                   of a printed number: whose it is
///   explanation
///   kind                     "value" (the paper prints it of this model), "claim", "audit",
///                            "calibrated", "other" (of another model)
std::string expected_csv(const Experiment& experiment, const Checked& checked);

}  // namespace speclab
