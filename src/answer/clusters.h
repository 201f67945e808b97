#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulate/interval.h"

namespace speclab {

// Ratios of what was counted over independent clusters (ranges of trials, or prompts of a
// recording), and the differences of two of them where both were asked of the same clusters.
// Intervals are those of answer/clustered.h.

/// What one cluster counted, as sums.
struct Cluster {
  double tokens = 0;    ///< emitted by whole decodes
  double steps = 0;     ///< draft steps
  double calls = 0;     ///< target calls
  double accepted = 0;  ///< accepted by first iterations
  double trials = 0;
};

/// A weighed sum of a cluster's counts.
struct CountWeights {
  double tokens = 0, steps = 0, calls = 0, accepted = 0, trials = 0;
  [[nodiscard]] double of(const Cluster& cluster) const;
};

/// A ratio of two sums: tokens a call {1}/{calls: 1}, tokens of a unit of time, and so on. Equal to
/// `fixed` whatever was counted where that is given.
struct Rate {
  CountWeights above, below;
  std::optional<double> fixed;
};

/// The smallest number of clusters that an interval is made of.
inline constexpr std::size_t kLeastClusters = 2;

/// Never below 0. @pre weights of 0 or more; kLeastClusters or more with something below
Estimate rate_interval(std::span<const Cluster> clusters, const Rate& rate);

/// The difference of two rates over the same clusters.
struct PairedDifference {
  Estimate difference;  ///< first less second
  /// P(Student's t > the difference in standard errors): small where the first is larger. 1/2 where
  /// the two are equal in every cluster.
  double tail = 0.5;
  /// How many times as many trials would be needed without pairing: the sum of both variances over
  /// that of the difference. Nothing where the difference has no variance.
  std::optional<double> saved;
};

/// @pre as many clusters of both; as for rate_interval
PairedDifference paired_difference(std::span<const Cluster> first, const Rate& first_rate,
                                   std::span<const Cluster> second, const Rate& second_rate);

}  // namespace speclab
