// One iteration of every lossless verifier by the size of the vocabulary, one of whole decodes, and
// the same work on dense rows as programs without tables do it.
#include <algorithm>
#include <optional>
#include <string>

#include "base/error.h"
#include "dense_rows.h"
#include "model/registry.h"
#include "perf.h"
#include "simulate/simulate.h"
#include "timing.h"

namespace speclab::perf {
namespace {

constexpr int kGamma = 8;
constexpr int kDrafts = 4;
constexpr int kVocabularies[] = {1024, 32768, 131072};
/// Of whole decodes.
constexpr int kHorizon = 128;
constexpr int kDecoded = 32768;
constexpr const char* kDecodes[] = {"token",
                                    "block",
                                    "greedy-block",
                                    "traversal(K=4)",
                                    "slot-block(K=4)",
                                    "path-block(K=4)",
                                    "spectr-gbv(K=4)",
                                    "spectr-coupled(K=4)",
                                    "stopping(verify=block,stop=law,theta=1/2)",
                                    "relaxed(pi=ensemble,weight=1/2)",
                                    "relaxed(pi=fuzzy,divergence=js,threshold=1/10)",
                                    "typical",
                                    "typical-match",
                                    "top-within(n=3,delta=1/5)",
                                    "entropy-verify(alpha=1/2,theta=1/4)",
                                    "fly(window=2,theta=3/10,draft=sampled)"};

/// Seconds an iteration in the fastest of many short runs. @param horizon  of whole decodes, or
/// nothing for first iterations
void measure(benchmark::State& state, const std::string& verifier_text, int vocabulary,
             std::optional<int> horizon) {
  const Rows<double> rows(make_pair(zipf(vocabulary)));
  const Verifier verifier = make_verifier(verifier_text);
  SimulateRequest request{
      .lengths = {.gamma = kGamma, .horizon = horizon}, .trials = 20, .threads = 1};
  run_trials(verifier, rows, request);  // makes the tables
  Best best;
  for (auto _ : state) {
    request.first_trial += request.trials;
    const double began = now();
    const Tally tally = run_trials(verifier, rows, request).tally;
    const double seconds = now() - began;
    best.add(seconds, horizon ? tally.iterations.sum : WideCount(request.trials));
    const double each = seconds / static_cast<double>(request.trials);
    // Runs of about two milliseconds.
    request.trials = static_cast<std::uint64_t>(std::clamp(2e-3 / each, 4.0, 20000.0));
  }
  state.counters["iteration"] = best.seconds();
  state.counters["table_bytes"] = static_cast<double>(rows.bytes());
}

/// measure(), and what a verifier that refuses the vocabulary says.
void iteration(benchmark::State& state, const std::string& verifier_text, int vocabulary,
               std::optional<int> horizon) {
  try {
    measure(state, verifier_text, vocabulary, horizon);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

/// The same iterations, a batch of 64 at a time, on rows without tables.
void dense(benchmark::State& state, bool block, int vocabulary) {
  DenseBatch batch(vocabulary, kGamma);
  Best best;
  for (auto _ : state) {
    batch.draw();
    const double began = now();
    block ? batch.verify_blocks() : batch.verify_tokens();
    best.add(now() - began, DenseBatch::kSize);
  }
  state.counters["iteration"] = best.seconds();
}

void add(const std::string& name, const std::string& verifier, int vocabulary,
         std::optional<int> horizon = {}) {
  benchmark::RegisterBenchmark(
      (name + "/" + std::to_string(vocabulary)).c_str(),
      [=](benchmark::State& state) { iteration(state, verifier, vocabulary, horizon); })
      ->UseRealTime();
}

}  // namespace

void add_vocabularies() {
  for (const VerifierInfo& row : verifier_rows()) {
    const bool wanted = row.kind == VerifierKind::lossless || row.name == "spectr-gbv";
    if (!wanted) continue;
    std::string text(row.example);
    if (!row.drafts.empty()) {
      text = std::string(row.name) + "(" + std::string(row.drafts) + "=" + std::to_string(kDrafts) +
             ")";
    }
    for (const int vocabulary : kVocabularies) {
      add("vocabulary/" + std::string(row.name), text, vocabulary);
    }
  }
  for (const std::string verifier : kDecodes) {
    add("decodes/" + verifier, verifier, kDecoded, kHorizon);
  }
  for (const int vocabulary : kVocabularies) {
    for (const bool block : {false, true}) {
      benchmark::RegisterBenchmark(
          (std::string(block ? "dense/block/" : "dense/token/") + std::to_string(vocabulary))
              .c_str(),
          [=](benchmark::State& state) { dense(state, block, vocabulary); })
          ->UseRealTime();
    }
  }
}

}  // namespace speclab::perf
