// Simulation: time per token of the plain loop and of the engine.

#include "simulate/simulate.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include "model/registry.h"
#include "perf.h"
#include "scalar_loop.h"
#include "simulate/engine.h"
#include "simulate/philox.h"
#include "simulate/step_lanes.h"
#include "timing.h"

namespace speclab::perf {
namespace {

constexpr const char* kChain = "markov(vocabulary=7,horizon=50,seed=10)";
constexpr const char* kToy = "bernoulli(draft=2/3,target=1/3)";
constexpr int kChainHorizon = 50;
constexpr int kHorizon = 128;

struct Job {
  std::string pair;
  std::string verifier;
  int gamma = 8;
  int horizon = kHorizon;
  int drafts = 1;  ///< K: drafts side by side
  std::uint64_t trials = 200;
  Draws draws = Draws::steps;
  bool batched = true;  ///< side by side where that is served
  int threads = 1;
  bool by_clock = false;  ///< time passed, not processor time
};

/// Times decodes of job.trials trials and reports seconds
///   token:   per emitted token;
///   drafted: per drafted token, K gamma a full iteration;
///   drawn:   per drafted token that token verification looks at. It draws no draft token after
///            the first rejection; they are tokens less the bonus tokens, up to one a trial.
void decode(benchmark::State& state, const Job& job) {
  const Rows<double> rows(make_pair(job.pair));
  const Verifier verifier = make_verifier(job.verifier);
  SimulateRequest request{.lengths = {job.gamma, job.horizon},
                          .trials = job.trials,
                          .threads = job.threads,
                          .draws = job.draws,
                          .batched = job.batched};
  // The same tallies the plain way; it also makes the tables.
  request.trials = std::min<std::uint64_t>(job.trials, 4000);
  SimulateRequest plain = request;
  plain.threads = 1;
  plain.batched = false;
  if (!(run_trials(verifier, rows, request).tally == run_trials(verifier, rows, plain).tally)) {
    state.SkipWithError("the tallies differ from those of one thread and the generic program");
    return;
  }
  request.trials = job.trials;
  Best trial, token, drafted, drawn;
  for (auto _ : state) {
    request.first_trial += request.trials;
    const double began = now(!job.by_clock);
    const Tally tally = run_trials(verifier, rows, request).tally;
    const double seconds = now(!job.by_clock) - began;
    const WideCount bonus = tally.target_calls.sum - tally.rejections.sum;
    trial.add(seconds, tally.trials);
    token.add(seconds, tally.tokens.sum);
    drafted.add(seconds, tally.draft_steps.sum * static_cast<unsigned>(job.drafts));
    drawn.add(seconds, tally.tokens.sum - bonus);
  }
  state.counters["trial"] = trial.seconds();
  state.counters["token"] = token.seconds();
  state.counters["drafted"] = drafted.seconds();
  state.counters["drawn"] = drawn.seconds();
  state.counters["table_bytes"] = static_cast<double>(rows.bytes());
}

/// The chain's decodes by one kernel alone, in its own thread.
void kernel(benchmark::State& state, const StepKernel& chosen, int gamma) {
  const Rows<double> rows(make_pair(kChain));
  TrialPlan plan = make_plan(rows, {.lengths = {gamma, kChainHorizon}});
  plan.steps = StepTable::make(make_verifier("token"), rows);
  StepLanes lanes(plan, chosen);
  constexpr std::uint64_t kTrials = 4096;
  std::uint64_t first = 0;
  Best token;
  for (auto _ : state) {
    Tally tally;
    const double began = now();
    lanes.run(first, first + kTrials, tally);
    token.add(now() - began, tally.tokens.sum);
    first += kTrials;
  }
  state.counters["token"] = token.seconds();
}

void add(const std::string& name, const Job& job) {
  benchmark::RegisterBenchmark(name.c_str(), [job](benchmark::State& s) { decode(s, job); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void scalar_loop(benchmark::State& state, int gamma) {
  const Rows<double> rows(make_pair(kChain));
  const ScalarLoop loop(rows, kChainHorizon);
  const auto starts = rows.pair().start();
  std::mt19937_64 engine(1);
  std::uniform_int_distribution<std::size_t> prompt(0, starts.size() - 1);
  constexpr int kDecodes = 1000;
  Best token;
  for (auto _ : state) {
    const double began = now();
    for (int i = 0; i < kDecodes; ++i) {
      benchmark::DoNotOptimize(loop.decode(starts[prompt(engine)].state, gamma, engine));
    }
    token.add(now() - began, kDecodes * kChainHorizon);
  }
  state.counters["token"] = token.seconds();
}

/// Seconds a random word of 64 bits, made `groups` groups of eight blocks at a time.
void random_words(benchmark::State& state, std::size_t groups) {
  constexpr std::uint32_t kCalls = 1000;
  PhiloxCounters counters{};
  PhiloxWords words;
  Best word;
  for (auto _ : state) {
    const double began = now();
    for (std::uint32_t i = 0; i < kCalls; ++i) {
      counters[0][0] = i;
      philox_fill(1, counters, groups, words);
      benchmark::DoNotOptimize(words);
    }
    word.add(now() - began, kCalls * 2 * kPhiloxLanes * groups);
  }
  state.counters["word"] = word.seconds();
}

Job chain(int gamma, const char* verifier = "token") {
  return {.pair = kChain,
          .verifier = verifier,
          .gamma = gamma,
          .horizon = kChainHorizon,
          .trials = 200000};
}

void add_chain() {
  for (const std::size_t groups : {std::size_t{1}, kPhiloxGroups}) {
    benchmark::RegisterBenchmark(("random/" + std::to_string(8 * groups)).c_str(),
                                 [groups](benchmark::State& s) { random_words(s, groups); });
  }
  for (const int gamma : {8, 49, kUnbounded}) {
    const std::string name =
        "chain/" + (gamma == kUnbounded ? std::string("inf") : std::to_string(gamma)) + "/";
    benchmark::RegisterBenchmark((name + "scalar-loop").c_str(),
                                 [gamma](benchmark::State& s) { scalar_loop(s, gamma); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    add(name + "engine", chain(gamma));
    Job generic = chain(gamma);
    generic.trials = 4000;
    generic.batched = false;
    add(name + "engine-one-by-one", generic);
    generic.draws = Draws::decisions;
    add(name + "engine-own-decisions", generic);
    for (const StepKernel& each : step_kernels()) {
      if (!each.supported) continue;
      benchmark::RegisterBenchmark((name + "kernel/" + each.name).c_str(),
                                   [&each, gamma](benchmark::State& s) { kernel(s, each, gamma); });
    }
  }
  for (const char* verifier : {"lenient(l=1/2)", "sample-match", "target-only(K=1)", "block"}) {
    add("chain/8/" + std::string(verifier), chain(8, verifier));
  }
}

/// A job of the generic program, one trial after another.
Job own_decisions(const char* pair, const char* verifier, int gamma = 8) {
  return {.pair = pair,
          .verifier = verifier,
          .gamma = gamma,
          .draws = Draws::decisions,
          .batched = false};
}

void add_verifiers() {
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    add(std::string("toy/") + verifier, own_decisions(kToy, verifier));
  }
  for (const int gamma : {2, 4, 16, 32}) {
    add("gamma/block/" + std::to_string(gamma), own_decisions(kToy, "block", gamma));
  }
  for (const int vocabulary : {128, 1024, 8192, 131072}) {
    add("zipf/block/" + std::to_string(vocabulary),
        {.pair = zipf(vocabulary), .verifier = "block", .trials = 64});
  }
  for (const char* verifier : {"rrs", "kseq", "slot-block", "spectr-gbv"}) {
    for (const int drafts : {1, 2, 4, 8}) {
      add(std::string("drafts/") + verifier + "/" + std::to_string(drafts),
          {.pair = zipf(32),
           .verifier = std::string(verifier) + "(K=" + std::to_string(drafts) + ")",
           .drafts = drafts,
           .trials = 16});
    }
  }
  if (const char* text = std::getenv("SPECLAB_PERF_TEXT")) {
    for (const char* verifier : {"token", "block"}) {
      add(std::string("ngram/") + verifier,
          {.pair = "ngram(text=\"" + std::string(text) + "\",draft=1,target=3)",
           .verifier = verifier,
           .trials = 32});
    }
  }
}

void add_threads() {
  for (const int threads : {1, 2}) {
    Job job = chain(kUnbounded);
    job.trials = 400000;
    job.threads = threads;
    job.by_clock = true;
    add("threads/chain/" + std::to_string(threads), job);
    add("threads/zipf/" + std::to_string(threads), {.pair = zipf(131072),
                                                    .verifier = "block",
                                                    .trials = 8000,
                                                    .threads = threads,
                                                    .by_clock = true});
  }
}

}  // namespace

void add_simulations() {
  add_chain();
  add_verifiers();
  add_threads();
}

}  // namespace speclab::perf
