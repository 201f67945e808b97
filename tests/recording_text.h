#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "model/rows.h"

namespace speclab {

/// The first line of a recording as JSON lines. @param paths  a prompt; 0: it is not said
inline std::string recording_head(Token vocabulary, const std::string& rows = "probabilities",
                                  int paths = 0) {
  return fmt::format(
      R"({{"format": "speclab-recorded", "version": 1, "vocabulary": {}, "rows": "{}"{}}})"
      "\n",
      vocabulary, rows, paths > 0 ? fmt::format(", \"paths\": {}", paths) : "");
}

/// The same of a recording whose drafts are the draft's likeliest tokens.
inline std::string argmax_head(Token vocabulary, int paths = 0) {
  std::string head = recording_head(vocabulary, "probabilities", paths);
  return head.replace(head.rfind('}'), 1, R"(, "drafts": "argmax"})");
}

/// "[1, 2]", every number so that it reads back to the same double.
template <class Numbers>
std::string json_list(const Numbers& numbers) {
  std::string text;
  for (const auto& number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return "[" + text + "]";
}

inline std::string json_rows(const std::vector<std::vector<double>>& rows) {
  std::vector<std::string> lists;
  for (const auto& row : rows) lists.push_back(json_list(row));
  return json_list(lists);
}

/// What a prompt of a recording holds, or one of its paths.
struct RecordedText {
  std::vector<Token> tokens;
  std::vector<std::vector<double>> draft, target;
  std::vector<int> starts;          ///< a flag a position; empty: left out
  std::vector<Token> emitted = {};  ///< a token a position, or -1; empty: left out

  [[nodiscard]] std::string line() const {
    const std::string more = emitted.empty() ? "" : ", \"emitted\": " + json_list(emitted);
    return line_of(json_list(tokens) + more, starts, json_rows(draft), json_rows(target));
  }

  static std::string line_of(const std::string& tokens, const std::vector<int>& starts,
                             const std::string& draft, const std::string& target) {
    return fmt::format("{{\"tokens\": {}{}{}, \"target\": {}}}\n", tokens,
                       starts.empty() ? "" : ", \"starts\": " + json_list(starts),
                       draft.empty() ? "" : ", \"draft\": " + draft, target);
  }
};

/// A prompt of several paths; the starts are those of the first.
inline std::string paths_line(const std::vector<RecordedText>& paths, bool with_draft = true) {
  std::vector<std::string> tokens, draft, target;
  for (const RecordedText& path : paths) {
    tokens.push_back(json_list(path.tokens));
    draft.push_back(json_rows(path.draft));
    target.push_back(json_rows(path.target));
  }
  return RecordedText::line_of(json_list(tokens), paths.front().starts,
                               with_draft ? json_list(draft) : "", json_list(target));
}

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
