#include "answer/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "answer/waiting_clusters.h"
#include "base/error.h"
#include "model/lengths.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Rounds from `first` clusters on, each with twice the clusters, until `most` of them are reached.
std::vector<std::size_t> rounds_to(std::size_t most, std::size_t first) {
  std::vector<std::size_t> rounds;
  for (std::size_t end = std::min(most, first); rounds.empty() || rounds.back() < most;
       end = std::min(most, 2 * end)) {
    rounds.push_back(end);
  }
  return rounds;
}

/// The candidates' rates at one cost model.
std::vector<Rate> rates_of(std::span<const Candidate> candidates, const CostModel& costs,
                           const Load& load) {
  std::vector<Rate> rates;
  Latencies latencies(costs, load);
  for (const Candidate& candidate : candidates) {
    rates.push_back(candidate.question ? speed_rate(latencies, *candidate.question)
                                       : Rate{.fixed = 1.0});
  }
  return rates;
}

/// The candidates with the clusters of a batch that waits for its slowest decode.
std::vector<Candidate> waiting(std::span<const Candidate> candidates, const Load& load) {
  const auto batch = static_cast<std::uint64_t>(load.batch);
  std::vector<Candidate> result;
  for (const Candidate& candidate : candidates) {
    result.push_back({.question = candidate.question, .dropped = candidate.dropped});
    if (candidate.question) result.back().clusters = waiting_clusters(candidate.clusters, batch);
  }
  return result;
}

/// Clusters of the first round: so many that batches that wait have kLeastWaiting of their own.
std::size_t first_clusters(std::span<const Load> loads) {
  std::size_t most = kFirstClusters;
  for (const Load& load : loads) {
    if (!load.waits) continue;
    const double each = std::ceil(load.batch / static_cast<double>(kClusterTrials));
    most = std::max(most, kLeastWaiting * static_cast<std::size_t>(each));
  }
  return most;
}

/// The clusters that both counted.
std::pair<std::span<const Cluster>, std::span<const Cluster>> common(const Candidate& first,
                                                                     const Candidate& second) {
  const std::size_t count = std::min(first.clusters.size(), second.clusters.size());
  return {std::span(first.clusters).first(count), std::span(second.clusters).first(count)};
}

class Race {
 public:
  Race(std::vector<Candidate>& candidates, const CostModel& costs, const Load& load = {})
      : candidates_(candidates), rates_(rates_of(candidates, costs, load)) {}

  [[nodiscard]] Estimate speed(std::size_t i) const {
    return rate_interval(clusters_of(i), rates_[i]);
  }

  /// @param unseen  decodes for which the tail leaves room: see paired_difference
  [[nodiscard]] PairedDifference lead(std::size_t first, std::size_t second,
                                      double unseen = 0) const {
    // The baseline has no clusters: its rate is fixed.
    const Candidate& a = candidates_[candidates_[first].question ? first : second];
    const Candidate& b = candidates_[candidates_[second].question ? second : first];
    const auto [left, right] = common(a, b);
    return paired_difference(left, rates_[first], right, rates_[second], unseen);
  }

  /// The fastest of those left, and the fastest of all others; of equals the first asked.
  [[nodiscard]] Choice choose(bool dropped_too = false) const {
    std::vector<std::size_t> order;
    std::vector<Estimate> speeds;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      order.push_back(i);
      speeds.push_back(speed(i));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const bool apart = !dropped_too && candidates_[a].dropped != candidates_[b].dropped;
      if (apart) return candidates_[b].dropped;
      // Where nothing beats it the advice is not to speculate.
      if (speeds[a].mean == speeds[b].mean) {
        return !candidates_[a].question && candidates_[b].question;
      }
      return speeds[a].mean > speeds[b].mean;
    });
    Choice choice{order[0], order[1], {}, speeds[order[0]]};
    choice.lead = lead(choice.best, choice.runner_up);
    return choice;
  }

  /// Drops the candidates that the leader is ahead of beyond doubt; returns how many are left
  /// beside it.
  std::size_t drop(double tail) {
    const std::size_t best = choose().best;
    std::size_t left = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (i == best || candidates_[i].dropped) continue;
      // Of n trials none shows a kind of decodes of probability log(1/tail)/n with chance `tail`.
      candidates_[i].dropped = lead(best, i, -std::log(tail)).tail < tail;
      if (!candidates_[i].dropped) ++left;
    }
    return left;
  }

 private:
  /// The baseline has none of its own: those of any candidate serve, as its rate is fixed.
  [[nodiscard]] std::span<const Cluster> clusters_of(std::size_t i) const {
    return candidates_[i].question ? candidates_[i].clusters : candidates_.front().clusters;
  }

  std::vector<Candidate>& candidates_;
  std::vector<Rate> rates_;
};

