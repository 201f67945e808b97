#include "answer/paired_clusters.h"

#include <algorithm>

#include "base/sum.h"
#include "simulate/output_means.h"
#include "system/interrupt.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

/// The cluster of these decodes.
/// @param window  drafts of a full iteration
Cluster cluster_of(std::span<const DecodeMeans> decodes, int window) {
  Sum<double> tokens, steps, calls;
  for (const DecodeMeans& decode : decodes) {
    tokens += decode.tokens;
    steps += decode.steps;
    calls += decode.calls;
  }
  const auto trials = static_cast<double>(decodes.size());
  return {.tokens = tokens.value(),
          .steps = steps.value(),
          .calls = calls.value(),
          .trials = trials,
          .independent = trials,
          .unseen_calls = 1,
          .unseen_steps = static_cast<double>(window)};
}

}  // namespace

Shared shared_by(std::span<const Question> questions, bool decode_counts) {
  const auto all = [&](const auto& can) {
    return std::all_of(questions.begin(), questions.end(), [&](const Question& question) {
      return can(question.verifier, *question.pair, question.lengths);
    });
  };
  if (!decode_counts && all(averages_output)) return Shared::means;
  return all(draws_output) ? Shared::output : Shared::drafts;
}

void add_clusters(Bench& bench, const Question& question, const BySimulation& method, Shared shared,
                  std::size_t first, std::size_t last, std::vector<Cluster>& clusters) {
  const auto number = [](WideCount count) { return static_cast<double>(count); };
  for (std::size_t i = first; i < last; ++i) {
    BySimulation part = method;
    part.first_trial = i * kClusterTrials;
    part.trials = kClusterTrials;
    if (shared == Shared::means) {
      clusters.push_back(cluster_of(bench.means(question, part),
                                    full_window(*question.pair, question.lengths).drafts));
      continue;
    }
    part.draws = shared == Shared::output ? Draws::output : Draws::decisions;
    const Tallied done = bench.sample(question, part);
    check_interrupted();
    const Tally& tally = done.tally;
    double accepted = 0;
    for (std::size_t tau = 0; tau < tally.accepted.size(); ++tau) {
      accepted += static_cast<double>(tau) * static_cast<double>(tally.accepted[tau]);
    }
    const auto trials = static_cast<double>(tally.trials);
    const double drafted = full_window(*question.pair, question.lengths).drafts * trials;
    clusters.push_back({number(tally.tokens.sum), number(tally.draft_steps.sum),
                        number(tally.target_calls.sum), accepted, trials, drafted,
                        static_cast<double>(tally.undefined_trials), trials,
                        value_counts(tally.by_calls), value_counts(tally.by_steps),
                        value_counts(tally.by_tokens)});
  }
}

std::vector<Cluster> clusters_of(const RecordedResult& result) {
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < result.iterations.size(); ++i) {
    const double iterations = result.iterations[i];
    if (iterations == 0) continue;
    const double drafted = result.gamma * iterations;
    clusters.push_back({.tokens = result.tokens[i],
                        .steps = drafted,
                        .calls = iterations,
                        .accepted = result.accepted[i],
                        .trials = iterations,
                        .drafted = drafted});
  }
  return clusters;
}

}  // namespace speclab
