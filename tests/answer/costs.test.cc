#include "answer/costs.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/comparison.h"
#include "base/error.h"
#include "catch.h"
#include "made_answer.h"
#include "trained.h"
#include "vectors.h"

namespace speclab::costs_test {
namespace {

/// The comparison of `claim` with `quantity`; it must be there.
Comparison compared(const Answer& answer, const std::string& claim, QuantityId id) {
  for (Comparison& comparison : comparisons(answer)) {
    if (comparison.prediction.claim == claim && comparison.prediction.quantity == id) {
      return std::move(comparison);
    }
  }
  FAIL(claim << " says nothing of " << quantity(id).path());
  return {};
}

/// The exact answer in fractions, costs given.
Answer exactly(const std::string& verifier, const char* pair, int gamma, int horizon) {
  Bench bench;
  Answer answer =
      bench.answer(bench.question(pair, verifier, {gamma, horizon, 0}), ByEnumeration{});
  add_costs(answer, {.draft = 2, .verifier = 0.5, .target = 16});
  return answer;
}

TEST_CASE("SPRINTER's stopping time and work agree with theorem 3.4 and equation 6") {
  const char* const toy = "bernoulli(draft=2/3,target=1/3)";
  const Answer record = exactly("sprinter(fp=1/4,tp=1)", toy, kUnbounded, 3);
  // 7/4 tokens are drafted and verified: 2.5 each.
  CHECK(record.find(QuantityId::time_to_stop)->number == Approx(4.375));
  // 3 steps of 2.5 and, with rho = 1/2, 3/2 calls of 16.
  CHECK(record.find(QuantityId::work_of_decode)->number == Approx(31.5));
  CHECK(compared(record, "zhong2025.theorem3.4", QuantityId::time_to_stop).verdict ==
        Verdict::agrees);
  CHECK(compared(record, "zhong2025.iid_labels", QuantityId::time_to_stop).verdict ==
        Verdict::bound_holds);
  CHECK(compared(record, "zhong2025.equation6", QuantityId::work_of_decode).verdict ==
        Verdict::agrees);
  // Cut at gamma = 1, the verifier looks at one token a run.
  CHECK(exactly("sprinter(fp=1/4,tp=1)", toy, 1, 3).find(QuantityId::time_to_stop)->number ==
        Approx(2.5));
}

TEST_CASE("SPRINTER's modelled time and speedup, computed by an independent program") {
  const nlohmann::json vectors = read_vectors("coupled.json");
  REQUIRE(vectors.at("public").at("sprinter").size() == 20);
  for (const auto& vector : vectors.at("public").at("sprinter")) {
    const auto verifier = fmt::format("sprinter(fp={},tp={})", vector.at("fp").get<std::string>(),
                                      vector.at("tp").get<std::string>());
    const int horizon = vector.at("horizon").get<int>();
    CAPTURE(verifier, horizon);
    Bench bench;
    for (const int gamma : {2, kUnbounded}) {
      Answer answer = bench.answer(
          bench.question(vector.at("pair").get<std::string>(), verifier, {gamma, horizon, 0}),
          ByEnumeration{});
      add_costs(answer, read_costs(vector.at("latency").get<std::string>()));
      const auto given = [&](const char* key) { return to_double(value_of(vector.at(key))); };
      CHECK(answer.find(QuantityId::time_of_decode)->number == Approx(given("modelled_time")));
      CHECK(answer.find(QuantityId::decode_speedup)->number == Approx(given("speedup")));
      // A window that runs do not have is said to be one.
      const auto said = std::count_if(
          answer.notes.begin(), answer.notes.end(),
          [](const auto& note) { return note.find("no bonus token") != std::string::npos; });
      CHECK(said == (gamma == kUnbounded ? 0 : 1));
    }
  }
}

TEST_CASE("a simulated decode of runs may call the target never, and is marked") {
  Bench bench;
  const auto simulated = [&](const char* verifier) {
    const Question question =
        bench.question("bernoulli(draft=2/3,target=1/3)", verifier, {kUnbounded, 4, 0});
    Answer answer = bench.answer(question, BySimulation{.trials = 20000, .threads = 1});
    add_costs(answer, {.draft = 0.1, .verifier = 0.01, .target = 1});
    return answer;
  };
  const Answer never = simulated("sprinter(fp=1,tp=1)");
  CHECK(never.find(QuantityId::target_calls)->number == 0);
  CHECK(never.find(QuantityId::time_of_decode)->number == Approx(0.44));
  CHECK(never.find(QuantityId::decode_speedup)->number == Approx(100.0 / 11));
  CHECK(never.find(QuantityId::acceptance_length) == nullptr);
  CHECK_FALSE(never.notes.empty());
  // E[calls] = 2/5, at most one standard deviation of 0.6 in each of 20000 trials.
  const Answer some = simulated("sprinter(fp=9/10,tp=9/10)");
  CHECK(some.find(QuantityId::target_calls)->number == Approx(0.4).margin(0.02));
  CHECK(some.find(QuantityId::acceptance_length)->number == Approx(10).margin(0.5));
}

TEST_CASE("work counts every draft and every row that the target returns") {
  const char* const level = "iid(draft=[1/2,1/2],target=[1/2,1/2])";
  // Two runs of gamma = 2 and 3 tokens each: 4 tokens drafted, 6 rows of the target.
  const Answer token = exactly("token", level, 2, 6);
  CHECK(token.find(QuantityId::work_of_decode)->number == Approx(4 * 2 + 6 * 16));
  const Comparison bound = compared(token, "zhong2025.equation5", QuantityId::work_of_decode);
  CHECK(bound.verdict == Verdict::bound_holds);
  CHECK(bound.prediction.value == Approx(4 * 2 + 6 * 16));
  CHECK(exactly("rrs(K=3)", level, 2, 6).find(QuantityId::work_of_decode)->number ==
        Approx(3 * (4 * 2 + 6 * 16)));
  CHECK(exactly("autoregressive", level, 2, 6).find(QuantityId::work_of_decode)->number ==
        Approx(6 * 16));
}

TEST_CASE("a trained verifier's exact result agrees with its predictions") {
  for (const char* pair : {"iid(draft=[1/2,1/4,1/8,1/8],target=[1/4,1/4,1/4,1/4])",
                           "tree(vocabulary=3,depth=3,seed=5)"}) {
    for (const int horizon : {1, 2, 3}) {
      CAPTURE(pair, horizon);
      const TrainedFile file(pair, Training{});
      const Answer record = exactly(file.verifier(), pair, kUnbounded, horizon);
      for (const auto& [claim, quantity] :
           {std::pair<const char*, QuantityId>{"zhong2025.theorem3.1-by-token",
                                               QuantityId::tv_to_target},
            {"zhong2025.theoremA.4", QuantityId::rejections},
            {"zhong2025.theorem3.3", QuantityId::expected_accepted},
            {"zhong2025.theorem3.4", QuantityId::time_to_stop},
            {"zhong2025.iid_labels", QuantityId::target_calls},
            {"zhong2025.equation6", QuantityId::work_of_decode}}) {
        CAPTURE(claim);
        CHECK(compared(record, claim, quantity).verdict == Verdict::agrees);
      }
    }
  }
}

TEST_CASE("k-sequential selection in rational arithmetic agrees with doubles up to rounding") {
  const Answer record = exactly("kseq(K=2)", "bernoulli(draft=2/3,target=1/3)", 1, 2);
  const Comparison acceptance =
      compared(record, "sun2023.acceptance", QuantityId::expected_accepted);
  CHECK_FALSE(acceptance.prediction.exact.has_value());
  CHECK(acceptance.verdict == Verdict::agrees);
  CHECK(*acceptance.difference != 0);  // rho is rational and just above rho*
  CHECK(compared(record, "sun2023.lossless", QuantityId::tv_to_target).difference == 0.0);
}

TEST_CASE("an estimated stopping time has the error of a truncated count") {
  Answer answer = empty_answer("sprinter(fp=1/4,tp=1)", 2);
  answer.run.emplace();
  answer.run->trials = 101;
  int tau = 0;
  for (const double p : {0.5, 0.25, 0.25}) {
    answer.add(QuantityId::accepted_law, value_of(Estimate{p, 0, p, p, p, p}), {tau++});
  }
  answer.add(QuantityId::expected_accepted, value_of(Estimate{0.75, 0.1, 0.5, 1, 0, 1}));
  add_costs(answer, {.draft = 4, .verifier = 1, .target = 1});
  const Value* stop = answer.find(QuantityId::time_to_stop);
  REQUIRE(stop != nullptr);
  // One token drafted and verified with probability 1/2, else two: mean 3/2, variance 1/4, 100 - 1
  // freedom.
  CHECK(stop->number == Approx(7.5));
  CHECK(stop->estimate->standard_error == Approx(5 * 0.05));
  CHECK(stop->estimate->low < 7.2);
  CHECK(stop->estimate->high < 8.2);
  // Never below one token's time nor above two tokens'.
  CHECK(stop->estimate->least >= 5);
  CHECK(stop->estimate->most <= 10);
}

TEST_CASE("the verifier's calls take their time: exact and estimated") {
  const char* const pair = "bernoulli(draft=2/3,target=1/3)";
  const CostModel without{.draft = 2, .verifier = 0, .target = 16};
  const CostModel with{.draft = 2, .verifier = 3, .target = 16};
  Bench bench;
  const Question question = bench.question(pair, "sprinter(fp=1/4,tp=3/4)", {2, 5, 0});
  BySimulation trials;
  trials.trials = 2000;
  for (const AnswerMethod& method : {AnswerMethod{ByEnumeration{}}, AnswerMethod{trials}}) {
    Answer cheap = bench.answer(question, method);
    Answer dear = cheap;
    add_costs(cheap, without);
    add_costs(dear, with);
    const double steps = dear.find(QuantityId::draft_steps)->number;
    REQUIRE(steps > 1);
    const auto more = [&](QuantityId id) { return dear.find(id)->number - cheap.find(id)->number; };
    // One look a step, in time and in work.
    CHECK(more(QuantityId::time_of_decode) == Approx(3 * steps));
    CHECK(more(QuantityId::work_of_decode) == Approx(3 * steps));
    CHECK(more(QuantityId::time_to_stop) ==
          Approx(1.5 * cheap.find(QuantityId::time_to_stop)->number));
    CHECK(dear.find(QuantityId::decode_speedup)->number ==
          Approx(16 * dear.find(QuantityId::decode_tokens)->number /
                 dear.find(QuantityId::time_of_decode)->number));
  }
  // A window's verifier has no such calls.
  Answer token = bench.answer(bench.question(pair, "token", {2, 5, 0}), ByEnumeration{});
  Answer same = token;
  add_costs(token, without);
  add_costs(same, with);
  CHECK(token.find(QuantityId::time_of_decode)->number ==
        same.find(QuantityId::time_of_decode)->number);
}

TEST_CASE("the first iteration's tokens in a call's time keep their interval") {
  const CostModel latency{.draft = 0.5, .verifier = 0, .target = 1};
  Answer answer = answer_with(estimated(1, 0.1));
  add_costs(answer, latency);
  const Value* tokens = answer.find(QuantityId::first_tokens_per_call);
  REQUIRE(tokens != nullptr);
  CHECK(tokens->number == Approx(1));  // 2 tokens in a time of 2
  CHECK(tokens->estimate->standard_error == Approx(0.05));
  CHECK(tokens->estimate->low == Approx(0.9));
  CHECK(tokens->estimate->least == Approx(0.8));
  CHECK(tokens->estimate->most == Approx(1.2));
  const Value* per_token = answer.find(QuantityId::first_time_per_token);
  REQUIRE(per_token != nullptr);
  CHECK(per_token->estimate->low < per_token->number);
  CHECK(per_token->estimate->high > per_token->number);
  Answer unbounded = answer_with(estimated(1, 0.1));
  unbounded.question.lengths.gamma = kUnbounded;
  add_costs(unbounded, latency);
  CHECK(unbounded.find(QuantityId::first_tokens_per_call) == nullptr);
  CHECK(unbounded.notes.size() == 1);
}

TEST_CASE("a wrong verifier of several drafts costs the work of all of them") {
  const char* const toy = "bernoulli(draft=2/3,target=1/3)";
  const Answer wrong = exactly("wrong-swapped-rows", toy, 2, 4);
  const double steps = to_double(wrong.fraction(QuantityId::draft_steps));
  const double calls = to_double(wrong.fraction(QuantityId::target_calls));
  CHECK(wrong.find(QuantityId::work_of_decode)->number == Approx(2 * (18 * steps + 16 * calls)));
}

}  // namespace
}  // namespace speclab::costs_test
