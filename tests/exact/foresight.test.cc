// Merged iterations that are too large are refused early, and freed at once.
#include <gmp.h>

#include <algorithm>
#include <map>

#include "catch.h"
#include "run/numbering.h"
#include "run/runner.h"
#include "system/ending.h"
#include "system/interrupt_scope.h"
#include "toy.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/token.h"
#include "verifiers/several/rrs.h"

namespace speclab::foresight_test {
namespace {

struct Runs {
  double made = 0;
  double foreseen = 0;  ///< the most
};
struct Enough {};

/// Runs until more than `most` are foreseen or made.
template <class Program>
Runs runs_of(const Program& program, const char* pair, Window window, bool corrections,
             double most) {
  using View = PairView<double>;
  const Rows<double> rows(make_pair(pair));
  const View view(rows);
  Runs runs;
  const MergedProgress progress{[&] {
                                  if (++runs.made > most) throw Enough{};
                                },
                                [&](double foreseen) {
                                  runs.foreseen = std::max(runs.foreseen, foreseen);
                                  if (foreseen > most) throw Enough{};
                                }};
  try {
    any_runner<View>(program).visit_merged(
        view, rows.pair().start().front().state, window, corrections, std::nullopt,
        [](const Emitted<State>&, double) {}, progress);
  } catch (const Enough&) {
  }
  return runs;
}

TEST_CASE("how many merged prefixes there are is foreseen, and not more than there are") {
  // Some 1200 weights after one token, each of which goes on to 2000 tokens.
  const char* zipf = "zipf(vocabulary=2000,draft=1,target=1.1)";
  for (const bool corrections : {false, true}) {
    const Runs early = runs_of(BlockVerification{}, zipf, {4, true}, corrections, 2e6);
    CHECK(early.foreseen > 2e6);
    CHECK(early.made < 2000 + 2000 + 100);
  }
  const Runs all = runs_of(BlockVerification{}, zipf, {2, true}, false, 1e8);
  CHECK(all.made > 2000.0 * 2000);
  CHECK(all.foreseen > 0.9 * 2000 * 2000);
  CHECK(all.foreseen <= all.made);
  // Many nodes with few classes each.
  const char* chain = "markov(vocabulary=1200,horizon=3,seed=1)";
  const Runs tokens = runs_of(TokenVerification{}, chain, {2, true}, false, 1e8);
  CHECK(tokens.foreseen > 0);
  CHECK(tokens.foreseen <= tokens.made);
}

TEST_CASE("what comes before the first pause is estimated without a run") {
  using View = PairView<double>;
  const Rows<double> rows(make_pair("uniform(draft=100,target=99)"));
  const View view(rows);
  const auto estimate = [&](const auto& program, double enough) {
    return any_runner<View>(program).branches_to_pause(view, 0, {4, true}, true, enough);
  };
  CHECK(estimate(BlockVerification{}, 1e8) == 100);
  CHECK(estimate(RecursiveRejection{4}, 1e7) > 1e7);
}

TEST_CASE("the number of sequences is estimated by walks, even ones and bold ones") {
  using View = PairView<double>;
  const auto estimate = [](const char* pair, int gamma, double enough) {
    const Rows<double> rows(make_pair(pair));
    return any_runner<View>(TokenVerification{})
        .branches(View(rows), 0, {gamma, true}, true, enough);
  };
  // Nothing is rejected: every walk meets 3 tokens three times.
  CHECK(estimate("uniform(draft=3,target=3)", 2, 1e6) == 27);
  CHECK(estimate("uniform(draft=3,target=3)", 2, 30) == 27);
  CHECK(estimate("uniform(draft=3,target=3)", 2, 20) > 20);
  // More than 4^40 sequences, nearly all of them of 40 accepted tokens, which even coins never
  // find.
  const char* rejecting = "iid(draft=[1/4,1/4,1/4,1/4],target=[1/5,1/5,1/5,2/5])";
  CHECK(estimate(rejecting, 40, 1e15) > 1e15);
}

TEST_CASE("keys are numbered in the order in which they come, whatever their hash") {
  struct Poor {
    std::size_t operator()(int key) const { return static_cast<std::size_t>(key % 7); }
  };
  HashedNumbering<int, Poor> hashed;
  OrderedNumbering<int> ordered;
  std::map<int, std::size_t> known;
  for (int i = 0; i < 5000; ++i) {
    const int key = (i * 7919) % 1009;
    const bool fresh = known.try_emplace(key, known.size()).second;
    const std::pair<std::size_t, bool> expected{known.at(key), fresh};
    REQUIRE(hashed.number(key) == expected);
    REQUIRE(ordered.number(key) == expected);
  }
  CHECK(hashed.keys() == ordered.keys());
  CHECK(hashed.keys().size() == known.size());
}

long g_freed = 0;

void* grow(void* old, std::size_t, std::size_t size) { return std::realloc(old, size); }
void count_free(void* old, std::size_t) {
  ++g_freed;
  std::free(old);
}

TEST_CASE("a program that a signal ends leaves no fraction behind") {
  using View = PairView<Rational>;
  // The fractions of a thousand prefixes or more; how many of them are freed after the signal.
  const auto freed_after_signal = [] {
    const Rows<Rational> rows(make_pair("zipf(vocabulary=40,draft=1,target=1.1)"));
    const View view(rows);
    const InterruptScope scope;  // clears the flag at its end
    int runs = 0;
    const MergedProgress progress{[&] {
                                    if (++runs < 10'000) return;
                                    raise_interrupt();
                                    g_freed = 0;
                                    throw Enough{};
                                  },
                                  [](double) {}};
    try {
      any_runner<View>(BlockVerification{})
          .visit_merged(
              view, 0, {4, true}, true, std::nullopt, [](const Emitted<State>&, const Rational&) {},
              progress);
    } catch (const Enough&) {
      return g_freed;
    }
    return -1L;
  };
  mp_set_memory_functions(std::malloc, grow, count_free);
  CHECK(freed_after_signal() > 10'000);  // a host lives on
  end_with_signals();
  const long few = freed_after_signal();
  CHECK(few >= 0);
  CHECK(few < 5'000);  // the view's own memory of some laws
}

}  // namespace
}  // namespace speclab::foresight_test
