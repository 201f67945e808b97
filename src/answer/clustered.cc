#include "answer/clustered.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/special.h"
#include "base/sum.h"

namespace speclab {
namespace {

double total(std::span<const double> values) {
  Sum<double> sum;
  for (const double value : values) sum += value;
  return sum.value();
}

/// sum(above) / sum(below), and the same without one prompt.
struct Ratio {
  explicit Ratio(const RatioSums& of) : sums(of), above(total(of.above)), below(total(of.below)) {}
  [[nodiscard]] double all() const { return above / below; }
  [[nodiscard]] double without(std::size_t p) const {
    return (above - sums.above[p]) / (below - sums.below[p]);
  }
  RatioSums sums;
  double above, below;
};

/// @param left_out  the value without each of n >= 2 prompts
Estimate jackknife(double value, const std::vector<double>& left_out, Range range) {
  const auto n = static_cast<double>(left_out.size());
  const double mean = total(left_out) / n;
  Sum<double> squares;
  for (const double each : left_out) squares += (each - mean) * (each - mean);
  Estimate estimate;
  estimate.mean = value;
  estimate.standard_error = std::sqrt((n - 1) / n * squares.value());
  const auto half = [&](double tail) {
    return estimate.standard_error * students_limit(n - 1, tail);
  };
  estimate.low = std::max(range.low, value - half(kIntervalTail));
  estimate.high = std::min(range.high, value + half(kIntervalTail));
  estimate.least = std::max(range.low, value - half(kAlarmTail));
  estimate.most = std::min(range.high, value + half(kAlarmTail));
  return estimate;
}

}  // namespace

std::optional<Estimate> clustered_ratio(std::span<const double> above,
                                        std::span<const double> below, Range range) {
  const Ratio ratio({above, below});
  std::vector<double> left_out;
  for (std::size_t p = 0; p < below.size(); ++p) {
    if (below[p] > 0 && below[p] < ratio.below) left_out.push_back(ratio.without(p));
  }
  if (left_out.size() < 2) return std::nullopt;
  return jackknife(ratio.all(), left_out, range);
}

std::optional<Estimate> clustered_difference(const RatioSums& one, const RatioSums& other,
                                             Range range) {
  const Ratio first(one);
  const Ratio second(other);
  std::vector<double> left_out;
  for (std::size_t p = 0; p < one.below.size(); ++p) {
    if (!(one.below[p] > 0 || other.below[p] > 0)) continue;
    if (!(one.below[p] < first.below && other.below[p] < second.below)) return std::nullopt;
    left_out.push_back(first.without(p) - second.without(p));
  }
  if (left_out.size() < 2) return std::nullopt;
  return jackknife(first.all() - second.all(), left_out, range);
}

}  // namespace speclab
