#pragma once

#include <string>

#include "answer/answer.h"

namespace speclab {

/// What an answer without trials has found, as JSON text: numbers, fractions however long, why a
/// quantity is missing, closed forms and notes. Its question is not in it.
std::string answer_text(const Answer& answer);

/// The answer to `question` that the text tells.
/// @throws InputError when the text is no answer
Answer read_answer(const Question& question, AnswerKind kind, const std::string& text);

}  // namespace speclab
