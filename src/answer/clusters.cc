#include "answer/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/special.h"
#include "base/sum.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

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

/// Student's intervals of a value with so many degrees of freedom.
Estimate student(double value, double standard_error, double freedom, Range range) {
  Estimate estimate;
  estimate.mean = std::clamp(value, range.low, range.high);
  estimate.standard_error = standard_error;
  const auto half = [&](double tail) { return standard_error * students_limit(freedom, tail); };
  estimate.low = std::max(range.low, value - half(kIntervalTail));
  estimate.high = std::min(range.high, value + half(kIntervalTail));
  estimate.least = std::max(range.low, value - half(kAlarmTail));
  estimate.most = std::min(range.high, value + half(kAlarmTail));
  return estimate;
}

/// @param left_out  the value without each of n >= 2 prompts
Estimate jackknife(double value, const std::vector<double>& left_out, Range range) {
  const auto n = static_cast<double>(left_out.size());
  const double mean = total(left_out) / n;
  Sum<double> squares;
  for (const double each : left_out) squares += (each - mean) * (each - mean);
  return student(value, std::sqrt((n - 1) / n * squares.value()), n - 1, range);
}

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Differences below this share of the value are rounding.
constexpr double kRounding = 1e-12;

/// The fewest clusters of which it is worked out what goes with the controls.
constexpr std::size_t kLeastControlled = 16;

using Columns = std::vector<std::vector<double>>;

/// The controls of clusters, each with those of all clusters.
void add_columns(std::span<const Cluster> clusters, Columns& columns) {
  for (std::size_t j = 0; j < kControlVariates; ++j) {
    std::vector<double>& column = columns.emplace_back();
    for (const Cluster& cluster : clusters) column.push_back(cluster.controls[j]);
  }
}

/// By how much the companions of the same clusters of two verifiers differ, where both have them.
void add_columns_between(std::span<const Cluster> first, std::span<const Cluster> second,
                         Columns& columns) {
  const std::optional<int> of = first.front().companions_of;
  if (!of || of != second.front().companions_of) return;
  for (std::size_t j = 0; j < kCompanions; ++j) {
    std::vector<double>& column = columns.emplace_back();
    for (std::size_t p = 0; p < first.size(); ++p) {
      column.push_back(first[p].companions[j] - second[p].companions[j]);
    }
  }
}

/// What stands above and below in each cluster, less what goes with the controls, with one degree
/// of freedom less for each slope.
struct Sums {
  Sums(std::span<const Cluster> clusters, const Rate& rate, bool fit = true) {
    for (const Cluster& cluster : clusters) {
      above.push_back(rate.fixed ? *rate.fixed : rate.above.of(cluster));
      below.push_back(rate.fixed ? 1 : rate.below.of(cluster));
    }
    if (!fit || rate.fixed || clusters.size() < kLeastControlled) return;
    Columns controls;
    add_columns(clusters, controls);
    slopes = subtract_controls(controls, excess(), above);
  }
  /// By how much each cluster is above the ratio of all.
  [[nodiscard]] std::vector<double> excess() const {
    const double all = total(below), ratio = all > 0 ? total(above) / all : 0;
    std::vector<double> result;
    for (std::size_t p = 0; p < above.size(); ++p) result.push_back(above[p] - ratio * below[p]);
    return result;
  }
  [[nodiscard]] RatioSums both() const { return {above, below}; }
  [[nodiscard]] double freedom() const {
    return static_cast<double>(above.size()) - 1 - static_cast<double>(slopes);
  }
  std::vector<double> above, below;
  std::size_t slopes = 0;
};

/// The sums of two rates whose difference has what goes with both verifiers' controls taken out.
/// @pre the same clusters of both, kLeastJoint or more, and no fixed rate
std::pair<Sums, Sums> joint_sums(std::span<const Cluster> first, const Rate& first_rate,
                                 std::span<const Cluster> second, const Rate& second_rate) {
  Sums a(first, first_rate, false), b(second, second_rate, false);
  Columns controls;
  add_columns_between(first, second, controls);
  add_columns(first, controls);
  add_columns(second, controls);
  // A cluster moves the first ratio by its excess over the sum below, the second likewise.
  std::vector<double> of = a.excess();
  const std::vector<double> others = b.excess();
  const double each = total(a.below) / total(b.below);
  for (std::size_t p = 0; p < of.size(); ++p) of[p] -= each * others[p];
  a.slopes = b.slopes = subtract_controls(controls, of, a.above);
  return {std::move(a), std::move(b)};
}

