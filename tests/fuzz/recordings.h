#pragma once

#include <cmath>

#include "fuzz.h"
#include "recorded/recording.h"

namespace speclab::fuzz {

/// A law of all tokens, or of those known and the mass of the rest.
inline void check_recorded_row(const RecordedRow& row, Token vocabulary) {
  double sum = row.rest;
  demand(row.rest >= 0, "the mass of the rest is not negative");
  for (const double entry : row.law) {
    demand(entry >= 0 && entry <= 2, "a probability is finite and not negative");
    sum += entry;
  }
  demand(std::abs(sum - 1) <= 1e-9, "a recorded law sums to 1 within rounding");
  if (row.whole()) {
    demand(row.law.size() == static_cast<std::size_t>(vocabulary) && row.rest == 0,
           "a whole row has all tokens");
    return;
  }
  demand(row.law.size() == row.known.size() && row.rest > 0, "a known token has a probability");
  for (std::size_t i = 0; i < row.known.size(); ++i) {
    demand(row.known[i] >= (i == 0 ? 0 : row.known[i - 1] + 1) && row.known[i] < vocabulary,
           "known tokens rise within the vocabulary");
  }
}

/// Reads a path and the rows along it, each of which may be refused.
inline void read_path(const Recording& recording, PathNumber at) {
  constexpr int kFewPositions = 4;
  const auto path = accepted([&] { return recording.path(at); });
  if (!path) return;
  const int length = static_cast<int>(path->tokens.size());
  demand(length > 0 && !path->starts.empty(), "a path has a token and a start");
  for (const Token token : path->tokens) {
    demand(token >= 0 && token < recording.shape().vocabulary, "a token is of the vocabulary");
  }
  for (std::size_t i = 0; i < path->starts.size(); ++i) {
    demand(path->starts[i] >= 0 && path->segment(i) > 0, "an iteration drafts a token");
  }
  for (const RecordedModel model : {RecordedModel::draft, RecordedModel::target}) {
    demand(recording.has_row(model, at, length - 1), "a drafted token has both rows");
    for (int position = 0; position <= std::min(length, kFewPositions); ++position) {
      if (!recording.has_row(model, at, position)) continue;
      RecordedRow row;
      const auto read = accepted([&] { return recording.read(model, at, position, row), true; });
      if (read) check_recorded_row(row, recording.shape().vocabulary);
    }
  }
}

/// Opens a recording and reads of its first prompts and paths what it holds.
/// @returns whether it can be opened
inline bool read_recording(const std::string& path) {
  constexpr std::int64_t kFewPrompts = 3;
  constexpr int kFewPaths = 3;
  const auto recording = accepted([&] { return open_recording(path); });
  if (!recording) return false;
  const RecordingShape& shape = (*recording)->shape();
  demand(shape.vocabulary >= 1 && shape.prompts >= 1 && shape.paths >= 1, "a recording has a path");
  for (std::int64_t prompt = 0; prompt < std::min(shape.prompts, kFewPrompts); ++prompt) {
    for (int number = 0; number < std::min(shape.paths, kFewPaths); ++number) {
      read_path(**recording, {prompt, number});
    }
  }
  return true;
}

}  // namespace speclab::fuzz
