// Scored texts in memory: every draft length from 1 to 16 and both verifiers, tokens a second of
// one core; the expected target calls alone, and all that `score` reports.
#include <cstdint>

#include "perf.h"
#include "recorded/scored/decode.h"

namespace speclab::perf {
namespace {

constexpr std::size_t kTokens = 100'000;

ScoredText made_text() {
  ScoredText text;
  std::uint64_t state = 1;
  const auto next = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (std::size_t j = 0; j < kTokens; ++j) {
    text.target.push_back(-2 * next());
    text.draft.push_back(std::min(0.0, text.target.back() + next() - 0.6));
  }
  return text;
}

void texts(benchmark::State& state, bool whole) {
  const ScoredText text = made_text();
  TextDecoder decoder;
  decoder.load(text);
  double calls = 0;
  for (auto _ : state) {
    for (const TextRule rule : {TextRule::token, TextRule::block}) {
      calls += whole ? decoder.decode({rule}).calls[15] : decoder.calls({rule})[15];
    }
  }
  benchmark::DoNotOptimize(calls);
  state.counters["tokens"] = benchmark::Counter(static_cast<double>(kTokens),
                                                benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void add_texts() {
  for (const bool whole : {false, true}) {
    benchmark::RegisterBenchmark(whole ? "texts/whole" : "texts/calls",
                                 [whole](benchmark::State& state) { texts(state, whole); });
  }
}

}  // namespace speclab::perf
