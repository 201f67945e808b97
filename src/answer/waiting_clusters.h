#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "answer/clusters.h"

namespace speclab {

/// Those of counts[value].
ValueCounts value_counts(std::span<const std::uint64_t> counts);

/// The largest of `of` values in expectation over a choice of so many of those counted, without
/// replacement: a U-statistic, whose mean is that of `of` new values. Worked example: of 1, 1, 3
/// the larger of two is 1 in one choice of three: 7/3.
/// @pre as many are counted
double expected_largest(const ValueCounts& counts, std::uint64_t of);

/// The smallest number of clusters of batches that wait: their largest values vary more than sums.
inline constexpr std::size_t kLeastWaiting = 8;

/// The clusters of a batch of so many decodes that begin together and wait for the slowest: each
/// trial in the time of its batch. Tokens are those of the longest decode of a batch (what it takes
/// without a draft); calls, and draft steps, those of the decode with the most. Neighbouring
/// clusters are added up until they hold a batch; `independent` are whole batches.
/// @throws InputError where too few decodes, or none, were counted
std::vector<Cluster> waiting_clusters(std::span<const Cluster> clusters, std::uint64_t batch);

}  // namespace speclab
