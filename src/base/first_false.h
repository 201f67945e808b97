#pragma once

#include <cstddef>

namespace speclab {

/// The least k < size with not holds(k), or size, for a monotone predicate. Branch-free: a branch
/// would be mispredicted half of the time.
template <class Holds>
std::size_t first_false(std::size_t size, const Holds& holds) {
  std::size_t from = 0;
  while (size > 0) {
    const std::size_t half = size / 2;
    const bool right = holds(from + half);
    from = right ? from + half + 1 : from;
    size = right ? size - half - 1 : half;
  }
  return from;
}

}  // namespace speclab