/// The longest draft asked may be the best because none longer was.
void note_longest(Advice& advice, const AdviceRequest& request) {
  const auto& best = advice.candidates[advice.choice.best].question;
  if (!best || best->verifier.info->drafting == Drafting::none) return;
  const auto gamma = [](const Question& question) { return question.lengths.gamma; };
  const int most = gamma(
      *std::max_element(request.questions.begin(), request.questions.end(),
                        [&](const Question& a, const Question& b) { return gamma(a) < gamma(b); }));
  if (gamma(*best) != most || most == kUnbounded) return;
  advice.notes.push_back("the best draft length is the longest that was asked, " +
                         std::to_string(most) + "; a longer one may be better still");
}

Advice concluded(std::vector<Candidate> candidates, const AdviceRequest& request) {
  Advice advice;
  advice.seed = request.seed;
  advice.candidates = std::move(candidates);
  const Race race(advice.candidates, request.costs);
  advice.choice = race.choose();
  for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
    Candidate& candidate = advice.candidates[i];
    candidate.speedup = race.speed(i);
    double calls = 0;
    for (const Cluster& cluster : candidate.clusters) calls += cluster.calls;
    if (calls > 0) candidate.length = rate_interval(candidate.clusters, length_rate());
    if (!candidate.dropped && i != advice.choice.best) advice.ties.push_back(i);
    if (!candidate.question) continue;
    const Question& question = *candidate.question;
    std::string undefined = undefined_text(
        fmt::format("{}, gamma {}", question.verifier.name, gamma_text(question.lengths.gamma)),
        candidate.clusters);
    if (!undefined.empty()) advice.notes.push_back(std::move(undefined));
  }
  advice.settled = advice.ties.empty();
  note_longest(advice, request);
  for (const Load& load : request.loads) {
    LoadChoice moved{load, std::nullopt, ""};
    try {
      const Race at_load(advice.candidates, request.costs, load);  // refuses costs first
      if (load.waits) {
        std::vector<Candidate> slowest = waiting(advice.candidates, load);
        moved.choice = Race(slowest, request.costs, load).choose(true);
      } else {
        moved.choice = at_load.choose(true);
      }
    } catch (const InputError& error) {
      moved.missing = error.what();
    }
    advice.loads.push_back(std::move(moved));
  }
  return advice;
}

}  // namespace

void check_advice(const AdviceRequest& request) {
  if (request.questions.empty()) throw InputError("advice needs a verifier to ask about");
  Latencies latencies(request.costs);
  for (const Question& question : request.questions) {
    check_interrupted();
    if (question.verifier.info->drafting == Drafting::run && !request.costs.target.constant()) {
      throw InputError(question.verifier.name +
                       ": of a verifier that drafts by runs the target's calls are not known by "
                       "their positions; give the target one time");
    }
    if (question.lengths.horizon) check_lengths(*question.pair, question.lengths);
    latencies.of(question);
  }
}

Rate speed_rate(Latencies& latencies, const Question& question) {
  const Latency latency = latencies.of(question);
  return {.above = {.tokens = latency.single},
          .below = {.steps = step_time(question.verifier, latency), .calls = latency.call()}};
}

Rate length_rate() { return {.above = {.tokens = 1}, .below = {.calls = 1}}; }