/// Those of a difference.
std::pair<Sums, Sums> paired_sums(std::span<const Cluster> first, const Rate& first_rate,
                                  std::span<const Cluster> second, const Rate& second_rate) {
  const bool known = first_rate.fixed || second_rate.fixed;
  if (!known && first.size() >= kLeastJoint) {
    return joint_sums(first, first_rate, second, second_rate);
  }
  return {Sums(first, first_rate), Sums(second, second_rate)};
}

double independent(std::span<const Cluster> clusters) {
  double sum = 0;
  for (const Cluster& cluster : clusters) sum += cluster.independent;
  return sum;
}

/// What the rate can be at the draft steps a call that were counted.
Range range_of(std::span<const Cluster> clusters, const Rate& rate) {
  if (rate.fixed) return {*rate.fixed, *rate.fixed};
  Cluster sum;
  for (const Cluster& cluster : clusters) {
    sum.tokens += cluster.tokens;
    sum.steps += cluster.steps;
    sum.calls += cluster.calls;
    sum.accepted += cluster.accepted;
    sum.trials += cluster.trials;
    sum.drafted += cluster.drafted;
  }
  Cluster best = sum;
  best.tokens = sum.steps + sum.calls;
  best.accepted = sum.drafted;
  const double below = rate.below.of(sum), above = rate.above.of(best);
  // Clusters that do not say what was drafted have no such bound.
  const bool bounded = below > 0 && above >= rate.above.of(sum);
  return {0, bounded ? above / below : kEndless};
}

/// Leaves room for what `trials` trials that are all alike did not show.
void widen(Estimate& estimate, Range range, double trials) {
  const auto unseen = [&](double tail) { return -std::expm1(std::log(tail) / trials); };
  const auto towards = [&](double end, double tail) {
    return std::isfinite(end) ? estimate.mean + unseen(tail) * (end - estimate.mean)
                              : estimate.mean;
  };
  estimate.low = towards(range.low, kIntervalTail);
  estimate.high = towards(range.high, kIntervalTail);
  estimate.least = towards(range.low, kAlarmTail);
  estimate.most = towards(range.high, kAlarmTail);
}

/// By how much decodes that no trial showed may move a rate, as a standard error: three more or
/// fewer, of which means and controls may show little. Of n trials none shows what has probability
/// 3.7/n with chance 1/40, which is 1.96 such errors and less.
/// @param any  of the clusters, whose rate is `value`, with these sums
double unseen_error(const Cluster& any, const Rate& rate, const Sums& sums, double value) {
  constexpr double kDecodes = 3;
  const Cluster more{0, any.unseen_steps, any.unseen_calls, any.unseen_accepted};
  const double moved = value * rate.below.of(more) + rate.above.of(more);
  return rate.fixed ? 0 : kDecodes * moved / total(sums.below);
}

/// By how much the slowest decode there could be would lower a rate, and the longest one that takes
/// no time raise it.
double worst_decode(std::span<const Cluster> clusters, const Rate& rate, const Sums& sums,
                    double value) {
  const Cluster worst{.steps = clusters.front().worst_steps, .calls = clusters.front().worst_calls};
  if (rate.fixed || worst.calls == 0) return 0;
  const double more = rate.below.of(worst) / total(sums.below) - 1 / independent(clusters);
  return std::max(0.0, value * more);
}
double best_decode(std::span<const Cluster> clusters, const Rate& rate, const Sums& sums,
                   double value) {
  const Cluster longest{.tokens = clusters.front().worst_calls};
  if (rate.fixed || longest.tokens == 0) return 0;
  return std::max(value / independent(clusters), rate.above.of(longest) / total(sums.below));
}

/// With the degrees of freedom of the sums, and room for what was not seen.
Estimate widened(const Estimate& seen, const Sums& sums, double unseen, Range range) {
  if (unseen == 0 && sums.slopes == 0) return seen;
  return student(seen.mean, std::hypot(seen.standard_error, unseen), sums.freedom(), range);
}

