#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/bench.h"
#include "answer/cost_model.h"
#include "answer/paired_clusters.h"

namespace speclab {

// Which verifier, draft length and number of drafts makes decoding fastest, and whether any does
// better than no draft at all. Every candidate decodes whole sequences with the same random numbers
// (the streams of a trial depend on the seed and the pair alone), so that differences are paired.
//
// Rounds: the first has the trials that batches that wait need; each doubles the trials of the
// candidates that are left. One is dropped when the leader is ahead of it beyond doubt: when, were
// they equal, so large a lead would come up with chance kDropChance over the number of candidates
// and of rounds at most, decodes of a kind that no trial showed included. The advice is settled
// when the leader alone is left, and a tie of those that are left when the trials are spent.

/// The chance, over all candidates and rounds, that the best is dropped where none is better.
inline constexpr double kDropChance = 1e-3;

/// Clusters of the first round.
inline constexpr std::size_t kFirstClusters = 32;

/// One way to decode, with what its decodes counted. Nothing is drafted by the last candidate,
/// which is the baseline: its speedup is 1.
struct Candidate {
  std::optional<Question> question;  ///< none: do not speculate
  std::vector<Cluster> clusters;     ///< from trial 0 on
  Estimate speedup;                  ///< at the costs given
  std::optional<Estimate> length;    ///< tokens a call
  bool dropped = false;
};

/// The best candidate at some costs, and its lead over the next best.
struct Choice {
  std::size_t best = 0;
  std::size_t runner_up = 0;
  PairedDifference lead;
  Estimate speedup;  ///< of the best
};

/// How the choice moves when costs do.
struct LoadChoice {
  Load load;
  std::optional<Choice> choice;
  std::string missing;  ///< why there is none: "" where there is
};

struct Advice {
  std::vector<Candidate> candidates;  ///< as asked, then the baseline
  Choice choice;
  bool settled = false;           ///< else a tie of those not dropped
  std::vector<std::size_t> ties;  ///< the candidates not dropped but the best
  std::vector<LoadChoice> loads;
  std::uint64_t trials = 0;  ///< of the candidates that were left to the end
  std::uint64_t seed = 0;
  std::vector<std::string> notes;
};

struct AdviceRequest {
  std::vector<Question> questions;  ///< one pair and one horizon
  CostModel costs;
  std::vector<Load> loads;
  std::uint64_t most_trials = 100'000;  ///< a candidate
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Refuses a request that no work can answer. @throws as advise() does, before any trial
void check_advice(const AdviceRequest& request);

/// The rate "tokens in the time of one call of the target alone, over the time": the speedup.
/// @throws InputError where measured times do not reach so far
Rate speed_rate(Latencies& latencies, const Question& question);

/// The tokens a target call, and the accepted tokens of a first iteration.
Rate length_rate();
Rate accepted_rate();

/// The loads at which an advice is looked at again: batches of so many, in which each decode is
/// replaced when it ends or waits for the slowest, and costs that are off by a fifth either way.
std::vector<Load> usual_loads(const CostModel& costs, std::span<const int> batches);

/// @throws InputError without a question; what the bench throws; Error when interrupted
Advice advise(Bench& bench, const AdviceRequest& request, const Progress& progress = {});

/// The same of what was counted already: by question as many clusters, kLeastClusters or more, of
/// the same texts.
Advice advise_counted(const AdviceRequest& request, std::vector<std::vector<Cluster>> clusters);

/// The same of a recording: over the iterations that begin at the recorded starts where all draft
/// lengths fit, a cluster a prompt. Nothing can be added to them, so that the advice is settled by
/// them or a tie.
/// @throws InputError for what the recording does not contain
Advice advise_recorded(const AdviceRequest& request);

}  // namespace speclab
