#pragma once

#include <cstddef>

#include "base/rational.h"

namespace speclab {

/// Bytes that the parts of a number take besides its own; 0 for one that needs none.
struct RationalMemory {
  std::size_t numerator, denominator;
};
RationalMemory memory_of(const Rational& value);

}  // namespace speclab
