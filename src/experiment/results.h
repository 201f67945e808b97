#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/rows.h"

namespace speclab {

/// Values of the variables of one combination, in the order of their names.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// The value of a variable, or null.
const std::string* find_variable(const Variables& variables, std::string_view name);

/// "K=2 drafter=1": the column `vary`.
std::string vary_text(const Variables& variables);

/// A value as it stands between bars, with the bars in it escaped: no two lists of values that bars
/// join give the same text.
std::string between_bars(std::string_view value);

/// The columns that the rows of one combination of an experiment have in common. Empty where a
/// column does not apply: a formula may have no pair, a training no gamma.
struct TaskPlace {
  std::string task;  ///< the name of the [[task]] or [[derived]]
  Variables vary;
  /// As the file writes them, variables not filled in. Rows of one series of a trend share them.
  std::string pair_template, verifier_template;
  std::string pair, verifier;  ///< canonical; a formula or a training stands in `verifier`
  std::string gamma, horizon, iterations, arithmetic;
  std::optional<std::uint64_t> trials, seed;

  /// The column of this name: task, gamma, horizon, iterations or a variable; null where there is
  /// none.
  [[nodiscard]] const std::string* column(std::string_view name) const;

  auto operator<=>(const TaskPlace&) const = default;  // NOLINT(modernize-use-nullptr): no pointer
};

/// The rows of one combination; of a simulation those after one number of trials.
struct TaskRows {
  TaskPlace place;
  std::vector<AnswerRow> rows;
};

}  // namespace speclab
