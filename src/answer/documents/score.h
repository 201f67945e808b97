#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/documents/advice.h"
#include "answer/scores.h"
#include "document/document.h"

namespace speclab {

/// What `score` reports.
struct ScoreReport {
  PairPointer pair;  ///< the files
  std::string by;    ///< the field that parts the texts; "" for none
  bool drawn = true;
  ScoreResult result;
  std::vector<Score> scores;
  std::vector<ScoreGain> gains;
  std::optional<ObservedComparison> observed;
  std::vector<PairAdvice> advice;  ///< of every group, where costs are given
};

/// In every format; docs/formats.md has the JSON.
/// @pre the report outlives the document
Document score_document(const ScoreReport& report);

}  // namespace speclab
