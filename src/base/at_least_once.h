#pragma once

#include <cmath>
#include <type_traits>

#include "base/power.h"

namespace speclab {

/// Powers with an exponent up to this are computed by repeated multiplication, which a loop over
/// tokens vectorises.
inline constexpr int kMultipliedOut = 64;

/// (1 - p)^count: the probability that none of `count` independent events of probability p happens.
template <class Real>
Real never(const Real& p, int count) {
  if constexpr (std::is_same_v<Real, double>) {
    if (count > kMultipliedOut) return p < 1 ? std::exp(count * std::log1p(-p)) : 0.0;
  }
  return power<Real>(1 - p, count);
}

/// 1 - (1 - p)^count, without cancellation for a small double: at least one of them happens.
template <class Real>
Real at_least_once(const Real& p, int count) {
  if constexpr (std::is_same_v<Real, double>) {
    if (count > kMultipliedOut) return p < 1 ? -std::expm1(count * std::log1p(-p)) : 1.0;
    // p (1 + m + m^2 + ..), m = 1 - p: a sum of non-negative terms.
    const double miss = 1 - p;
    double sum = count > 0 ? 1 : 0;
    for (int k = 1; k < count; ++k) sum = 1 + miss * sum;
    return p * sum;
  } else {
    return 1 - never(p, count);
  }
}

}  // namespace speclab
