#pragma once

#include <vector>

#include "document/document.h"
#include "experiment/expected.h"

namespace speclab {

/// Results of an experiment, for CSV: a row a number. Columns: experiment, task and vary ("K=2
/// drafter=1"), then those of every table (answer/documents/answers.h). A formula or a training
/// stands in the column `verifier`.
/// @pre both outlive the document
Document results_document(const Experiment& experiment, const std::vector<TaskRows>& results);

/// What became of an experiment's entries, for CSV: a row an [[expected]], a row an [[audit]], a
/// row a printed number with a prediction by [[calibrated]], then a row a [[printed]] number of
/// other models (relation "printed", verdict "not judged"). docs/experiments.md describes the
/// columns.
/// @pre both, and the results that were checked, outlive the document
Document expected_document(const Experiment& experiment, const Checked& checked);

}  // namespace speclab
