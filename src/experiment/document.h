#pragma once

#include <vector>

#include "document/document.h"
#include "experiment/expected.h"

namespace speclab {

/// Results of an experiment, for CSV: a row a number. Columns: experiment, task and vary ("K=2
/// drafter=1"), then those of every table (answer/document.h). A formula or a training stands in
/// the column `verifier`.
/// @pre both outlive the document
Document results_document(const Experiment& experiment, const std::vector<TaskRows>& results);

/// What came of an experiment's entries, for CSV: a row an [[expected]], a row
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
/// @pre both, and the results that were checked, outlive the document
Document expected_document(const Experiment& experiment, const Checked& checked);

}  // namespace speclab
