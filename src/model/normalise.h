#pragma once

#include "base/sum.h"

namespace speclab {

/// Divides weights by their sum, which must be above 0.
template <class Weights>
void normalise(Weights&& weights) {
  const auto sum = total(weights);
  if (sum == 1) return;
  for (auto& weight : weights) weight /= sum;
}

}  // namespace speclab
