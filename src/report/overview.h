#pragma once

#include <span>
#include <string>

#include "answer/answer.h"

namespace speclab {

// One line for each combination of verifier and draft length, under its pair.

/// For a terminal, under the heading "all combinations". @pre there is an answer
std::string overview_table(std::span<const Answer> answers);

/// A Markdown table a pair, fractions where they are of moderate length.
std::string answers_markdown(std::span<const Answer> answers);

}  // namespace speclab
