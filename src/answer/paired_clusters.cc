#include "answer/paired_clusters.h"

#include <algorithm>

#include "answer/waiting_clusters.h"
#include "base/sum.h"
#include "simulate/engine.h"
#include "simulate/output_means.h"
#include "system/interrupt.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

/// The cluster of these decodes.
Cluster cluster_of(std::span<const DecodeMeans> decodes) {
  Sum<double> tokens, steps, calls;
  ControlVariates controls{};
  for (const DecodeMeans& decode : decodes) {
    tokens += decode.tokens;
    steps += decode.steps;
    calls += decode.calls;
    for (std::size_t j = 0; j < kControlVariates; ++j) controls[j] += decode.controls[j];
  }
  const auto trials = static_cast<double>(decodes.size());
  return {.tokens = tokens.value(),
          .steps = steps.value(),
          .calls = calls.value(),
          .trials = trials,
          .independent = trials,
          .controls = controls};
}

/// That of counted trials.
/// @param window  drafts of a full iteration
Cluster cluster_of(const Tally& tally, int window) {
  const auto number = [](WideCount count) { return static_cast<double>(count); };
  double accepted = 0;
  for (std::size_t tau = 0; tau < tally.accepted.size(); ++tau) {
    accepted += static_cast<double>(tau) * static_cast<double>(tally.accepted[tau]);
  }
  const auto trials = static_cast<double>(tally.trials);
  return {.tokens = number(tally.tokens.sum),
          .steps = number(tally.draft_steps.sum),
          .calls = number(tally.target_calls.sum),
          .accepted = accepted,
          .trials = trials,
          .drafted = window * trials,
          .undefined = static_cast<double>(tally.undefined_trials),
          .independent = trials,
          .by_calls = value_counts(tally.by_calls),
          .by_steps = value_counts(tally.by_steps),
          .by_tokens = value_counts(tally.by_tokens),
          .controls = tally.control_sums(),
          .companions = tally.companion_sums()};
}

/// Whether decodes are counted in expectation. A verifier without a draft counts its tokens.
bool takes_means(const Question& question, std::span<const Question> compared,
                 const BySimulation& method) {
  const auto averages = [](const Question& of) {
    return averages_output(of.verifier, *of.pair, of.lengths);
  };
  const auto allows = [&](const Question& other) {
    return other.lengths != question.lengths || other.verifier.info->drafting == Drafting::none ||
           averages(other);
  };
  return !method.decode_counts && averages(question) && std::ranges::all_of(compared, allows);
}

/// Whether differences take its companions: with another verifier's, over trials enough.
bool has_companions(const Question& question, std::span<const Question> compared,
                    const BySimulation& method) {
  const auto has = [&](const Question& other) {
    return other.lengths == question.lengths && other.verifier.info->drafting != Drafting::none &&
           follows_target(other.verifier, *other.pair);
  };
  return averages_drafts(question.lengths) && has(question) &&
         method.trials >= kLeastJoint * kClusterTrials &&
         std::count_if(compared.begin(), compared.end(), has) > 1;
}

}  // namespace

void add_clusters(Bench& bench, const Question& question, std::span<const Question> compared,
                  const BySimulation& method, std::size_t first, std::size_t last,
                  std::vector<Cluster>& clusters) {
  const bool means = takes_means(question, compared, method);
  const bool companions = !means && has_companions(question, compared, method);
  const int window = full_window(*question.pair, question.lengths).drafts;
  for (std::size_t i = first; i < last; ++i) {
    BySimulation part = method;
    part.first_trial = i * kClusterTrials;
    part.trials = kClusterTrials;
    part.draws = Draws::controlled;
    part.companions = companions;
    clusters.push_back(means ? cluster_of(bench.means(question, part))
                             : cluster_of(bench.sample(question, part).tally, window));
    check_interrupted();
    clusters.back().unseen_accepted = 1;
    if (!question.lengths.horizon) continue;
    if (companions) clusters.back().companions_of = question.lengths.gamma;
    clusters.back().unseen_calls = 1;
    clusters.back().unseen_steps = window;
    clusters.back().worst_calls = *question.lengths.horizon;
    clusters.back().worst_steps = static_cast<double>(*question.lengths.horizon) * window;
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
