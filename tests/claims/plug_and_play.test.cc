// sun2025 Theorem 2 from its false side: the optimum over all plug-and-play verifiers by the tree
// of outputs, checked against linear programs, to enumerated verifiers and to values worked out by
// hand.
#include "theory/plug_and_play.h"

#include "catch.h"
#include "claims/battery/battery.h"
#include "claims/battery/small_pairs.h"
#include "claims/engine/optimum.h"
#include "claims/engine/outcomes.h"
#include "model/registry.h"

namespace speclab::plug_and_play_test {
namespace {

using Law = std::vector<Rational>;

constexpr NamedPair kFewerIsMost{
    "automaton(draft=[[1,0],[1,0],[0,1],[1/2,1/2],[1,0],[0,1],[1/2,1/2]],target=[[1,0],[1,0],[1/"
    "2,1/2]"
    ",[0,1],[0,1],[1,0],[1/2,1/2]],next=[[1,1],[2,2],[5,3],[5,4],[5,6],[5,5],[6,6]],start=0)",
    2};
constexpr NamedPair kFiveContexts{
    "automaton(draft=[[1/2,1/2],[0,1],[1/2,1/2],[0,1],[0,1]],target=[[1/2,1/2],[1/2,1/"
    "2],[0,1],[1,0],"
    "[1,0]],next=[[0,1],[3,2],[2,4],[4,4],[0,1]],start=0)",
    2};
constexpr NamedPair kThreeContexts{
    "automaton(draft=[[1,0],[1/2,1/2],[1,0]],target=[[1/2,1/"
    "2],[0,1],[0,1]],next=[[1,2],[1,0],[1,1]],"
    "start=0)",
    2};

/// Token 0 but for a coin of the target after seven 0s and of the draft after eight; q is the
/// probability of 1, after which the models are disjoint.
Instance late_coin(int gamma, const Rational& q) {
  const Law zero{1, 0};
  const Law one{0, 1};
  const Law coin{1 - q, q};
  std::vector<AutomatonState> contexts;
  for (State at = 1; at <= 7; ++at) contexts.push_back({zero, zero, {at, at}});
  contexts.push_back({zero, coin, {8, 9}});
  contexts.push_back({coin, zero, {10, 10}});
  contexts.push_back({zero, one, {10, 10}});
  contexts.push_back({zero, zero, {10, 10}});
  return listed_automaton(std::move(contexts), gamma);
}

TEST_CASE("fewer drafts decode more: two iterations of block, gamma 6 and 7") {
  const Rational half(1, 2);
  CHECK(expected_tokens("block", late_coin(6, half), 2)[1] == Rational(11));
  const Instance seven = late_coin(7, half);
  CHECK(expected_tokens("block", seven, 2)[1] == Rational(43, 4));
  CHECK(expected_tokens("one-hot-block", seven, 2)[1] == Rational(23, 2));
  CHECK(PlugAndPlay<Rational>(*seven.rows, 7).most(0, 2) >= Rational(23, 2));
  CHECK(PlugAndPlay<double>(seven.doubles(), 7).block(0, 2) == 10.75);
}

TEST_CASE("in that family one draft token fewer gains gamma q (1 - q) - 1") {
  for (const Rational& q : {Rational(1, 2), Rational(1, 3), Rational(3, 4)}) {
    const Instance seven = late_coin(7, q);
    CHECK(expected_tokens("one-hot-block", seven, 2)[1] - expected_tokens("block", seven, 2)[1] ==
          7 * q * (1 - q) - 1);
  }
}

TEST_CASE("the optimum by outputs is the one that linear programs prove") {
  const Instance instances[] = {
      make_instance(kFiveContexts),
      make_instance(kFewerIsMost),
      make_instance(kThreeContexts),
      make_instance("tree(vocabulary=2,depth=3,seed=4)", 2),
      make_instance("tree(vocabulary=3,depth=2,seed=9)", 1),
  };
  for (const Instance& instance : instances) {
    CAPTURE(instance.name());
    PlugAndPlay<Rational> optimum(*instance.rows, instance.gamma);
    for (int i = 1; i <= 3; ++i) CHECK(optimum.most(0, i) == best_tokens(instance, i));
    CHECK(optimum.block(0, 3) == expected_tokens("block", instance, 3)[2]);
  }
}

TEST_CASE("the counterexamples to Theorem 2, to the fraction, and the rule that does better") {
  const Instance five = make_instance(kFiveContexts);
  PlugAndPlay<Rational> means(*five.rows, 2);
  CHECK(means.block(0, 3) == Rational(1501, 256));
  CHECK(means.most(0, 3) == Rational(1513, 256));
  const Instance fewer = make_instance(kFewerIsMost);
  CHECK(expected_tokens("one-hot-block", fewer, 3) == std::vector<Rational>{2, 4, 6});
  CHECK(expected_tokens("block", fewer, 3)[2] == Rational(23, 4));
  CHECK(PlugAndPlay<Rational>(*fewer.rows, 2).most(0, 3) == 6);
  const Instance three = make_instance(kThreeContexts);
  PlugAndPlay<Rational> laws(*three.rows, 2);
  CHECK(laws.block(0, 2, 5) == Rational(1, 8));
  CHECK(laws.most(0, 2, 5) == Rational(1, 4));
  CHECK(best_tokens(three, 2, 5) == Rational(1, 4));
}

TEST_CASE("a search goes over contexts: fewer first, each automaton once") {
  std::vector<std::string> seen;
  const auto calls = enumerate_pairs({.tokens = 1, .gammas = 1, .denominator = 1, .states = 3},
                                     Effort::standard, [&](const Instance& instance) {
                                       seen.push_back(instance.name());
                                       return false;
                                     });
  CHECK(calls == seen.size());
  CHECK(seen ==
        std::vector<std::string>{
            "iid(draft=[1],target=[1])",
            "automaton(draft=[[1],[1]],target=[[1],[1]],next=[[1],[0]],start=0)",
            "automaton(draft=[[1],[1]],target=[[1],[1]],next=[[1],[1]],start=0)",
            "automaton(draft=[[1],[1],[1]],target=[[1],[1],[1]],next=[[1],[2],[0]],start=0)",
            "automaton(draft=[[1],[1],[1]],target=[[1],[1],[1]],next=[[1],[2],[1]],start=0)",
            "automaton(draft=[[1],[1],[1]],target=[[1],[1],[1]],next=[[1],[2],[2]],start=0)"});
  for (const std::string& name : seen) CHECK(make_pair(name)->name() == name);
  // Two contexts on two tokens: 12 automata, 4 laws with one-hot rows a context.
  const auto pairs =
      enumerate_pairs({.tokens = 2, .gammas = 1, .denominator = 1, .states = 2}, Effort::standard,
                      [](const Instance& instance) { return instance.pair().vocabulary() > 2; });
  CHECK(pairs == 1 + 2 + 2 + 192);
}

TEST_CASE("without its end a pair goes on with the end token, and every one counts") {
  const Instance ends = make_instance("bernoulli(draft=2/3,target=1/3,eos=1)", 2);
  const Instance endless = without_end(ends);
  CHECK_FALSE(endless.pair().end_token().has_value());
  const auto stopped = expected_tokens("block", ends, 2);
  const auto counted = expected_tokens("block", endless, 2);
  CHECK(stopped[1] < counted[1]);
  CHECK(counted[1] == PlugAndPlay<Rational>(*endless.rows, 2).block(0, 2));
}

TEST_CASE("the law of N(i) by outputs: tails that add up to the mean and that block attains") {
  const Instance toy = make_instance(kToy, 2);
  const Instance tree = without_end(make_instance("tree(vocabulary=3,depth=2,seed=8,eos=0)", 2));
  for (const Instance* instance : {&toy, &tree}) {
    const State start = instance->pair().start().front().state;
    PlugAndPlay<Rational> outputs(*instance->rows, 2);
    Decoding block("block", *instance);
    for (int i = 1; i <= 3; ++i) {
      Rational sum(0);
      for (int n = 1; n <= 3 * i; ++n) {
        CHECK(outputs.block(start, i, n) == block.reached(start, {}, i, n));
        sum += outputs.block(start, i, n);
      }
      CHECK(sum == outputs.block(start, i));
      CHECK(outputs.block(start, i, 3 * i + 1) == 0);
    }
  }
  CHECK(PlugAndPlay<Rational>(*make_instance(kToy, 1).rows, 1).block(0, 1, 2) == Rational(2, 3));
}

TEST_CASE("two iterations at gamma 2: block has the most tokens on average but not in law") {
  const Rational half(1, 2);
  const Instance small = make_instance(
      "automaton(draft=[[1,0],[1,0],[0,1],[1/2,1/2],[0,1],[1/2,1/2]],target=[[1,0],[1,0],[1/2,1/"
      "2],[1,"
      "0],[1,0],[1/2,1/2]],next=[[1,1],[2,2],[4,3],[4,5],[4,4],[5,5]],start=0)",
      2);
  PlugAndPlay<Rational> outputs(*small.rows, 2);
  CHECK(outputs.block(0, 2) == outputs.most(0, 2));
  CHECK(outputs.block(0, 2, 5) == Rational(1, 4));
  CHECK(outputs.most(0, 2, 5) == half);
  CHECK(best_tokens(small, 2, 5) == half);
  // A valid verifier attains it: one draft fewer where the target is sure of the first token.
  CHECK(Decoding("one-hot-block", small).reached(0, {}, 2, 5) == half);
}

}  // namespace
}  // namespace speclab::plug_and_play_test
