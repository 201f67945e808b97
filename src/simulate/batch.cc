#include "simulate/batch.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "model/target_cells.h"
#include "simulate/add_counts.h"
#include "simulate/batch_trials.h"
#include "simulate/distance.h"
#include "simulate/engine.h"
#include "simulate/rounds.h"

namespace speclab {
namespace {

/// Runs of one trial that have streams of their own (base/random.h).
constexpr std::int64_t kMostRuns = 1 << 24;

Lengths lengths_of(const BatchRequest& request) {
  return {.gamma = request.setting.gamma, .horizon = request.setting.horizon};
}

/// The longest law of first tokens, of min(gamma + 1, T) tokens at most, that such trials measure.
BatchCells cells_of(const Rows<double>& rows, const BatchRequest& request) {
  constexpr double kTrialsPerCell = 16;
  const double most = static_cast<double>(request.trials) / kTrialsPerCell;
  BatchCells cells;
  SimulateRequest first;
  for (int tokens = 1; tokens <= request.setting.compared_tokens(); ++tokens) {
    first.lengths.horizon = tokens;
    const double each = output_cells(rows, first);
    if (each * request.setting.requests > kMaxOutputCells || (tokens > 1 && each > most)) break;
    const double joint = std::pow(each, request.setting.requests);
    const bool counted = joint <= std::min(most, kMaxOutputCells);
    cells = {tokens, static_cast<std::uint64_t>(each),
             counted ? static_cast<std::uint64_t>(joint) : 0};
  }
  return cells;
}

/// The corners of what the counts of a batch can be. A request takes `fewest` steps to T; all
/// requests take the steps of the last one at most.
std::vector<JointMeans::Numbers> batch_corners(const BatchRequest& request, bool whole) {
  const double horizon = request.setting.horizon, requests = request.setting.requests;
  const double fewest =
      whole ? std::ceil(horizon / (std::min(request.setting.gamma, request.setting.horizon) + 1.0))
            : 1;
  const double most_tokens = horizon * requests;
  std::vector<JointMeans::Numbers> corners;
  for (const double steps : {fewest, horizon}) {
    for (const double of_requests : {steps + (requests - 1) * fewest, requests * steps}) {
      for (const double verified : {0.0, steps * request.setting.budget}) {
        for (const double tokens : {whole ? most_tokens : 0.0, most_tokens}) {
          corners.push_back({tokens, of_requests, steps, verified});
        }
      }
    }
  }
  return corners;
}

}  // namespace

BatchTally& BatchTally::operator+=(const BatchTally& other) {
  trials += other.trials;
  undefined_trials += other.undefined_trials;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] += other.sums[i];
    for (std::size_t j = 0; j < sums.size(); ++j) products[i][j] += other.products[i][j];
  }
  add_counts(outputs, other.outputs);
  add_counts(joint, other.joint);
  return *this;
}

bool decodes_batches(const Verifier& verifier) {
  return verifier.info->drafting == Drafting::window && verifier.drafts == 1 && verifier.drafts_iid;
}

std::string why_no_batch(const Verifier& verifier, const Pair& pair) {
  if (!decodes_batches(verifier)) {
    return fmt::format(
        "{} does not verify one chain of drafts drawn from the draft's law, which a batch cuts at "
        "a length of each step's own; use one that does, such as token or block",
        verifier.name);
  }
  if (pair.resets()) {
    return fmt::format(
        "{} has a draft that begins anew in each iteration; a batch takes no such pair",
        pair.name());
  }
  return "";
}

BatchTallied run_batches(const Verifier& verifier, const Rows<double>& rows,
                         const BatchRequest& request, const Progress& progress) {
  if (static_cast<std::int64_t>(request.setting.requests) * request.setting.horizon >= kMostRuns) {
    throw LimitError(
        fmt::format("{} requests of {} tokens may take 2^24 iterations or more; lower "
                    "the requests or the horizon",
                    request.setting.requests, request.setting.horizon));
  }
  SimulateRequest of_lengths;
  of_lengths.lengths = lengths_of(request);
  of_lengths.seed = request.seed;
  const TrialPlan plan = make_plan(rows, of_lengths);
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  const BatchCells cells = cells_of(rows, request);
  return with_runs(*ready.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using Trials = BatchTrials<V<double>>;
    const auto make = [&] {
      const auto trials =
          std::make_shared<Trials>(typename Trials::Program(ready.program.get(), runs), ready.name,
                                   rows, plan, request, cells);
      return [trials](std::uint64_t first, std::uint64_t last, BatchTally& tally) {
        trials->run(first, last, tally);
      };
    };
    return run_rounds<BatchTallied>(make, rows, request, progress);
  });
}

BatchEstimates estimate_batches(const BatchTally& tally, const Verifier& verifier,
                                const Rows<double>& rows, const BatchRequest& request) {
  const bool whole = !rows.pair().end_token() && verifier.info->kind == VerifierKind::lossless &&
                     tally.undefined_trials == 0;
  const JointMeans means =
      joint_means(tally.trials, tally.sums, tally.products, batch_corners(request, whole));
  const BatchCells cells = cells_of(rows, request);
  BatchEstimates result{
      .tokens_per_step = means.ratio({1, 0, 0, 0}, {0, 0, 1, 0}),
      .tokens_per_request_step = means.ratio({1, 0, 0, 0}, {0, 1, 0, 0}),
      .steps = mean_estimate(means.weighed({0, 0, 1, 0})),
      .mean_steps = mean_estimate(means.weighed({0, 1.0 / request.setting.requests, 0, 0})),
      .verified_per_step = means.ratio({0, 0, 0, 1}, {0, 0, 1, 0}),
      .law_tokens = cells.tokens,
      .tv = {},
      .joint_tv = {}};
  if (cells.each == 0) return result;
  const std::vector<double> law = target_cells(rows, cells.tokens);
  for (const auto& counts : tally.outputs) {
    result.tv.push_back(distance_estimate(law, counts, tally.trials));
  }
  if (cells.joint == 0) return result;
  std::vector<double> joint{1};
  for (int i = 0; i < request.setting.requests; ++i) {
    std::vector<double> longer;
    for (const double mass : joint) {
      for (const double next : law) longer.push_back(mass * next);
    }
    joint = std::move(longer);
  }
  result.joint_tv = distance_estimate(joint, tally.joint, tally.trials);
  return result;
}

}  // namespace speclab
