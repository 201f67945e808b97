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

/// What trials of verifiers that are compared draw, so that few of them suffice: their output where
/// all have an output form.
Draws paired_draws(std::span<const Question> questions);

/// The clusters first .. last - 1 of a question's trials: kClusterTrials each, with the counts of
/// decodes where the method asks for them. Decodes that draw their output have a control, and
/// are counted in expectation (simulate/output_means.h) where the verifier allows it and no counts
/// are asked for; nothing is counted of their first iterations then.
/// @param controls  those of the clusters 0, 1, .. that are known, which all questions of a pair
/// and a horizon share; further ones are added
/// @pre first is 0, or the clusters before it have been added
void add_clusters(Bench& bench, const Question& question, const BySimulation& method,
                  std::size_t first, std::size_t last, std::vector<double>& controls,
                  std::vector<Cluster>& clusters);

/// A cluster a prompt that has iterations: their tokens, each with gamma steps and a call.
std::vector<Cluster> clusters_of(const RecordedResult& result);

}  // namespace speclab
