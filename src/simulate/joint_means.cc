#include "simulate/joint_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace speclab {
namespace {

double weighed_sum(const JointMeans::Numbers& weights, const JointMeans::Numbers& values) {
  return std::inner_product(weights.begin(), weights.end(), values.begin(), 0.0);
}

}  // namespace

Spread JointMeans::weighed(const Numbers& weights) const {
  Spread result{weighed_sum(weights, mean), 0, {HUGE_VAL, -HUGE_VAL}, trials};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    result.variance += weights[i] * weighed_sum(weights, covariance[i]);
  }
  result.variance = std::max(0.0, result.variance);
  for (const Numbers& corner : corners) {
    const double at = weighed_sum(weights, corner);
    result.range.low = std::min(result.range.low, at);
    result.range.high = std::max(result.range.high, at);
  }
  return result;
}

Estimate JointMeans::ratio(const Numbers& above, const Numbers& below) const {
  // A ratio of linear functions is greatest and least in corners.
  Range range{HUGE_VAL, -HUGE_VAL};
  for (const Numbers& corner : corners) {
    const double over = weighed_sum(above, corner), under = weighed_sum(below, corner);
    if (!(over > 0) && !(under > 0)) continue;  // 0/0 says nothing about the quotient
    range.low = std::min(range.low, over / under);
    range.high = std::max(range.high, over / under);
  }
  const double denominator = weighed_sum(below, mean);
  return ratio_estimate(weighed_sum(above, mean) / denominator, denominator, range, [&](double r) {
    Numbers excess = above;
    for (std::size_t i = 0; i < excess.size(); ++i) excess[i] -= r * below[i];
    return weighed(excess);
  });
}

Estimate JointMeans::function(double value, const Numbers& gradient, Range range) const {
  const Spread linear = weighed(gradient);
  const Estimate moved = mean_estimate(linear);
  const auto limit = [&](double at) {
    return std::clamp(value + (at - linear.mean), std::min(range.low, value),
                      std::max(range.high, value));
  };
  return {value,
          moved.standard_error,
          limit(moved.low),
          limit(moved.high),
          limit(moved.least),
          limit(moved.most)};
}

Estimate variance_estimate(std::span<const std::uint64_t> counts, int most) {
  std::uint64_t trials = 0;
  std::array<WideCount, 5> powers{};  // sums of the number's powers
  for (std::size_t i = 0; i < counts.size(); ++i) {
    trials += counts[i];
    WideCount power = counts[i];
    for (WideCount& sum : powers) {
      sum += power;
      power *= i;
    }
  }
  const auto n = static_cast<double>(trials);
  // Two tangents and the chord enclose the parabola of the number and its square.
  const double end = most;
  const JointMeans means = joint_means<2>(trials, {powers[1], powers[2]},
                                          {{{powers[2], powers[3]}, {powers[3], powers[4]}}},
                                          {{0, 0}, {end / 2, 0}, {end, end * end}});
  return means.function(means.covariance[0][0] * n / (n - 1), {-2 * means.mean[0], 1},
                        {0, end * end / 4});
}

}  // namespace speclab