Estimate known(const std::optional<Estimate>& estimate) {
  if (!estimate) {
    throw InputError("a rate over 0 target calls has no interval; ask for more trials");
  }
  return *estimate;
}

/// The square of a rate's standard error as its clusters were counted, without their controls.
double plain_variance(std::span<const Cluster> clusters, const Rate& rate) {
  const Sums sums(clusters, rate, false);
  return std::pow(known(clustered_ratio(sums.above, sums.below, {})).standard_error, 2);
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

std::optional<Value> ratio_value(std::span<const double> above, std::span<const double> below,
                                 Range range) {
  if (const auto estimate = clustered_ratio(above, below, range)) return value_of(*estimate);
  const Ratio ratio({above, below});
  return ratio.below > 0 ? std::optional(value_of(ratio.all())) : std::nullopt;
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

double CountWeights::of(const Cluster& cluster) const {
  return tokens * cluster.tokens + steps * cluster.steps + calls * cluster.calls +
         accepted * cluster.accepted + trials * cluster.trials;
}

std::string undefined_text(const std::string& verifier, std::span<const Cluster> clusters) {
  double undefined = 0, trials = 0;
  for (const Cluster& cluster : clusters) {
    undefined += cluster.undefined;
    trials += cluster.trials;
  }
  if (undefined == 0) return "";
  return fmt::format("{}: undefined (0/0) in {:.0f} of {:.0f} trials, which end there", verifier,
                     undefined, trials);
}

Estimate rate_interval(std::span<const Cluster> clusters, const Rate& rate) {
  const Sums sums(clusters, rate);
  const Range range = range_of(clusters, rate);
  Estimate estimate = known(clustered_ratio(sums.above, sums.below, range));
  if (!(estimate.standard_error > kRounding * estimate.mean)) {
    widen(estimate, range, independent(clusters));
    return estimate;
  }
  return widened(estimate, sums, unseen_error(clusters.front(), rate, sums, estimate.mean), range);
}

PairedDifference paired_difference(std::span<const Cluster> first, const Rate& first_rate,
                                   std::span<const Cluster> second, const Rate& second_rate,
                                   double unseen) {
  if (first.size() != second.size()) throw ContractError("pairs are of the same clusters");
  const Estimate one = rate_interval(first, first_rate);
  const Estimate other = rate_interval(second, second_rate);
  const auto [a, b] = paired_sums(first, first_rate, second, second_rate);
  PairedDifference result;
  const Range most = range_of(first, first_rate), least = range_of(second, second_rate);
  const Range range{most.low - least.high, most.high - least.low};
  result.difference = known(clustered_difference(a.both(), b.both(), range));
  const double difference = result.difference.mean;
  const bool alike = !(result.difference.standard_error > kRounding * std::abs(one.mean));
  if (!alike) {
    const double tokens = unseen_error(first.front(), first_rate, a, one.mean) +
                          unseen_error(second.front(), second_rate, b, other.mean);
    const Sums& fewer = a.freedom() < b.freedom() ? a : b;
    result.difference = widened(result.difference, fewer, tokens, range);
  }
  const double error = result.difference.standard_error;
  const double trials = std::min(independent(first), independent(second));
  const double room = unseen * (worst_decode(first, first_rate, a, one.mean) +
                                best_decode(second, second_rate, b, other.mean));
  if (std::abs(difference) <= kRounding * std::abs(one.mean)) {
    result.tail = 0.5;
  } else if (!alike) {
    result.tail = students_above((difference - room) / error, std::min(a.freedom(), b.freedom()));
  } else if (difference > room) {
    const double others =
        std::isfinite(range.low) ? std::min(1.0, difference / (difference - range.low)) : 1;
    result.tail = others < 1 ? std::exp(trials * std::log1p(-others)) : 0;
  } else {
    result.tail = 1;
  }
  const bool fixed = first_rate.fixed && second_rate.fixed;
  if (alike && !fixed) widen(result.difference, range, trials);
  if (!alike) {
    const double plain = plain_variance(first, first_rate) + plain_variance(second, second_rate);
    result.saved = plain / (error * error);
  }
  return result;
}

}  // namespace speclab
