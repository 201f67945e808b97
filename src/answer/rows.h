#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "answer/comparison.h"

namespace speclab {

/// One number of an answer with its place, beside the closed form that it must equal: what a line
/// of CSV holds and what experiments choose from. Another equality on the same number, a bound, and
/// a closed form of what was not found are rows of their own (see `method`).
struct AnswerRow {
  /// "exact", "simulate"; "closed-form" or "bound" of a row that holds a closed form alone; and of
  /// experiments "formula", "train", "derived".
  std::string method;
  std::string quantity;  ///< path
  std::string index;     ///< see index_text
  double value = 0;
  std::optional<Rational> exact;
  std::optional<double> standard_error, low, high;  ///< of an estimate
  std::optional<double> predicted;
  std::optional<Rational> predicted_exact;
  std::string claim;
  std::string relation;  ///< of a closed form
  std::optional<double> z;
  std::string verdict;

  bool operator==(const AnswerRow&) const = default;
};

/// A row of one number. @param index  as AnswerRow::index
AnswerRow value_row(std::string_view method, QuantityId id, std::string index, const Value& value);

/// The method of rows that hold a bound alone.
inline constexpr std::string_view kBoundMethod = "bound";

/// Whether this is the method of rows that hold a closed form or a bound alone.
inline bool form_alone(std::string_view method) {
  return method == "closed-form" || method == kBoundMethod;
}

/// The rows of an answer: its numbers in the order of the quantities, then bounds and further
/// closed forms in the order of the predictions.
std::vector<AnswerRow> rows_of(const Answer& answer);

}  // namespace speclab
