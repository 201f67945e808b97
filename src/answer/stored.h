#pragma once

#include <cstdint>
#include <string>

#include "answer/answer.h"
#include "simulate/tally.h"

namespace speclab {

// What a store of results keeps of a question: answers without trials, and tallies. Both are JSON
// text that reads back to the same value. The text does not contain the question.

/// The text under which a question's results are stored: its key, the method, and the digest of
/// every file that its pair and verifier were made from. Trials and seed are stored beside it; what
/// is computed from an answer, such as costs, is no part of it.
std::string task_key(const Question& question, AnswerKind kind);

/// The numbers of an answer without trials, with fractions of any length, the reasons why
/// quantities are missing, its closed forms and its notes.
std::string answer_text(const Answer& answer);
/// The answer to `question` that the text contains. @throws InputError when the text is no answer
Answer read_answer(const Question& question, AnswerKind kind, const std::string& text);

/// All fields of a tally. Wide counts are decimal strings; of the outputs only the cells that occur
/// are listed.
std::string tally_text(const Tally& tally);
/// @throws InputError when the text is no tally
Tally read_tally(const std::string& text);

/// Refuses an answer that no run can have found: an exact one without a law of the accepted tokens,
/// a law that does not sum to 1, a mean that is not its law's, a number below 0, one that is not
/// its fraction's nearest double, an index that the quantity does not have.
/// @throws InputError naming the quantity
void check_answer(const Answer& answer);

/// Refuses a tally that `trials` trials of these lengths cannot have left: another number of trials
/// or none, counts that do not sum to them, more accepted tokens than are drafted, moments that no
/// whole numbers have, lists of other lengths.
/// @throws InputError naming the part
void check_tally(const Tally& tally, std::uint64_t trials, const Lengths& lengths);

}  // namespace speclab
