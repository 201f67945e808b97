#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/toml_table.h"

namespace speclab {

// The entries of an experiment file besides its tasks: see docs/experiments.md. An entry may stand
// for several: one a value, table, equation or method.

/// The names that selectors may use besides columns: the experiment's variables.
using Names = std::vector<std::string>;

/// @throws InputError where a variable cannot have the name, which is a column's or a key's
void check_variable(const TomlTable& reader, const std::string& name);

/// @throws InputError where the name has other characters than letters, digits, '-' and '_'
void check_name(const TomlTable& reader, const std::string& name);

/// @throws InputError where there is no such quantity
QuantityId read_quantity(const TomlTable& reader, int line, const std::string& path);

/// The columns and variables that a table names. @param quantity  where it names none
Selector read_selector(TomlTable& reader, const Names& variables, const std::string& quantity);

Derived read_derived(TomlTable reader, const Names& variables);
Expected read_expected(TomlTable reader, const Names& variables);

/// A [[printed]] has one `value`; or `values` by the column or variable that `by` names: {token =
/// 3.21, block = 3.49}; or names a table: the numbers of its rows (no summary, unless `row` names
/// one), of the columns with its metric (and among its `methods`). Each belongs to its method as
/// `verifier` and to the row's draft length or variable. Percents become shares.
std::vector<Printed> read_printed(TomlTable reader, const Names& variables,
                                  const std::vector<PrintedTable>& tables);

/// A [[table]]: `columns` names METHOD.METRIC; `numbers` is a text of one line a row, the label
/// first, "-" where nothing is printed.
PrintedTable read_table(TomlTable reader);
std::vector<TableAudit> read_audits(TomlTable reader, const std::vector<PrintedTable>& tables);
std::vector<Calibrated> read_calibrated(TomlTable reader, const Names& variables,
                                        const std::vector<PrintedTable>& tables);

}  // namespace speclab
