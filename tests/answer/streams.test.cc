// Random streams are keyed by the seed and the pair's content alone: what else is asked for changes
// no number, a pair gives the same under any name, and verifiers that make their own decisions
// share their drafts.
#include "answer/answer.h"
#include "answer/bench.h"
#include "catch.h"
#include "model/registry.h"
#include "scratch.h"

namespace speclab::streams_test {
namespace {

constexpr const char* kManyTokens = "markov(vocabulary=65,horizon=3,seed=3)";
constexpr const char* kToyPair = "bernoulli(draft=2/3,target=1/3)";

Answer simulated(Bench& bench, const std::string& pair, const char* verifier, Lengths lengths,
                 bool law = false) {
  Question question = bench.question(pair, verifier, lengths, Arithmetic::floating);
  question.law = law;
  BySimulation method;
  method.trials = 500;
  method.seed = 12;
  return bench.answer(question, method);
}

std::vector<double> means(const Answer& answer, QuantityId id) {
  std::vector<double> numbers;
  for (const Value& value : answer.found.list(id)) numbers.push_back(value.number);
  REQUIRE_FALSE(numbers.empty());
  return numbers;
}

TEST_CASE("asking for more changes no number that was there before") {
  Bench bench;
  for (const char* pair : {kToyPair, "markov(vocabulary=3,horizon=30,seed=10)"}) {
    for (const char* verifier : {"token", "block", "greedy-block", "rrs(K=2)"}) {
      CAPTURE(pair, verifier);
      const Answer alone = simulated(bench, pair, verifier, {3, std::nullopt, 0});
      const auto law = means(alone, QuantityId::accepted_law);
      for (const Lengths& lengths :
           {Lengths{3, 12, 0}, Lengths{3, 2, 0}, Lengths{3, std::nullopt, 4}, Lengths{3, 12, 4}}) {
        const Answer more = simulated(bench, pair, verifier, lengths, true);
        CHECK(means(more, QuantityId::accepted_law) == law);
      }
      const Answer iterations = simulated(bench, pair, verifier, {3, std::nullopt, 2});
      const Answer further = simulated(bench, pair, verifier, {3, 9, 4});
      const auto two = means(iterations, QuantityId::expected_tokens);
      auto four = means(further, QuantityId::expected_tokens);
      four.resize(2);
      CHECK(four == two);
      const Answer decode = simulated(bench, pair, verifier, {3, 9, 0});
      CHECK(means(decode, QuantityId::target_calls) == means(further, QuantityId::target_calls));
    }
  }
}

TEST_CASE("a pair gives the same numbers under any name") {
  Bench bench;
  const Scratch scratch;
  const std::string text = R"({"vocabulary":2,"kind":"iid","draft":["2/6","2/3"],)"
                           R"("target":["2/3","1/3"]})";
  const auto law = [&](const std::string& pair) {
    return means(simulated(bench, pair, "block", {3, 8, 0}), QuantityId::target_calls);
  };
  const auto toy = law(kToyPair);
  CHECK(law("iid(draft=[1/3,2/3],target=[2/3,1/3])") == toy);
  CHECK(law("file(" + scratch.write("a.json", text) + ")") == toy);
  CHECK(law("file(" + scratch.write("b/c.json", text) + ")") == toy);
  CHECK(law("bernoulli(draft=2/3,target=2/5)") != toy);
}

TEST_CASE("the verifiers of a pair share their drafts where none draws whole steps") {
  // With one token drafted, token and block verification toss the same coin for the same draft, on
  // a pair of too many tokens for tables of steps.
  Bench bench;
  const auto law = [&](const char* verifier) {
    return means(simulated(bench, kManyTokens, verifier, {1, std::nullopt, 0}),
                 QuantityId::accepted_law);
  };
  CHECK(law("token") == law("block"));
  // Other seeds draw otherwise: the equality above is no accident of few trials.
  Question question =
      bench.question(kManyTokens, "token", {1, std::nullopt, 0}, Arithmetic::floating);
  BySimulation method;
  method.trials = 500;
  method.seed = 13;
  CHECK(means(bench.answer(question, method), QuantityId::accepted_law) != law("token"));
}

}  // namespace
}  // namespace speclab::streams_test
