#pragma once

#include <functional>
#include <span>
#include <vector>

#include "answer/bench.h"
#include "answer/clusters.h"
#include "system/workers.h"

namespace speclab {

// Trials over several ranks: ranges of trial numbers are handed out, of a size that takes a rank
// about a quarter of a second (RoundSize), and the tallies are added up. As a tally depends on its
// range alone, no bit of the result depends on the sizes or on who did what.

/// Some trials of a question, of one rank.
using RangeSampler = std::function<Tallied(const BySimulation& range)>;

/// All trials of the method.
/// @param here  how this rank runs a range
/// @throws what sample does; Error when interrupted before there are any trials from the first on
Tallied deal_trials(const Question& question, const BySimulation& method, const RangeSampler& here,
                    const Progress& progress);

/// Clusters of a question's trials to be counted (see add_clusters).
struct ClusterWish {
  const Question* question;
  std::size_t first, last;
};

/// The clusters of each wish, in order: counted at `bench` where there is one rank.
/// @param progress  told of the trials done
/// @throws what add_clusters does
std::vector<std::vector<Cluster>> count_clusters(Bench& bench, std::span<const ClusterWish> wishes,
                                                 const BySimulation& method,
                                                 const Progress& progress = {});

/// What the other ranks do for these.
std::string do_trials(const std::string& task);
std::string do_clusters(const std::string& task);
inline constexpr WorkKind kTrialsWork{"trials", &do_trials};
inline constexpr WorkKind kClustersWork{"clusters", &do_clusters};

}  // namespace speclab
