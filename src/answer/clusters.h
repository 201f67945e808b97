#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "answer/answer.h"
#include "simulate/control_variates.h"
#include "simulate/interval.h"

namespace speclab {

// Intervals over clusters: what is measured within one prompt of a recording goes together, so that
// prompts are what there is many of. A quantity is a ratio of sums over the prompts, such as tokens
// over iterations, and its standard error is the delete-one jackknife over the prompts (Tukey 1958;
// Efron and Tibshirani 1993, chapter 11): with R_p the ratio without prompt p, of n prompts,
//   variance = (n - 1)/n sum over p of (R_p - mean R)^2,
// and the interval is Student's t with n - 1 degrees of freedom. For one iteration a prompt that is
// the usual standard error of a mean. Prompts without an iteration are left out.

/// sum(above) / sum(below), cut to `range`. Nothing with fewer than two prompts.
/// @param above,below  by prompt; below >= 0
std::optional<Estimate> clustered_ratio(std::span<const double> above,
                                        std::span<const double> below, Range range);

/// The same as a value: of fewer than two prompts without an interval; nothing for 0/0.
std::optional<Value> ratio_value(std::span<const double> above, std::span<const double> below,
                                 Range range);

/// The difference of two ratios on the same prompts, each left out of both at once: what they have
/// in common cancels.
struct RatioSums {
  std::span<const double> above, below;
};
std::optional<Estimate> clustered_difference(const RatioSums& one, const RatioSums& other,
                                             Range range);

// Ratios of what was counted over independent clusters (ranges of trials, or prompts of a
// recording), and the differences of two of them where both were asked of the same clusters.
// Where all clusters are alike intervals leave room for what none of them showed: of n independent
// trials that are alike, others may have a chance of 1 - tail^(1/n), and may be as far off as the
// quantity goes: from nothing at all to every drafted token kept and one more a call, at the draft
// steps a call that were counted. What goes with the clusters' controls
// (simulate/control_variates.h) is taken out, with a degree of freedom less for each; of the
// difference of two what goes with the controls of both, and with how far their companions are
// apart, so that it is more precise than, and not quite, the difference of the two. Where that, or
// means that toss no coin (simulate/output_means.h), make trials nearly alike, a standard error
// holds what three of a kind that was not drawn would add.

/// Independent values, as (value, how many have it), ascending.
using ValueCounts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// What one cluster counted, as sums.
struct Cluster {
  double tokens = 0;    ///< emitted by whole decodes
  double steps = 0;     ///< draft steps
  double calls = 0;     ///< target calls
  double accepted = 0;  ///< accepted by first iterations
  double trials = 0;
  double drafted = 0;      ///< by first iterations
  double undefined = 0;    ///< trials with an undefined draw; they end there
  double independent = 1;  ///< trials in it; a prompt of a recording is one
  /// Whole decodes by target calls, by draft steps and by tokens, where they are asked for.
  ValueCounts by_calls{}, by_steps{}, by_tokens{};
  /// What a trial of a kind that was not drawn may add where means or controls show less.
  double unseen_calls = 0, unseen_steps = 0, unseen_accepted = 0;
  ControlVariates controls{};  ///< of its trials together
  Companions companions{};
  std::optional<int> companions_of{};  ///< at this draft length, where it has any
  /// Of the slowest decode there could be, up to the horizon with a call for each token; 0 where no
  /// whole decodes are counted.
  double worst_calls = 0, worst_steps = 0;
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

/// "block-listing: undefined (0/0) in 3 of 64 trials, which end there"; "" where nothing was.
std::string undefined_text(const std::string& verifier, std::span<const Cluster> clusters);

/// The smallest number of clusters that an interval is made of.
inline constexpr std::size_t kLeastClusters = 2;

/// Within what the rate can be. @pre weights of 0 or more
/// @throws InputError where fewer than kLeastClusters have something below
Estimate rate_interval(std::span<const Cluster> clusters, const Rate& rate);

/// The fewest clusters of which it is worked out what goes with the controls of two verifiers and
/// with their companions: four for each slope.
inline constexpr std::size_t kLeastJoint = 4 * (2 * kControlVariates + kCompanions);

/// The difference of two rates over the same clusters.
struct PairedDifference {
  Estimate difference;  ///< first less second
  /// P(Student's t > the difference in standard errors): small where the first is larger. 1/2 where
  /// the two are equal in every cluster. Without a standard error the chance that as many trials
  /// would all be alike if others made up for the difference.
  double tail = 0.5;
  /// How many times as many trials would be needed without pairing and without controls: the sum of
  /// both variances over that of the difference. Nothing where the difference has no variance.
  std::optional<double> saved;
};

/// @param unseen  `tail` leaves room for this many decodes that no trial showed: of the first, the
/// slowest possible; of the second, the longest, in no time
/// @pre as many clusters of both; as for rate_interval
PairedDifference paired_difference(std::span<const Cluster> first, const Rate& first_rate,
                                   std::span<const Cluster> second, const Rate& second_rate,
                                   double unseen = 0);

}  // namespace speclab
