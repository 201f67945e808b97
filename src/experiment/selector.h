#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/results.h"

namespace speclab {

/// Chooses rows of results: a set of column = value. One dialect for [[derived]], [[expected]] and
/// the figures (plots/lab.py has its twin; docs/experiments.md describes it to users).
///
/// A column is one of selector_columns() or a variable of the experiment. A row is chosen where all
/// its columns have these values, as text, and
///   pair, verifier   may be the family alone: "batch" chooses batch(M=2) and batch(M=4)
///   gamma, horizon, iterations, index, variables    4 and "4" are the same
///   claim            chooses the closed form of that claim, and its number: `predicted` of the row
///                    that carries it, or the value of a closed form's or bound's own row
///   trials = "all"   chooses results after every number of trials; else those after the most
/// Without `claim` and `method`, rows that are a closed form or a bound alone are not chosen.
struct Selector {
  int line = 0;  ///< in the experiment file
  std::vector<std::pair<std::string, std::string>> columns;

  /// The value asked for, or null.
  [[nodiscard]] const std::string* find(std::string_view column) const;
  /// The value asked for, or "".
  [[nodiscard]] std::string get(std::string_view column) const;
};

/// task, pair, verifier, gamma, horizon, iterations, trials, method, quantity, index, claim.
std::span<const std::string_view> selector_columns();
inline bool is_column(std::string_view name) {
  return std::ranges::find(selector_columns(), name) != selector_columns().end();
}

/// A row that was chosen, and where it stands.
struct ChosenRow {
  const TaskPlace* place = nullptr;
  AnswerRow row;  ///< with a claim asked for: the closed form's number in `value` and `exact`
};

/// Whether the columns that a place has are as asked for (trials, method, quantity, index and claim
/// aside).
bool chooses(const Selector& selector, const TaskPlace& place);

/// Whether the columns of a row within its place are as asked for.
bool chooses(const Selector& selector, const AnswerRow& row);

/// The rows chosen, in the order of the results.
std::vector<ChosenRow> choose(const Selector& selector, std::span<const TaskRows> results);

}  // namespace speclab
