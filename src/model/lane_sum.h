#pragma once

#include <array>
#include <cstddef>

#include "base/sum.h"

namespace speclab {

/// The sum of term(0), ..., term(count - 1) in eight independent compensated sums, for rows of
/// large vocabularies. The same bits on every machine.
template <class Term>
double lane_sum(std::size_t count, const Term& term) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> totals{};
  std::array<double, kLanes> carries{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double value = term(i + lane);
      const double total = totals[lane];
      const double next = total + value;
      // The rounding error, whichever is larger (Knuth 4.2.2, Theorem B).
      const double other = next - total;
      carries[lane] += (total - (next - other)) + (value - other);
      totals[lane] = next;
    }
  }
  Sum<double> sum;
  for (; i < count; ++i) sum += term(i);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    sum += totals[lane];
    sum += carries[lane];
  }
  return sum.value();
}

}  // namespace speclab
