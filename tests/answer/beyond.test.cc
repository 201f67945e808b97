// Questions that have too many sequences of decisions: closed forms and bounds alone.
#include "answer/beyond.h"

#include <algorithm>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/documents/answers.h"
#include "catch.h"
#include "report/report.h"

namespace speclab::beyond_test {
namespace {

constexpr double kMemory = 1e9;
constexpr const char* kMany = "zipf(vocabulary=20000,draft=1,target=1.1)";

Question asked(const char* pair, const char* verifier, Lengths lengths) {
  Bench bench;
  return bench.question(pair, verifier, lengths);
}

const Prediction* form(const Answer& answer, Relation relation) {
  const auto found = std::find_if(
      answer.predictions.begin(), answer.predictions.end(), [&](const Prediction& each) {
        return each.quantity == QuantityId::expected_accepted && each.relation == relation;
      });
  return found == answer.predictions.end() ? nullptr : &*found;
}

TEST_CASE("two drafted tokens have values, more of them bounds that enclose one") {
  const Question two = asked(kMany, "block", {.gamma = 2});
  CHECK(clearly_beyond(two, 1e8));
  CHECK_FALSE(clearly_beyond(two, 1e9));
  const auto answer = answer_beyond(two, "too many", kMemory);
  REQUIRE(answer.has_value());
  CHECK(answer->kind == AnswerKind::closed_form);
  CHECK(answer->found.all().empty());
  REQUIRE(form(*answer, Relation::equals) != nullptr);
  CHECK(answer->notes.back() == "not enumerated, closed forms alone: too many");

  const auto three = answer_beyond(asked(kMany, "block", {.gamma = 3}), "too many", kMemory);
  REQUIRE(three.has_value());
  CHECK(form(*three, Relation::equals) == nullptr);
  const Prediction* least = form(*three, Relation::at_least);
  const Prediction* most = form(*three, Relation::at_most);
  REQUIRE(least != nullptr);
  REQUIRE(most != nullptr);
  CHECK(least->value <= most->value);
  CHECK(most->value - least->value <= 1e-9);
  CHECK(least->value > form(*answer, Relation::equals)->value);
  // One row with both bounds, which never agree with anything.
  const std::string text = render(answers_document({&*three, 1}), Format::table);
  CHECK_THAT(text, Containing("closed forms, in doubles") && Containing("in ["));
}

TEST_CASE("an unbounded draft without a horizon is refused before its draft sets are counted") {
  constexpr const char* kToy = "bernoulli(draft=2/3,target=1/3)";
  const Question unbounded = asked(kToy, "rrs(K=3)", {.gamma = kUnbounded});
  CHECK_THROWS_WITH(clearly_beyond(unbounded, 1), Containing("add a horizon"));
  CHECK_THROWS_WITH(answer_beyond(unbounded, "", kMemory), Containing("add a horizon"));
}

TEST_CASE("several drafts have the law of tau") {
  const auto answer = answer_beyond(asked(kMany, "rrs(K=3)", {.gamma = 4}), "", kMemory);
  REQUIRE(answer.has_value());
  CHECK(form(*answer, Relation::equals) != nullptr);
}

TEST_CASE("few tokens have the fractions of a closed form") {
  constexpr const char* kFew = "iid(draft=[1/3,2/3],target=[1/2,1/2])";
  const auto answer = answer_beyond(asked(kFew, "traversal(K=2)", {.gamma = 24}), "", kMemory);
  REQUIRE(answer.has_value());
  CHECK(answer->kind == AnswerKind::closed_form);
  const Prediction* exact = form(*answer, Relation::equals);
  REQUIRE(exact != nullptr);
  REQUIRE(exact->exact.has_value());
  CHECK(exact->value == to_double(*exact->exact));
  // Beyond the work allowed for fractions, doubles.
  const auto longer = answer_beyond(asked(kFew, "traversal(K=2)", {.gamma = 100}), "", kMemory);
  REQUIRE(longer.has_value());
  REQUIRE(form(*longer, Relation::equals) != nullptr);
  CHECK_FALSE(form(*longer, Relation::equals)->exact.has_value());
  CHECK_FALSE(answer_beyond(asked(kFew, "path-block(K=2)", {.gamma = 24}), "", kMemory));
  // 2^18 draft sets are better enumerated; over many tokens the limit alone decides.
  CHECK_FALSE(answer_beyond(asked(kFew, "traversal(K=2)", {.gamma = 9}), "", kMemory));
  CHECK(answer_beyond(asked(kMany, "block", {.gamma = 1}), "", kMemory));
}

TEST_CASE("a first iteration that reads many rows has doubles alone") {
  constexpr const char* kRows = "logits(vocabulary=100,sharpness=2,error=1)";
  const auto answer = answer_beyond(asked(kRows, "rrs(K=2)", {.gamma = 2}), "", kMemory);
  REQUIRE(answer.has_value());
  CHECK(answer->question.arithmetic == Arithmetic::floating);
  REQUIRE(form(*answer, Relation::equals) != nullptr);
}

TEST_CASE("whole decodes of a chain have fractions, of many paths doubles") {
  constexpr const char* kChain = "markov(vocabulary=3,horizon=20,seed=4)";
  for (const char* verifier : {"token", "block", "rrs(K=2)"}) {
    CAPTURE(verifier);
    const auto answer =
        answer_beyond(asked(kChain, verifier, {.gamma = 4, .horizon = 20}), "", kMemory);
    REQUIRE(answer.has_value());
    for (const QuantityId id : {QuantityId::target_calls, QuantityId::rejections,
                                QuantityId::draft_steps, QuantityId::acceptance_length}) {
      CHECK(std::any_of(answer->predictions.begin(), answer->predictions.end(),
                        [id](const Prediction& each) {
                          return each.quantity == id && each.relation == Relation::equals &&
                                 each.exact.has_value();
                        }));
    }
  }
  CHECK_FALSE(
      answer_beyond(asked(kChain, "greedy-block", {.gamma = 4, .horizon = 20}), "", kMemory));
  // 321 states of 20 tokens.
  constexpr const char* kWide = "markov(vocabulary=20,horizon=16,seed=4)";
  const auto wide = answer_beyond(asked(kWide, "token", {.gamma = 2, .horizon = 16}), "", kMemory);
  REQUIRE(wide.has_value());
  CHECK(wide->question.arithmetic == Arithmetic::floating);
  // Six hundred contexts of 600 tokens are too many even for doubles.
  CHECK_FALSE(answer_beyond(
      asked("logits(vocabulary=600,sharpness=2,error=1)", "token", {.gamma = 3, .horizon = 16}), "",
      kMemory));
}

TEST_CASE("a question about more than closed forms give has none") {
  CHECK_FALSE(answer_beyond(asked(kMany, "block", {.gamma = 3, .horizon = 9}), "", kMemory));
  CHECK_FALSE(answer_beyond(asked(kMany, "block", {.gamma = 2, .iterations = 2}), "", kMemory));
  CHECK_FALSE(answer_beyond(asked(kMany, "traversal(K=2)", {.gamma = 3}), "", kMemory));
  CHECK_FALSE(answer_beyond(asked(kMany, "block", {.gamma = 2}), "", 1e6));
  CHECK_FALSE(clearly_beyond(asked(kMany, "token", {.gamma = 8}), 1e8));
  CHECK_FALSE(clearly_beyond(asked(kMany, "block", {.gamma = 1}), 1e8));
}

}  // namespace
}  // namespace speclab::beyond_test
