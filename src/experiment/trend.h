#pragma once

#include "experiment/expected.h"

namespace speclab {

/// What results say of a statement.
enum class Said { yes, no, open };

/// What the rows of `result` say of its entry's trend; writes the detail.
/// @throws InputError where a series has one row, or no such coordinate
Said follow_trend(ExpectedResult& result);

}  // namespace speclab
