#include "simulate/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/special.h"
#include "base/sum.h"

namespace speclab {
namespace {

/// The cells of a law, merged for one sample size: groups of cells, none of probability 0.
std::vector<std::vector<std::size_t>> merge_cells(std::span<const double> law, double sample) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < law.size(); ++i) {
    if (law[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return law[a] < law[b]; });
  std::vector<std::vector<std::size_t>> groups;
  double expected = kLeastExpected;  // the first cell opens a group
  for (const std::size_t cell : order) {
    if (expected >= kLeastExpected) {
      groups.emplace_back();
      expected = 0;
    }
    groups.back().push_back(cell);
    expected += sample * law[cell];
  }
  if (groups.size() > 1 && expected < kLeastExpected) {
    auto& before = groups[groups.size() - 2];
    before.insert(before.end(), groups.back().begin(), groups.back().end());
    groups.pop_back();
  }
  return groups;
}

template <class T>
T total(const std::vector<std::size_t>& group, std::span<const T> values) {
  T sum(0);
  for (const std::size_t cell : group) sum += cell < values.size() ? values[cell] : T(0);
  return sum;
}

/// The statistic at which fit_bound falls to `level`.
double critical_value(double level, int degrees) {
  double low = 2.0 * degrees;
  double high = low + 2;
  while (fit_bound(high, degrees) > level) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (fit_bound(middle, degrees) > level ? low : high) = middle;
  }
  return high;
}

}  // namespace

double fit_bound(double statistic, int degrees) {
  if (!(statistic > 2.0 * degrees)) return 1;
  if (degrees == 0) return 0;
  return std::min(1.0,
                  std::exp(degrees * (1 + std::log(statistic / (2.0 * degrees))) - statistic / 2));
}

FitTest fit_test(std::span<const double> law, std::span<const std::uint64_t> counts) {
  FitTest test;
  test.sample = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::size_t support = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    if (law[i] > 0) {
      ++support;
    } else if (i < counts.size()) {
      test.outside += counts[i];
    }
  }
  const double n = static_cast<double>(test.sample);
  const auto groups = merge_cells(law, n);
  test.too_small = test.sample == 0 || (support > 1 && groups.size() < 2);
  test.degrees = groups.empty() ? 0 : static_cast<int>(groups.size()) - 1;
  Sum<double> statistic;
  for (const auto& group : groups) {
    const double count = static_cast<double>(total(group, counts));
    if (count > 0) statistic += 2 * count * std::log(count / (n * total(group, law)));
  }
  test.statistic = std::max(0.0, statistic.value());
  if (test.outside > 0) {
    test.p_value = test.p_bound = 0;
  } else if (test.degrees > 0) {
    test.p_value = chi_squared_above(test.statistic, test.degrees);
    test.p_bound = fit_bound(test.statistic, test.degrees);
  }
  return test;
}

double fit_power(std::span<const double> law, std::span<const double> alternative,
                 std::uint64_t sample, double level) {
  const double n = static_cast<double>(sample);
  double inside = 0;
  for (std::size_t i = 0; i < law.size(); ++i) inside += law[i] > 0 ? alternative[i] : 0.0;
  const double outside = inside < 1 ? -std::expm1(n * std::log(inside)) : 0.0;
  const auto groups = merge_cells(law, n);
  if (groups.size() < 2) return outside;
  Sum<double> divergence;
  for (const auto& group : groups) {
    const double here = total(group, alternative);
    if (here > 0) divergence += here * std::log(here / total(group, law));
  }
  const int degrees = static_cast<int>(groups.size()) - 1;
  const double shift = 2 * n * std::max(0.0, divergence.value());
  const double critical = critical_value(level, degrees);
  // Far beyond the critical value (20 standard deviations) the non-central law says 1.
  if (shift > critical + 40 * std::sqrt(shift + degrees)) return 1;
  if (!(shift > 0)) return outside;
  return std::max(outside, shifted_chi_squared_above(critical, degrees, shift));
}

std::uint64_t fit_sample_size(std::span<const double> law, std::span<const double> alternative,
                              double level, double power) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  std::uint64_t high = 16;
  while (fit_power(law, alternative, high, level) < power) {
    if (high >= kMost) throw InputError("no sample distinguishes these two laws: they are equal");
    high *= 2;
  }
  std::uint64_t low = high / 2;
  while (high - low > high / 64 + 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (fit_power(law, alternative, middle, level) < power ? low : high) = middle;
  }
  return high;
}

double binomial_p_value(std::uint64_t successes, std::uint64_t trials, double probability) {
  if (trials == 0) return 1;
  const double n = static_cast<double>(trials);
  const double k = static_cast<double>(successes);
  const double below = binomial_at_most(k, n, probability);
  const double above = binomial_at_least(k, n, probability);
  return std::min(1.0, 2 * std::min(below, above));
}

double mean_p_bound(double mean, double expected, double width, std::uint64_t trials) {
  const double share = (mean - expected) / width;
  return std::min(1.0, 2 * std::exp(-2 * static_cast<double>(trials) * share * share));
}

// With L = ln(4 / level): distance = sqrt(2 v L / n) + 7 width L / (3 (n - 1)), v the variance with
// n - 1.

double mean_distance(const Spread& spread, double level) {
  const double rest = static_cast<double>(spread.trials) - 1;
  const double logs = std::log(4 / level);
  return std::sqrt(2 * spread.variance * logs / rest) +
         7 * (spread.range.high - spread.range.low) * logs / (3 * rest);
}

double mean_p_bound(const Spread& spread, double expected) {
  const double rest = static_cast<double>(spread.trials) - 1;
  const double slope = 7 * (spread.range.high - spread.range.low) / (3 * rest);
  const double root = std::sqrt(2 * spread.variance / rest);
  const double distance = std::abs(spread.mean - expected);
  if (!(distance > 0)) return 1;
  // The positive root of slope s^2 + root s = distance, in the form that loses no digits.
  const double s = 2 * distance / (root + std::sqrt(root * root + 4 * slope * distance));
  return std::min(1.0, 4 * std::exp(-s * s));
}

}  // namespace speclab
