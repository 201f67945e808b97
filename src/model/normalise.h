#pragma once

#include <span>

#include "base/rational.h"
#include "base/sum.h"

namespace speclab {

/// Divides weights by their sum, which must be above 0.
inline void normalise(std::span<double> weights) {
  Sum<double> total;
  for (const double weight : weights) total += weight;
  const double scale = total.value();
  for (double& weight : weights) weight /= scale;
}

inline void normalise(std::span<Rational> weights) {
  Rational total(0);
  for (const Rational& weight : weights) total += weight;
  if (total == 1) return;
  for (Rational& weight : weights) weight /= total;
}

}  // namespace speclab
