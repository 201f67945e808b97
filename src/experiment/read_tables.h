#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/read_entries.h"

namespace speclab {

// The parts of an experiment file that speak of printed tables: see docs/experiments.md.

/// A [[table]]: `columns` names METHOD.METRIC; `numbers` is a text of one line a row, the label
/// first, "-" where nothing is printed.
PrintedTable read_table(TomlTable reader);

/// The [[audit]]s of one entry: one a table and equation.
std::vector<TableAudit> read_audits(TomlTable reader, const std::vector<PrintedTable>& tables);

/// The [[calibrated]]s of one entry: one a table and predicted method.
std::vector<Calibrated> read_calibrated(TomlTable reader, const Names& variables,
                                        const std::vector<PrintedTable>& tables);

/// The numbers of a [[printed]] that names a table: those of its rows (no summary, unless `row`
/// names one), of the columns with its metric (and among its `methods`). Each stands at its method
/// as `verifier` and at the row's draft length or variable. Percents become shares.
std::vector<Printed> printed_of_table(TomlTable& reader, const Printed& first,
                                      const std::vector<PrintedTable>& tables);

}  // namespace speclab
