#pragma once

#include <span>
#include <string>

#include "answer/answer.h"

namespace speclab {

/// For reading on a terminal of 100 columns: a block for each answer, with closed forms and
/// verdicts beside the results, and, for several answers, one line each at the end.
std::string answers_table(std::span<const Answer> answers);

}  // namespace speclab
