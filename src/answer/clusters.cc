#include "answer/clusters.h"

#include <cmath>
#include <limits>

#include "answer/clustered.h"
#include "base/special.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr Range kAny{-kEndless, kEndless};
constexpr Range kPositive{0, kEndless};

/// Differences below this share of the value are rounding.
constexpr double kRounding = 1e-12;

/// What stands above and below in each cluster.
struct Sums {
  Sums(std::span<const Cluster> clusters, const Rate& rate) {
    for (const Cluster& cluster : clusters) {
      above.push_back(rate.fixed ? *rate.fixed : rate.above.of(cluster));
      below.push_back(rate.fixed ? 1 : rate.below.of(cluster));
    }
  }
  [[nodiscard]] RatioSums both() const { return {above, below}; }
  std::vector<double> above, below;
};

Estimate known(const std::optional<Estimate>& estimate) {
  if (!estimate) throw ContractError("an interval is made of two clusters or more");
  return *estimate;
}

}  // namespace

double CountWeights::of(const Cluster& cluster) const {
  return tokens * cluster.tokens + steps * cluster.steps + calls * cluster.calls +
         accepted * cluster.accepted + trials * cluster.trials;
}

Estimate rate_interval(std::span<const Cluster> clusters, const Rate& rate) {
  const Sums sums(clusters, rate);
  return known(clustered_ratio(sums.above, sums.below, kPositive));
}

PairedDifference paired_difference(std::span<const Cluster> first, const Rate& first_rate,
                                   std::span<const Cluster> second, const Rate& second_rate) {
  if (first.size() != second.size()) throw ContractError("pairs are of the same clusters");
  const Sums a(first, first_rate), b(second, second_rate);
  const Estimate one = rate_interval(first, first_rate);
  const Estimate other = rate_interval(second, second_rate);
  PairedDifference result;
  result.difference = known(clustered_difference(a.both(), b.both(), kAny));
  const double difference = result.difference.mean;
  const double error = result.difference.standard_error;
  if (std::abs(difference) <= kRounding * std::abs(one.mean)) {
    result.tail = 0.5;
  } else if (error > kRounding * std::abs(one.mean)) {
    result.tail = students_above(difference / error, static_cast<double>(first.size() - 1));
  } else {
    result.tail = difference > 0 ? 0 : 1;
  }
  if (error > kRounding * std::abs(one.mean)) {
    const auto square = [](double x) { return x * x; };
    result.saved = (square(one.standard_error) + square(other.standard_error)) / square(error);
  }
  return result;
}

}  // namespace speclab
