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

/// What verifiers that are compared share.
enum class Shared {
  drafts,  ///< the first drafts of trials
  output,  ///< the tokens of trials (Draws::output)
  means,   ///< the tokens of decodes, each counted in expectation (simulate/output_means.h)
};

/// What verifiers share so that few trials suffice: the output where all have an output form.
/// @param decode_counts  whether decodes are counted by their calls, which no expectation shows
Shared shared_by(std::span<const Question> questions, bool decode_counts = false);

/// The clusters first .. last - 1 of a question's trials: kClusterTrials each, with the counts of
/// decodes where the method asks for them. Of means, nothing of first iterations.
void add_clusters(Bench& bench, const Question& question, const BySimulation& method, Shared shared,
                  std::size_t first, std::size_t last, std::vector<Cluster>& clusters);

/// A cluster a prompt that has iterations: their tokens, each with gamma steps and a call.
std::vector<Cluster> clusters_of(const RecordedResult& result);

}  // namespace speclab
