#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/advice.h"
#include "document/document.h"

namespace speclab {

/// The advice on one pair.
struct PairAdvice {
  PairPointer pair;
  std::optional<int>
      horizon;        ///< tokens of a decode; none of a recording, which has no seed either
  std::string costs;  ///< as written
  Advice advice;
};

/// What `advise` found, in every format (docs/formats.md): for a terminal the choice, its lead, a
/// line a candidate, then how the choice moves with the costs; in CSV and Markdown a row a
/// candidate.
/// @pre the advice outlives the document
Document advice_document(const std::vector<PairAdvice>& all);

/// Two verifiers asked the same trials.
struct PairComparison {
  PairPointer pair;
  std::string first, second;  ///< the verifiers
  int gamma = 0;
  std::string quantity;  ///< what is compared
  Estimate first_value, second_value;
  PairedDifference paired;
  std::uint64_t trials = 0;           ///< or iterations of a recording
  std::optional<std::uint64_t> seed;  ///< none of a recording
};

/// Comparisons in every format; in CSV and Markdown a row each.
/// @pre they outlive the document
Document comparisons_document(const std::vector<PairComparison>& all);

}  // namespace speclab
