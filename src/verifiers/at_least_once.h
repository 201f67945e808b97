#pragma once

#include <cmath>
#include <type_traits>

namespace speclab {

/// (1 - p)^count: none of `count` independent events of probability p in [0, 1] happens.
template <class Real>
Real never(const Real& p, int count) {
  if constexpr (std::is_same_v<Real, double>) {
    return p < 1 ? std::exp(count * std::log1p(-p)) : 0.0;
  } else {
    const Real miss = 1 - p;
    Real all(1);
    for (int k = 0; k < count; ++k) all *= miss;
    return all;
  }
}

/// 1 - (1 - p)^count, without cancellation for a small double: one of them happens at least.
template <class Real>
Real at_least_once(const Real& p, int count) {
  if constexpr (std::is_same_v<Real, double>) {
    return p < 1 ? -std::expm1(count * std::log1p(-p)) : 1.0;
  } else {
    return 1 - never(p, count);
  }
}

}  // namespace speclab
