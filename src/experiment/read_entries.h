#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/toml_table.h"

namespace speclab {

// The parts of an experiment file that choose rows of its results: see docs/experiments.md.

/// The names that selectors may use besides columns: the experiment's variables.
using Names = std::vector<std::string>;

/// @throws InputError where a variable cannot be called so: the name is a column's or a key's
void check_variable(const TomlTable& reader, const std::string& name);

/// @throws InputError where the name has other than letters, digits, '-' and '_'
void check_name(const TomlTable& reader, const std::string& name);

/// @throws InputError where there is no such quantity
QuantityId read_quantity(const TomlTable& reader, int line, const std::string& path);

/// The columns and variables that a table names. @param quantity  where it names none
Selector read_selector(TomlTable& reader, const Names& variables, const std::string& quantity);

Derived read_derived(TomlTable reader, const Names& variables);
Expected read_expected(TomlTable reader, const Names& variables);

/// A [[printed]] has one `value`; or `values` by the column or variable that `by` names: {token =
/// 3.21, block = 3.49}; or names a table among `tables` (see printed_of_table).
std::vector<Printed> read_printed(TomlTable reader, const Names& variables,
                                  const std::vector<PrintedTable>& tables);

}  // namespace speclab
