#pragma once

#include <span>
#include <string>

#include "answer/answer.h"

namespace speclab {

/// The version of the JSON and CSV formats.
inline constexpr int kSchema = 2;

/// {"schema": 2, "results": [...]}, one object an answer, keys in a fixed order, indented by one
/// space a level, ending in a line feed. A number that does not exist is null, and "notes" says
/// why. See docs/formats.md.
std::string answers_json(std::span<const Answer> answers);

}  // namespace speclab
