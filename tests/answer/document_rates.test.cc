#include <nlohmann/json.hpp>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/documents/answers.h"
#include "base/error.h"
#include "catch.h"
#include "made_answer.h"
#include "report/report.h"

namespace speclab::rates_test {
namespace {

constexpr const char* kToy = "bernoulli(draft=2/3,target=1/3)";

std::string rates_json(const std::vector<Answer>& answers) {
  return render(rates_document(answers), Format::json);
}

std::vector<Answer> answers(const char* verifier, std::optional<int> horizon, bool long_run) {
  Bench bench;
  Question question = bench.question(kToy, verifier, {2, horizon, 0});
  question.long_run = long_run;
  return {bench.answer(question, ByEnumeration{})};
}

TEST_CASE("rates are of the long run, in the forms that engines take") {
  // Token verification accepts each draft with probability 2/3: rates 2/3 and 4/9, 19/9 tokens.
  const auto json = nlohmann::json::parse(rates_json(answers("token", std::nullopt, true)));
  CHECK(json["schema"] == 2);
  REQUIRE(json["results"].size() == 1);
  const auto& result = json["results"][0];
  CHECK(result["of"] == "long run");
  CHECK(result["acceptance_length"].get<double>() == Approx(19.0 / 9));
  REQUIRE(result["position_rates"].size() == 2);
  CHECK(result["position_rates"][0].get<double>() == Approx(2.0 / 3));
  CHECK(result["position_rates"][1].get<double>() == Approx(4.0 / 9));
  CHECK(result["vllm"]["num_speculative_tokens"] == 2);
  CHECK(result["vllm"]["rejection_sample_method"] == "synthetic");
  CHECK(result["vllm"]["synthetic_acceptance_rates"] == result["position_rates"]);
  CHECK(result["llama.cpp"]["spec-synthetic-acceptance-rates"] ==
        "0.6666666666666666,0.4444444444444444");
  CHECK(result["sglang"]["SGLANG_SIMULATE_ACC_LEN"] == "2.111111111111111");
  CHECK(result["tensorrt-llm"]["TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS"] ==
        "1.1111111111111112");
  CHECK(result["atom"]["spec-decode-acceptance-length"] == "2.111111111111111");
  CHECK(result["tokenspeed"]["TOKENSPEED_SPEC_SIMULATED_ACCEPT_LEN"] == "2.111111111111111");
}

TEST_CASE("rates of the long run come before those of a decode") {
  const auto json = nlohmann::json::parse(rates_json(answers("token", 4, true)));
  CHECK(json["results"][0]["of"] == "long run");
  const auto decode = nlohmann::json::parse(rates_json(answers("token", 4, false)));
  CHECK(decode["results"][0]["of"] == "decodes of 4 tokens");
  CHECK(decode["results"][0]["position_rates"] != json["results"][0]["position_rates"]);
}

TEST_CASE("what engines have no rates for is refused") {
  CHECK_THROWS_AS(rates_json(answers("token", std::nullopt, false)), InputError);
  CHECK_THROWS_AS(rates_json(answers("rrs(K=2)", 4, false)), InputError);
  CHECK_THROWS_AS(rates_json(answers("autoregressive", 4, false)), InputError);
  // A decode of which the rates of positions are not known.
  Answer answer = empty_answer("token");
  answer.question.lengths.horizon = 4;
  answer.add(QuantityId::acceptance_length, value_of(Rational(2)));
  CHECK_THROWS_WITH(rates_json(std::vector<Answer>{answer}),
                    Containing("ask for a horizon beyond gamma (of up to 64 drafts)"));
  answer.add_missing(QuantityId::long_run_length, "it has no limit");
  CHECK_THROWS_WITH(rates_json(std::vector<Answer>{answer}),
                    "token: there are no rates of the long run: it has no limit");
}

}  // namespace
}  // namespace speclab::rates_test
