#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "simulate/interval.h"

namespace speclab {

/// Some quantities of the same trials, for estimates of what depends on their expectations.
struct JointMeans {
  /// One number for each quantity: a value or a weight.
  using Numbers = std::vector<double>;
  std::uint64_t trials = 0;
  Numbers mean;
  std::vector<Numbers> covariance;  ///< of one trial
  std::vector<Numbers> corners;     ///< every trial lies in their convex hull

  /// The spread of a weighted sum.
  [[nodiscard]] Spread weighed(const Numbers& weights) const;

  /// E[weighted sum by `above`] / E[weighted sum by `below`], weights of 0 or more.
  [[nodiscard]] Estimate ratio(const Numbers& above, const Numbers& below) const;

  /// A smooth function of the expectations, by the delta method: the interval of the function's
  /// linear part at the means. What the linear part leaves out is of order 1 / trials, as is the
  /// room that an interval keeps for rare events; variance_estimate needs no more.
  /// @param value     the function, or an estimate of it without bias
  /// @param gradient  its derivatives at the means
  /// @param range     the values that it can have
  [[nodiscard]] Estimate function(double value, const Numbers& gradient, Range range) const;
};

/// From sums over the trials: of each quantity, and of the products of each two.
template <std::size_t N>
JointMeans joint_means(std::uint64_t trials, const std::array<WideCount, N>& sums,
                       const std::array<std::array<WideCount, N>, N>& products,
                       std::vector<JointMeans::Numbers> corners) {
  JointMeans means{trials, JointMeans::Numbers(N), {N, JointMeans::Numbers(N)}, std::move(corners)};
  for (std::size_t i = 0; i < N; ++i) {
    means.mean[i] = static_cast<double>(sums[i]) / static_cast<double>(trials);
    for (std::size_t j = 0; j < N; ++j) {
      means.covariance[i][j] = covariance(sums[i], sums[j], products[i][j], trials);
    }
  }
  return means;
}

/// The variance of a whole number in 0 .. most. @param counts  the trials that gave 0, 1, ..., two
/// trials at least
Estimate variance_estimate(std::span<const std::uint64_t> counts, int most);

}  // namespace speclab
