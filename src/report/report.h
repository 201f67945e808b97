#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "answer/answer.h"

namespace speclab {

enum class Format { table, json, csv, markdown };

/// Answers, in order, as text; Markdown holds the overview alone.
std::string render(std::span<const Answer> answers, Format format);

/// What an element of a quantity is called in tables: "E[accepted]", "P(accepted = 2)", "P(0,1)".
std::string label_of(QuantityId id, const QuantityIndex& index);

}  // namespace speclab
