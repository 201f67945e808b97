#pragma once

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "model/law.h"
#include "simulate/interval.h"
#include "simulate/sampler.h"

namespace speclab {

/// The probability of so many successes of independent trials.
inline double binomial_chance(int successes, double trials, double probability) {
  return boost::math::pdf(boost::math::binomial(trials, std::min(1.0, probability)), successes);
}

/// The probabilities that a truth lies outside the two intervals of an estimate.
struct Misses {
  double interval = 0;
  double alarm = 0;
  void look(const Estimate& estimate, double truth, double weight) {
    const double rounding = 1e-12 * (1 + std::abs(truth));
    if (truth < estimate.low - rounding || truth > estimate.high + rounding) interval += weight;
    if (truth < estimate.least - rounding || truth > estimate.most + rounding) alarm += weight;
  }
};

/// Counts of a sample of `size` from a law, by the stream of this number of a file of tests.
inline std::vector<std::uint64_t> sample_counts(std::string_view file,
                                                const std::vector<double>& law, std::uint64_t size,
                                                std::uint64_t index) {
  Stream stream(stream_key(1, task_hash(file)), index, 0, Purpose::draft);
  std::vector<std::uint64_t> counts(law.size());
  const RowLaw<double> row{std::span<const double>(law)};
  for (std::uint64_t i = 0; i < size; ++i) {
    ++counts[static_cast<std::size_t>(pick(row, stream.uniform()))];
  }
  return counts;
}

}  // namespace speclab
