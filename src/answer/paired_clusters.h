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

/// What trials of verifiers that are compared draw, so that few of them suffice: where all have an
/// output form their output, or of it what decodes count in expectation.
/// @param decode_counts  whether decodes are counted by their calls, which no expectation shows
Draws paired_draws(std::span<const Question> questions, bool decode_counts = false);

/// The clusters first .. last - 1 of a question's trials: kClusterTrials each, with the counts of
/// decodes where the method asks for them. Where it draws means, nothing of first iterations.
void add_clusters(Bench& bench, const Question& question, const BySimulation& method,
                  std::size_t first, std::size_t last, std::vector<Cluster>& clusters);

/// A cluster a prompt that has iterations: their tokens, each with gamma steps and a call.
std::vector<Cluster> clusters_of(const RecordedResult& result);

}  // namespace speclab
