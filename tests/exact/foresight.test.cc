// Merged iterations that are too large are refused early, and freed at once.
#include <gmp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/error.h"
#include "catch.h"
#include "exact/foreseen_growth.h"
#include "message_of.h"
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

/// What is foreseen at most over `levels`, from each of the first ones on to the last.
template <class Count>
double foreseen_over(int levels, const Count& count) {
  ForeseenGrowth growth;
  double most = 0;
  for (int n = 0; n < levels; ++n) {
    growth.add(count(n));
    most = std::max(most, growth.foreseen(static_cast<std::size_t>(levels - 1 - n)));
  }
  return most;
}

TEST_CASE("what grows from level to level is foreseen, and little that does not come") {
  ForeseenGrowth growth;
  for (const double count : {1, 1, 3, 4, 9, 14, 27}) {
    growth.add(count);
    CHECK(growth.foreseen(2) == 0);
  }
  growth.add(42);
  CHECK(growth.foreseen(1) == Approx(42));
  CHECK(growth.foreseen(2) == Approx(108));
  CHECK(growth.foreseen(4) == Approx(108 * 3 * std::pow(3 / 3.5, 2)));
  CHECK(growth.foreseen(60) == growth.foreseen(8));  // as far as there were levels
  // A hundred levels of an exponential, also one that rises every second level.
  CHECK(foreseen_over(100, [](int n) { return std::pow(1.5, n); }) > 1e15);
  CHECK(foreseen_over(100, [](int n) { return std::pow(2.25, n / 2); }) > 1e15);
  // At most 2.5 times what comes.
  for (const int levels : {10, 20, 40, 100}) {
    for (const double power : {1, 2, 3, 5, 8, 12}) {
      for (const double first : {0, 1, 10, 1000}) {
        CAPTURE(levels, power, first);
        CHECK(foreseen_over(levels, [&](int n) { return first + std::pow(n, power); }) <=
              2.5 * (first + std::pow(levels - 1, power)));
      }
    }
  }
  CHECK(foreseen_over(100, [](int n) { return 5000 - 4000 * std::pow(0.9, n); }) <= 5000);
  CHECK(foreseen_over(100, [](int n) { return n < 20 ? 50 : 0; }) <= 50);
  // An exponential that stops looks like one that goes on, for as far as it came.
  CHECK(foreseen_over(100, [](int n) { return std::min(5000.0, std::pow(2, n)); }) <= 5e3 * 5e3);
}

/// The message of a refusal, of at most `most` sequences a position.
std::string refusal_of(const char* verifier, const char* pair, Lengths lengths, double most) {
  return message_of<LimitError>([&] {
    run_exact(make_verifier(verifier), Rows<double>(make_pair(pair)),
              {.lengths = lengths, .max_paths = most});
  });
}

TEST_CASE("a decode whose contexts grow is refused by what is foreseen of them") {
  // Level 20 has half a million sequences, one half more a level: it is not waited for level 34.
  const char* three = "iid(draft=[1/2,3/10,1/5],target=[2/5,2/5,1/5])";
  const std::string refusal = refusal_of("greedy-block", three, {3, 40}, 1e8);
  CHECK(refusal.find("e+08 sequences of decisions or more are foreseen after some more tokens") !=
        std::string::npos);
  CHECK(refusal_of("greedy-block", three, {3, std::nullopt, 30}, 1e6).find("foreseen") !=
        std::string::npos);
  // No level of these is over the limit, however long the decode.
  CHECK(refusal_of("block", three, {3, 200}, 1e4).empty());
  CHECK(refusal_of("greedy-block", three, {1, 200}, 1e5).empty());
  CHECK(refusal_of("spectr-coupled(K=2)", "iid(draft=[1/2,1/2],target=[1/3,2/3])", {2, 100}, 1e5)
            .empty());
  // The states of a pair double with each token, up to 2^11 of them.
  const char* lookup = "lookup(target=[[1/3,2/3]],next=[[0,0]],match=2,length=4,window=11)";
  CHECK(refusal_of("block", lookup, {4, 64}, 3e4).empty());
  CHECK(refusal_of("greedy-block", lookup, {2, 40}, 1e6).empty());
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
