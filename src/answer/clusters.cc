#include "answer/clusters.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "verifiers/contract.h"

namespace speclab {
namespace {

/// A ratio and how far each cluster moves it: value + sum of moves / clusters is its first-order
/// error.
struct Influence {
  double value = 0;
  std::vector<double> moves;
};

Influence influence(std::span<const Cluster> clusters, const Rate& rate) {
  if (clusters.size() < kLeastClusters) {
    throw ContractError("an interval is made of two clusters or more");
  }
  Influence result;
  result.moves.assign(clusters.size(), 0);
  if (rate.fixed) {
    result.value = *rate.fixed;
    return result;
  }
  double above = 0, below = 0;
  for (const Cluster& cluster : clusters) {
    above += rate.above.of(cluster);
    below += rate.below.of(cluster);
  }
  if (!(below > 0)) throw ContractError("a rate over nothing");
  result.value = above / below;
  const double mean = below / static_cast<double>(clusters.size());
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    result.moves[i] =
        (rate.above.of(clusters[i]) - result.value * rate.below.of(clusters[i])) / mean;
  }
  return result;
}

/// The variance of the mean of such moves, which have mean 0.
double variance(std::span<const double> moves) {
  double squares = 0;
  for (const double move : moves) squares += move * move;
  const auto count = static_cast<double>(moves.size());
  return squares / (count - 1) / count;
}

boost::math::students_t student(std::size_t clusters) {
  return boost::math::students_t(static_cast<double>(clusters - 1));
}

Interval interval(double value, double squared_error, std::size_t clusters) {
  constexpr double kTail = 0.025;
  const double error = std::sqrt(squared_error);
  const double reach = error * boost::math::quantile(complement(student(clusters), kTail));
  return {value, error, value - reach, value + reach};
}

}  // namespace

double Weighed::of(const Cluster& cluster) const {
  return tokens * cluster.tokens + steps * cluster.steps + calls * cluster.calls +
         accepted * cluster.accepted + trials * cluster.trials;
}

Interval rate_interval(std::span<const Cluster> clusters, const Rate& rate) {
  const Influence found = influence(clusters, rate);
  return interval(found.value, variance(found.moves), clusters.size());
}

PairedDifference paired_difference(std::span<const Cluster> first, const Rate& first_rate,
                                   std::span<const Cluster> second, const Rate& second_rate) {
  if (first.size() != second.size()) throw ContractError("pairs are of the same clusters");
  const Influence a = influence(first, first_rate);
  const Influence b = influence(second, second_rate);
  std::vector<double> moves(a.moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = a.moves[i] - b.moves[i];
  const double spread = variance(moves);
  PairedDifference result;
  result.difference = interval(a.value - b.value, spread, moves.size());
  const double difference = result.difference.value;
  if (spread > 0) {
    result.tail = boost::math::cdf(
        complement(student(moves.size()), difference / result.difference.standard_error));
    result.saved = (variance(a.moves) + variance(b.moves)) / spread;
  } else if (difference != 0) {
    result.tail = difference > 0 ? 0 : 1;
  }
  return result;
}

}  // namespace speclab
