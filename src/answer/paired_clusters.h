#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "answer/bench.h"
#include "answer/clusters.h"

namespace speclab {

// What verifiers that are compared count over the same trials, or the same texts.

/// Trials of a cluster.
inline constexpr std::uint64_t kClusterTrials = 64;

/// The clusters first .. last - 1 of a question's trials: kClusterTrials each, with their controls,
/// and the counts of decodes where the method asks for them. Whole decodes of which no counts are
/// asked for are counted in expectation (simulate/output_means.h) where the verifiers of all
/// `compared` questions of such lengths allow it, so that all have the same tokens; nothing is
/// counted of their first iterations then. Others have companions where two of these have, and the
/// method's trials, of which these are a part, are enough for them.
/// @pre first is 0, or the clusters before it have been added
void add_clusters(Bench& bench, const Question& question, std::span<const Question> compared,
                  const BySimulation& method, std::size_t first, std::size_t last,
                  std::vector<Cluster>& clusters);

/// A cluster a prompt that has iterations: their tokens, each with gamma steps and a call.
std::vector<Cluster> clusters_of(const RecordedResult& result);

}  // namespace speclab
