// One iteration of every lossless verifier by the size of the vocabulary, and the same work on
// dense rows as programs without tables do it.
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "dense_rows.h"
#include "model/registry.h"
#include "perf.h"
#include "simulate/simulate.h"

namespace speclab::perf {
namespace {

constexpr int kGamma = 8;
constexpr int kDrafts = 4;
constexpr int kVocabularies[] = {1024, 32768, 131072};

std::string zipf(int vocabulary) {
  return "zipf(vocabulary=" + std::to_string(vocabulary) + ",draft=1.0,target=1.1)";
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds an iteration in the fastest of many short runs.
void iteration(benchmark::State& state, const std::string& verifier_text, int vocabulary) {
  const Rows<double> rows(make_pair(zipf(vocabulary)));
  const Verifier verifier = make_verifier(verifier_text);
  SimulateRequest request;
  request.lengths.gamma = kGamma;
  request.trials = 20;
  request.threads = 1;
  run_trials(verifier, rows, request);  // makes the tables
  double best = 1e9;
  for (auto _ : state) {
    request.first_trial += request.trials;
    const double began = processor_seconds();
    run_trials(verifier, rows, request);
    const double each = (processor_seconds() - began) / static_cast<double>(request.trials);
    best = std::min(best, each);
    // Runs of about two milliseconds.
    request.trials = static_cast<std::uint64_t>(std::clamp(2e-3 / each, 4.0, 20000.0));
  }
  state.counters["iteration"] = best;
  state.counters["table_bytes"] = static_cast<double>(rows.bytes());
}

/// The same iterations, a batch of 64 at a time, on rows without tables.
void dense(benchmark::State& state, bool block, int vocabulary) {
  DenseBatch batch(vocabulary, kGamma);
  double best = 1e9;
  for (auto _ : state) {
    batch.draw();
    const double began = processor_seconds();
    block ? batch.verify_blocks() : batch.verify_tokens();
    best = std::min(best, (processor_seconds() - began) / DenseBatch::kSize);
  }
  state.counters["iteration"] = best;
}

void add(const std::string& name, const std::string& verifier, int vocabulary) {
  benchmark::RegisterBenchmark(
      (name + "/" + std::to_string(vocabulary)).c_str(),
      [=](benchmark::State& state) { iteration(state, verifier, vocabulary); })
      ->UseRealTime();
}

}  // namespace

void add_vocabularies() {
  for (const VerifierInfo& row : verifier_rows()) {
    const bool wanted = row.kind == VerifierKind::lossless || row.name == "spectr-gbv";
    if (!wanted) continue;
    std::string text(row.name);
    if (!row.drafts.empty()) {
      text += "(" + std::string(row.drafts) + "=" + std::to_string(kDrafts) + ")";
    }
    for (const int vocabulary : kVocabularies) {
      add("vocabulary/" + std::string(row.name), text, vocabulary);
    }
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
