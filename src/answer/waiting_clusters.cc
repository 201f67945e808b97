#include "answer/waiting_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/sum.h"

namespace speclab {
namespace {

void add_to(ValueCounts& sum, const ValueCounts& counts) {
  std::map<std::uint64_t, std::uint64_t> merged(sum.begin(), sum.end());
  for (const auto& [value, count] : counts) merged[value] += count;
  sum.assign(merged.begin(), merged.end());
}

double counted(const ValueCounts& counts) {
  double all = 0;
  for (const auto& [value, count] : counts) all += static_cast<double>(count);
  return all;
}

template <std::size_t count>
void add_to(std::array<double, count>& sums, const std::array<double, count>& values) {
  for (std::size_t j = 0; j < count; ++j) sums[j] += values[j];
}

}  // namespace

ValueCounts value_counts(std::span<const std::uint64_t> counts) {
  ValueCounts result;
  for (std::size_t value = 0; value < counts.size(); ++value) {
    if (counts[value] > 0) result.emplace_back(value, counts[value]);
  }
  return result;
}

double expected_largest(const ValueCounts& counts, std::uint64_t of) {
  const double all = counted(counts);
  // The share of choices from the `below` smallest: the product of (below - j) / (all - j).
  const auto share = [&](double below) {
    double product = 1;
    for (double j = 0; j < static_cast<double>(of) && product > 0; ++j) {
      product *= std::max(0.0, below - j) / (all - j);
    }
    return product;
  };
  Sum<double> mean;
  double below = 0, before = 0;
  for (const auto& [value, count] : counts) {
    below += static_cast<double>(count);
    const double now = share(below);
    mean += static_cast<double>(value) * (now - before);
    before = now;
  }
  return mean.value();
}

std::vector<Cluster> waiting_clusters(std::span<const Cluster> clusters, std::uint64_t batch) {
  const auto size = static_cast<double>(batch);
  std::vector<Cluster> result;
  Cluster sum;
  for (const Cluster& cluster : clusters) {
    if (cluster.by_calls.empty()) {
      throw InputError("no whole decodes are counted here, of which the slowest could be known");
    }
    sum.trials += cluster.trials;
    add_to(sum.by_calls, cluster.by_calls);
    add_to(sum.by_steps, cluster.by_steps);
    add_to(sum.by_tokens, cluster.by_tokens);
    add_to(sum.controls, cluster.controls);
    add_to(sum.companions, cluster.companions);
    sum.companions_of = cluster.companions_of;
    if (sum.trials < size) continue;
    sum.tokens = sum.trials * expected_largest(sum.by_tokens, batch);
    sum.calls = sum.trials * expected_largest(sum.by_calls, batch);
    sum.steps = sum.trials * expected_largest(sum.by_steps, batch);
    sum.independent = std::floor(sum.trials / size);
    result.push_back(std::exchange(sum, {}));
  }
  if (result.size() < kLeastWaiting) {
    const double each = std::ceil(size / clusters.front().trials) * clusters.front().trials;
    throw InputError(fmt::format("batches of {} that wait need {:.0f} trials", batch,
                                 static_cast<double>(kLeastWaiting) * each));
  }
  return result;
}

}  // namespace speclab
