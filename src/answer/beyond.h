#pragma once

#include <optional>
#include <string>

#include "answer/answer.h"

namespace speclab {

/// Whether it is known without counting that the first iteration has too many sequences of
/// decisions: on a memoryless pair a verifier that does not decide step by step has at least one
/// for each two drafted tokens, of which a merged enumeration merges hardly any.
/// @throws what check_lengths throws
bool clearly_beyond(const Question& question, double max_paths);

/// The first iteration of a question whose sequences of decisions are too many to enumerate, and
/// with a horizon its decode, by closed forms: their numbers stand beside no result, as
/// predictions, or as two bounds that enclose a number. The work may be some hundred times that of
/// a closed form beside a result. Of fewer than 1024 tokens in the question's arithmetic, where
/// that is within the work; else in doubles.
/// @param reason  why it was not enumerated, for a note
/// @throws what check_lengths throws
/// @returns nothing where more is asked than these, for a first iteration of at most a million
/// draft sets of fewer than 1024 tokens, where no closed form gives or encloses E[accepted]
/// (with a horizon the target calls), or where that may take more than max_memory bytes
std::optional<Answer> answer_beyond(const Question& question, const std::string& reason,
                                    double max_memory);

}  // namespace speclab