Rate accepted_rate() { return {.above = {.accepted = 1}, .below = {.trials = 1}}; }

Advice advise_recorded(const AdviceRequest& request) {
  check_advice(request);
  RecordedRequest asked;
  asked.threads = request.threads;
  asked.common_starts = true;
  std::set<std::string> names;
  std::set<int> gammas;
  for (const Question& question : request.questions) {
    if (names.insert(question.verifier.name).second) asked.verifiers.push_back(question.verifier);
    const int gamma = question.lengths.gamma;
    if (gammas.insert(gamma).second) asked.gammas.push_back(gamma);
  }
  const RecordedResults found = run_recorded(request.questions.front().pair, asked);
  std::vector<std::vector<Cluster>> clusters;
  for (const Question& question : request.questions) {
    clusters.push_back(clusters_of(found.of(question.verifier.name, question.lengths.gamma)));
  }
  if (clusters.front().size() < kLeastClusters) {
    throw InputError(
        "advice needs two prompts or more with a start that all draft lengths fit in, "
        "and the longest draft recorded has " +
        std::to_string(found.longest.tokens) + " tokens; record more, or ask for shorter drafts");
  }
  Advice advice = advise_counted(request, std::move(clusters));
  if (!recording_of(*request.questions.front().pair)->shape().texts) {
    advice.notes.emplace_back(
        "of iterations that begin at the recorded starts; a decode meets them in its own shares");
  }
  return advice;
}

Advice advise_counted(const AdviceRequest& request, std::vector<std::vector<Cluster>> clusters) {
  check_advice(request);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < request.questions.size(); ++i) {
    candidates.push_back({.question = request.questions[i], .clusters = std::move(clusters[i])});
  }
  candidates.push_back({});
  Race(candidates, request.costs).drop(kDropChance / static_cast<double>(candidates.size()));
  return concluded(std::move(candidates), request);
}

std::vector<Load> usual_loads(const CostModel& costs, std::span<const int> batches) {
  constexpr double kCostError = 0.2;
  std::vector<Load> loads;
  for (const int batch : batches) {
    loads.push_back({.batch = static_cast<double>(batch)});
    if (batch > 1) loads.push_back({.batch = static_cast<double>(batch), .waits = true});
  }
  for (const double off : {1 - kCostError, 1 + kCostError}) loads.push_back({.draft = off});
  if (costs.target.constant()) return loads;
  for (const double off : {1 - kCostError, 1 + kCostError}) loads.push_back({.growth = off});
  return loads;
}

Advice advise(Bench& bench, const AdviceRequest& request, const Progress& progress) {
  check_advice(request);
  std::vector<Candidate> candidates;
  for (const Question& question : request.questions) candidates.push_back({.question = question});
  candidates.push_back({});
  const auto most =
      static_cast<std::size_t>((request.most_trials + kClusterTrials - 1) / kClusterTrials);
  const std::vector<std::size_t> rounds =
      rounds_to(std::max(most, kLeastClusters), first_clusters(request.loads));
  const double chance = kDropChance / static_cast<double>(candidates.size() * rounds.size());
  const bool waits = std::any_of(request.loads.begin(), request.loads.end(),
                                 [](const Load& load) { return load.waits; });
  const BySimulation method{.trials = request.most_trials,
                            .seed = request.seed,
                            .threads = request.threads,
                            .decode_counts = waits};
  std::size_t before = 0;
  std::uint64_t done = 0;
  for (const std::size_t end : rounds) {
    for (Candidate& candidate : candidates) {
      if (!candidate.question || candidate.dropped) continue;
      add_clusters(bench, *candidate.question, request.questions, method, before, end,
                   candidate.clusters);
      done += (end - before) * kClusterTrials;
      if (progress) progress(done);
    }
    before = end;
    if (Race(candidates, request.costs).drop(chance) == 0) break;
  }
  Advice advice = concluded(std::move(candidates), request);
  advice.trials = before * kClusterTrials;
  return advice;
}

}  // namespace speclab
