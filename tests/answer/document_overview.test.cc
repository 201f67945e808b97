// The line of a combination, from made-up answers.
#include "answer/documents/answers.h"
#include "catch.h"
#include "made_answer.h"
#include "report/report.h"

namespace speclab::overview_test {
namespace {

std::string line_of(const Value& value) {
  const Answer answers[] = {answer_with(value), answer_with(value)};
  const std::string text = render(answers_document(answers), Format::table);
  return text.substr(text.find("all combinations"));
}

TEST_CASE("an estimate in the middle of its interval has a half-width") {
  CHECK_THAT(line_of(estimated(1.25, 0.125)), Containing("1.250000 +-0.250000"));
}

TEST_CASE("an estimate beside the middle of its interval is shown with the interval") {
  // A distance of 0 that is estimated from few trials: half a width would leave 0 out.
  CHECK_THAT(line_of(value_of(Estimate{0.394, 0.1, 0, 0.4, 0, 0.4})),
             Containing("0.394000 [0.000000, 0.400000]") && !Containing("0.394000 +-"));
}

Answer accepting(std::string_view verifier, int gamma, const Rational& tokens) {
  Answer answer = empty_answer(verifier, gamma);
  answer.add(QuantityId::expected_accepted, value_of(tokens));
  return answer;
}

TEST_CASE("the lines of more than three answers stand before the blocks, and the gain is last") {
  const Answer answers[] = {
      accepting("token", 1, Rational(1, 2)), accepting("token", 2, Rational(10, 9)),
      accepting("block", 1, Rational(1, 2)), accepting("block", 2, Rational(11, 9))};
  const std::string four = render(answers_document(answers), Format::table);
  CHECK_THAT(four, Catch::Matchers::StartsWith("all combinations\n"));
  CHECK_THAT(four, Catch::Matchers::EndsWith("\nblock, gamma 2, accepts 1.100 times token\n"));
  const std::string two = render(answers_document(std::span(answers).subspan(1, 1)), Format::table);
  CHECK_THAT(two, !Containing("times") && !Containing("all combinations"));
  const std::vector<Answer> pair{answers[1], answers[3]};
  const std::string late = render(answers_document(pair), Format::table);
  CHECK_FALSE(late.starts_with("all combinations"));
  CHECK_THAT(late, Catch::Matchers::EndsWith("\nblock accepts 1.100 times token\n"));
}

TEST_CASE("the gains of several pairs have a line each, which is folded as one") {
  std::vector<Answer> answers;
  for (const char* pair : {"bernoulli(draft=2/3,target=1/3)",
                           "iid(draft=[1/3,1/3,1/6,1/6],target=[1/6,1/6,1/3,1/3])"}) {
    for (const bool block : {false, true}) {
      answers.push_back(accepting(block ? "block" : "token", 2, Rational(block ? 11 : 10, 9)));
      answers.back().question.pair = make_pair(pair);
    }
  }
  CHECK_THAT(
      render(answers_document(answers), Format::table),
      Catch::Matchers::EndsWith(
          "\n\nbernoulli(draft=2/3,target=1/3): block accepts 1.100 times token\n"
          "iid(draft=[1/3,1/3,1/6,1/6],target=[1/6,1/6,1/3,1/3]): block accepts 1.100 times\n"
          "    token\n"));
}

TEST_CASE("the gain of estimates has the half-width of its interval") {
  std::vector<Answer> answers{empty_answer("token"), empty_answer("block")};
  answers[0].add(QuantityId::expected_accepted, estimated(1, 0.004));
  answers[1].add(QuantityId::expected_accepted, estimated(1.1, 0.0044));
  // Both have a relative half-width of 0.008: 1.1 (0.008 sqrt 2) = 0.012.
  CHECK_THAT(render(answers_document(answers), Format::table),
             Containing("block accepts 1.10 +- 0.01 times token\n"));
}

TEST_CASE("columns and an order of one's own leave the lines alone") {
  std::vector<Answer> answers{accepting("token", 2, Rational(10, 9)),
                              accepting("block", 2, Rational(11, 9))};
  const auto table = [&](const TableLook& look) {
    return render(answers_document(answers, look), Format::table);
  };
  const std::string sorted = table({.sort = "expected_accepted"});
  CHECK(sorted.find("block") < sorted.find("token"));
  CHECK_THAT(sorted, !Containing("gamma 2: exact"));
  const std::string chosen = table({.columns = {QuantityId::iteration_undefined}});
  CHECK_THAT(chosen, Containing("P(undefined), 1 iteration") && !Containing("E[accepted]"));
  CHECK(single_quantity("acceptance_length") == QuantityId::acceptance_length);
  CHECK(single_quantity("block_efficiency") == QuantityId::acceptance_length);
  CHECK_THROWS_WITH(single_quantity("acceptence_length"),
                    Containing("did you mean 'acceptance_length'?"));
  CHECK_THROWS_WITH(single_quantity("tail"), Containing("'tail' has several numbers"));
}

TEST_CASE("a long name of a verifier is a letter in the lines, with a key below") {
  const std::string name = "sglang(tree=2-1,draw=top,single=3/10,acc=3/4)";
  const Answer answers[] = {accepting(name, 2, Rational(1)), accepting("token", 2, Rational(1))};
  const std::string lines = render(answers_document(answers, {.sort = "gamma"}), Format::table);
  CHECK_THAT(lines, Containing("  A          2") && Containing("  token      2"));
  CHECK_THAT(lines, Containing("  A: " + name + "\n"));
}

TEST_CASE("fractions of any length are written where they are asked for") {
  const Rational longer(377848679, 486984960);
  const Answer answers[] = {accepting("block", 2, longer), accepting("token", 2, longer)};
  CHECK_THAT(render(answers_document(answers), Format::table),
             Containing("0.775894") && !Containing("377848679"));
  CHECK_THAT(render(answers_document(answers, {.fractions = true}), Format::table),
             Containing("0.775894 = 377848679/486984960"));
}

}  // namespace
}  // namespace speclab::overview_test
