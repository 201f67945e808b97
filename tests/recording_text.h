#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "model/rows.h"

namespace speclab {

/// The first line of a recording as JSON lines.
inline std::string recording_head(Token vocabulary, const std::string& rows = "probabilities") {
  return fmt::format(
      R"({{"format": "speclab-recorded", "version": 1, "vocabulary": {}, "rows": "{}"}})"
      "\n",
      vocabulary, rows);
}

/// "[1, 2]", every number so that it reads back to the same double.
template <class Numbers>
std::string json_list(const Numbers& numbers) {
  std::string text;
  for (const auto& number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return "[" + text + "]";
}

/// What a prompt of a recording holds.
struct RecordedText {
  std::vector<Token> tokens;
  std::vector<std::vector<double>> draft, target;
  std::vector<int> starts;  ///< a flag a position; empty: left out

  [[nodiscard]] std::string line() const {
    const auto rows = [](const std::vector<std::vector<double>>& all) {
      std::vector<std::string> lists;
      for (const auto& row : all) lists.push_back(json_list(row));
      return json_list(lists);
    };
    return fmt::format("{{\"tokens\": {}{}, \"draft\": {}, \"target\": {}}}\n", json_list(tokens),
                       starts.empty() ? "" : ", \"starts\": " + json_list(starts), rows(draft),
                       rows(target));
  }
};

/// A pair's rows along one path, with the target's after it.
inline RecordedText recorded_path(const Rows<double>& rows, State state,
                                  const std::vector<Token>& tokens) {
  RecordedText text{tokens, {}, {}, {}};
  const auto copy = [](std::span<const double> row) {
    return std::vector<double>(row.begin(), row.end());
  };
  for (const Token token : tokens) {
    text.draft.push_back(copy(rows.draft(state)));
    text.target.push_back(copy(rows.target(state)));
    state = rows.next(state, token);
  }
  text.target.push_back(copy(rows.target(state)));
  return text;
}

}  // namespace speclab
