#include "answer/optima.h"

#include <memory>
#include <string>

#include "answer/answer.h"
#include "catch.h"
#include "message_of.h"
#include "model/families/listed_tree.h"
#include "optimum/optimum.h"
#include "theory/sun2024.h"

namespace speclab::optima_test {
namespace {

constexpr const char* kToy = "bernoulli(draft=2/3,target=1/3)";

/// The exact answer, compared with its optimum.
Answer shared(Bench& bench, const std::string& pair, const std::string& verifier, Lengths lengths,
              Arithmetic arithmetic = Arithmetic::rational) {
  Answer answer =
      bench.answer(bench.question(pair, verifier, lengths, arithmetic), ByEnumeration{});
  Optima(bench).add_share(answer);
  return answer;
}

Rational share_of(const std::string& pair, const std::string& verifier, Lengths lengths) {
  Bench bench;
  return shared(bench, pair, verifier, lengths).fraction(QuantityId::share_of_optimum);
}

/// What is known of the optimum of the question.
std::optional<Value> optimum_of(PairPointer pair, const char* verifier, int gamma,
                                Arithmetic arithmetic = Arithmetic::rational) {
  Bench bench;
  return Optima(bench).optimum({.pair = std::move(pair),
                                .verifier = make_verifier(verifier),
                                .lengths = {gamma, std::nullopt, 0},
                                .arithmetic = arithmetic});
}

TEST_CASE("shares of the optimum of small pairs by hand") {
  CHECK(share_of(kToy, "token", {2, std::nullopt, 0}) == Rational(5, 6));
  CHECK(share_of(kToy, "block", {2, std::nullopt, 0}) == Rational(11, 12));
  CHECK(share_of(kToy, "greedy-block", {2, std::nullopt, 0}) == 1);
  CHECK(share_of(kToy, "rrs(K=2)", {1, std::nullopt, 0}) == Rational(7, 8));
  CHECK(share_of(kToy, "slot-block(K=2)", {2, std::nullopt, 0}) == Rational(121, 134));
  CHECK(share_of(kToy, "optimal(K=2,class=coupling)", {2, std::nullopt, 0}) == 1);
  CHECK(share_of(kToy, "optimal(K=2)", {2, std::nullopt, 0}) == Rational(131, 134));
}

TEST_CASE("optima of K drafts printed by other programs") {
  Bench bench;
  const auto known = [&](const char* pair, const char* verifier, int gamma) {
    return optimum_of(bench.pair(pair), verifier, gamma).value().fraction.value();
  };
  CHECK(known(kToy, "rrs(K=2)", 1) == Rational(8, 9));
  CHECK(known(kToy, "rrs(K=3)", 1) == 1);
  CHECK(known(kToy, "rrs(K=2)", 2) == Rational(134, 81));
  CHECK(known(kToy, "rrs(K=3)", 2) == Rational(1351, 729));
  CHECK(known("iid(draft=[5/6,1/6],target=[1/2,1/2])", "batch(M=2)", 2) == Rational(1019, 648));
}

TEST_CASE("the closed forms of an optimum are the program's") {
  Bench bench;
  for (const char* pair :
       {"tree(vocabulary=3,depth=3,seed=4)", "tree(vocabulary=2,depth=4,seed=9)",
        "markov(vocabulary=3,horizon=8,seed=10)", "bernoulli(draft=2/3,target=1/3,eos=1)"}) {
    const PairPointer made = bench.pair(pair);
    for (const auto& [verifier, gamma, drafts] :
         {std::tuple{"block", 2, 1}, {"token", 1, 1}, {"rrs(K=3)", 1, 3}}) {
      CAPTURE(pair, verifier, gamma);
      const Optimum proved = find_optimum(*bench.rationals(made),
                                          {{VerifierClass::coupling, gamma, drafts}, true, false});
      REQUIRE(proved.certified);
      CHECK(optimum_of(made, verifier, gamma).value().fraction == proved.worth);
      CHECK(optimum_of(made, verifier, gamma, Arithmetic::floating).value().number ==
            Approx(to_double(proved.worth)));
    }
  }
}

TEST_CASE("greedy-block reaches the optimum of one draft at every window") {
  for (const char* pair :
       {"bernoulli(draft=2/3,target=1/3,eos=1)", "tree(vocabulary=3,depth=3,seed=4)"}) {
    CHECK(share_of(pair, "greedy-block", {3, std::nullopt, 0}) == 1);
    CHECK(share_of(pair, "greedy-block", {kUnbounded, 3, 0}) == 1);
    CHECK(share_of(pair, "block", {3, 2, 0}) <= 1);
  }
}

TEST_CASE("the share in doubles and of trials") {
  Bench bench;
  const Lengths lengths{2, std::nullopt, 0};
  const Answer near = shared(bench, kToy, "slot-block(K=2)", lengths, Arithmetic::floating);
  CHECK(near.find(QuantityId::share_of_optimum)->number == Approx(121.0 / 134).epsilon(1e-8));
  CHECK_FALSE(near.find(QuantityId::share_of_optimum)->fraction);
  Answer trials = bench.answer(bench.question(kToy, "slot-block(K=2)", lengths),
                               BySimulation{.trials = 20000, .threads = 1});
  Optima(bench).add_share(trials);
  const Estimate share = trials.find(QuantityId::share_of_optimum)->estimate.value();
  CHECK(share.least < 121.0 / 134);
  CHECK(share.most > 121.0 / 134);
  const Estimate accepted = trials.find(QuantityId::expected_accepted)->estimate.value();
  CHECK(share.standard_error == Approx(accepted.standard_error * 81 / 134));
}

TEST_CASE("verifiers that the optimum does not bound have no share") {
  Bench bench;
  for (const char* verifier :
       {"autoregressive", "biased(eps=1/4)", "biased(eps=0)", "stopping(theta=1/2)",
        "block-listing", "spectr-gbv(K=2)", "wrong-coin-product", "rrs-without(K=2)",
        "sample-match(draft=argmax)", "target-only(tree=2-1,draw=with)",
        "sprinter(fp=1/10,tp=9/10)"}) {
    CAPTURE(verifier);
    const Answer answer = shared(bench, kToy, verifier, {2, std::nullopt, 0});
    CHECK(answer.find(QuantityId::expected_accepted) != nullptr);
    CHECK(answer.found.find(QuantityId::share_of_optimum) == nullptr);
  }
}

TEST_CASE("a share of nothing is missing with a note") {
  Bench bench;
  const Answer answer =
      shared(bench, "iid(draft=[1,0],target=[0,1])", "block", {2, std::nullopt, 0});
  CHECK(answer.find(QuantityId::share_of_optimum) == nullptr);
  REQUIRE(answer.notes.size() == 1);
  CHECK_THAT(answer.notes[0], Containing("share_of_optimum") && Containing("0/0"));
}

/// Three tokens first, and then as many as given after each; both models are uniform on them.
PairPointer fan(const std::vector<int>& after) {
  const auto level = [](int tokens) {
    std::vector<Rational> law(6, Rational(0));
    for (int x = 0; x < tokens; ++x) law[static_cast<std::size_t>(x)] = Rational(1, tokens);
    return law;
  };
  ListedLaws laws{{{}, level(static_cast<int>(after.size()))}};
  for (Token x = 0; x < static_cast<Token>(after.size()); ++x) {
    laws[{x}] = level(after[static_cast<std::size_t>(x)]);
  }
  return std::make_shared<ListedTreePair>(6, laws, laws);
}

TEST_CASE("a program of too many prefixes is not solved") {
  STATIC_REQUIRE(kMostOptimumPrefixes == 20);
  CHECK(optimum_of(fan({6, 6, 5}), "rrs(K=2)", 2).value().fraction == 2);
  CHECK_FALSE(optimum_of(fan({6, 6, 6}), "rrs(K=2)", 2));
  // All starts together: 12 prefixes from each of three.
  Bench bench;
  CHECK(optimum_of(bench.pair("markov(vocabulary=2,horizon=8,seed=10)"), "rrs(K=2)", 2));
  CHECK_FALSE(optimum_of(bench.pair("markov(vocabulary=3,horizon=8,seed=10)"), "rrs(K=2)", 2));
  // Many tokens, of which few are likely.
  CHECK_FALSE(optimum_of(bench.pair("uniform(draft=21,target=21)"), "rrs(K=2)", 2));
  CHECK(optimum_of(bench.pair("uniform(draft=21,target=21)"), "rrs(K=2)", 1).value().number == 1);
}

TEST_CASE("a closed form of too many steps is not evaluated") {
  Bench bench;
  const PairPointer toy = bench.pair(kToy);
  const auto rows = bench.rationals(toy);
  const auto within = [&](int gamma) {
    Budget budget(kMostOptimumSteps);
    const auto evaluate = [&] { greedy_tail(*rows, start_law(*rows), gamma, budget); };
    return message_of<LimitError>(evaluate).empty();
  };
  int last = 1;
  while (within(last + 1)) ++last;
  CAPTURE(last);
  CHECK(last > 12);
  CHECK(optimum_of(toy, "block", last));
  CHECK_FALSE(optimum_of(toy, "block", last + 1));
}

}  // namespace
}  // namespace speclab::optima_test
