#pragma once

#include <vector>

#include "model/struck_law.h"

namespace speclab {

/// One refusal: the target t becomes [a t - d]+ normalised, d being normalised too.
/// @param target  weights that sum to 1; all zero afterwards where the result is
/// @returns s = sum of [a t - d]+
template <class Real>
Real take_residual(std::vector<Real>& target, const Real& a, const StruckLaw<Real>& draft) {
  Real mass(0);
  for (std::size_t i = 0; i < target.size(); ++i) {
    target[i] = positive_part<Real>(a * target[i] - draft.probability(static_cast<Token>(i)));
    mass += target[i];
  }
  if (mass > 0) {
    for (Real& weight : target) weight /= mass;
  }
  return mass;
}

}  // namespace speclab
