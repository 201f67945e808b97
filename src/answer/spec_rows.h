#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/rows.h"

namespace speclab {

// Rows that a spec text gives without a question: closed forms that belong to no verifier, and the
// training of a low-complexity verifier.

/// Rows, and the canonical spec text of what they were computed from.
struct SpecRows {
  std::string name;
  std::vector<AnswerRow> rows;
};

/// The values of a formula (theory/formulas.h), method "formula".
/// @param pair  null where the formula takes none
/// @throws InputError naming the spec, the parameter and what to write; also where the pair is
/// missing or outside the formula's hypotheses
SpecRows formula_rows_of(std::string_view text, const PairPointer& pair, int gamma,
                         Arithmetic arithmetic);

/// The report of a training "train(lambda=...)", method "train", and the file of rates that
/// sprinter(rates=FILE) reads.
struct TrainedRows : SpecRows {
  std::string rates_file;  ///< its text
};

/// Trains a verifier for the pair. @throws InputError naming the spec, the parameter and what to
/// write; LimitError where the training needs more memory than there is
TrainedRows trained_rows_of(std::string_view text, const PairPointer& pair);

}  // namespace speclab
