// Exact laws and closed forms: seconds for the whole of each.

#include "exact/exact.h"

#include <cmath>
#include <string>
#include <vector>

#include "model/registry.h"
#include "perf.h"
#include "theory/sun2025.h"
#include "theory/yin2024.h"

namespace speclab::perf {
namespace {

constexpr const char* kChain = "markov(vocabulary=7,horizon=50,seed=10)";
constexpr const char* kTree = "tree(vocabulary=3,depth=6)";
constexpr const char* kLongChain = "markov(vocabulary=64,horizon=1000,seed=10)";

/// P(tau >= i), i = 0..gamma, by every path of gamma tokens from every prompt.
template <class Real>
std::vector<Real> tail_by_paths(const PairPointer& pair, int gamma) {
  const Rows<Real> rows(pair);
  std::vector<Real> tail(static_cast<std::size_t>(gamma) + 1, Real(0));
  for (const Start& start : pair->start()) {
    const auto mine = block_tail_by_paths(rows, start.state, gamma);
    for (std::size_t i = 0; i < tail.size(); ++i) {
      tail[i] += from_rational<Real>(start.probability) * mine[i];
    }
  }
  return tail;
}

template <class Real>
void paths(benchmark::State& state, const char* spec, int gamma) {
  const PairPointer pair = make_pair(spec);
  for (auto _ : state) benchmark::DoNotOptimize(tail_by_paths<Real>(pair, gamma));
}

/// The law of tau from every sequence of the verifier's decisions, coins too; E[tau] is compared
/// with the sum over paths.
template <class Real>
void enumerated(benchmark::State& state, const char* spec, int gamma) {
  const PairPointer pair = make_pair(spec);
  const Verifier block = make_verifier("block");
  Real expected(0);
  for (auto _ : state) {
    const Rows<Real> rows(pair);
    expected = run_exact(block, rows, {.lengths = {.gamma = gamma}, .max_paths = HUGE_VAL})
                   .at(QuantityId::expected_accepted);
  }
  Real sum(0);
  const auto tail = tail_by_paths<Real>(pair, gamma);
  for (std::size_t i = 1; i < tail.size(); ++i) sum += tail[i];
  if (std::abs(to_double(Rational(expected)) - to_double(Rational(sum))) > 1e-9) {
    state.SkipWithError("E[tau] differs from the sum over paths");
  }
}

/// Everything of a decode to the horizon that needs no joint law. A lossless decode emits the
/// horizon.
void decodes(benchmark::State& state, const char* verifier, int gamma, int horizon) {
  const PairPointer pair = make_pair(kChain);
  const Verifier rule = make_verifier(verifier);
  double tokens = 0;
  for (auto _ : state) {
    const Rows<double> rows(pair);
    tokens = run_exact(rule, rows, {.lengths = {.gamma = gamma, .horizon = horizon}, .threads = 1})
                 .at(QuantityId::decode_tokens);
  }
  if (std::abs(tokens - horizon) > 1e-9) state.SkipWithError("E[tokens] is not the horizon");
}

/// The long run of a homogeneous pair.
void long_run(benchmark::State& state, const char* verifier) {
  const PairPointer pair = make_pair(kTree);
  const Verifier rule = make_verifier(verifier);
  for (auto _ : state) {
    const Rows<double> rows(pair);
    benchmark::DoNotOptimize(
        run_exact(rule, rows, {.lengths = {.gamma = 4}, .long_run = true, .threads = 1})
            .at(QuantityId::long_run_length));
  }
}

void batches(benchmark::State& state) {
  for (auto _ : state) {
    const Rows<double> rows(make_pair(kLongChain));
    Budget budget;
    benchmark::DoNotOptimize(batch_rejections(rows, start_law(rows), 8, 1000, budget).expected());
  }
}

template <class Function>
benchmark::internal::Benchmark* add(const std::string& name, Function function) {
  return benchmark::RegisterBenchmark(name.c_str(), function)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace

void add_exact() {
  for (const int gamma : {7, 8}) {
    const std::string end = "/chain/" + std::to_string(gamma);
    add("paths" + end, [gamma](benchmark::State& s) { paths<double>(s, kChain, gamma); });
    auto* slow = add("enumerated" + end,
                     [gamma](benchmark::State& s) { enumerated<double>(s, kChain, gamma); });
    slow->Iterations(1);
    if (gamma == 8) slow->Repetitions(1);
  }
  for (const char* verifier : {"token", "block", "rrs(K=2)"}) {
    add(std::string("decode/chain/50/") + verifier,
        [verifier](benchmark::State& s) { decodes(s, verifier, 4, 50); });
  }
  // Two drafts as blocks have 7^8 drafts an iteration at gamma = 4.
  add("decode/chain/50/slot-block(K=2)/2",
      [](benchmark::State& s) { decodes(s, "slot-block(K=2)", 2, 50); });
  for (const char* verifier : {"token", "block"}) {
    add(std::string("long-run/tree/") + verifier,
        [verifier](benchmark::State& s) { long_run(s, verifier); });
  }
  add("paths/tree/6", [](benchmark::State& s) { paths<Rational>(s, kTree, 6); });
  add("enumerated/tree/6", [](benchmark::State& s) { enumerated<Rational>(s, kTree, 6); });
  add("recursion/chain", batches);
}

}  // namespace speclab::perf
