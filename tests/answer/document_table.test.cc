// What tables and JSON show of one answer, from made-up answers.
#include <nlohmann/json.hpp>

#include "answer/documents/answers.h"
#include "catch.h"
#include "made_answer.h"
#include "report/report.h"

namespace speclab::table_test {
namespace {

std::string table_of(const Answer& answer) {
  return render(answers_document({&answer, 1}), Format::table);
}

nlohmann::ordered_json json_of(const Answer& answer) {
  return nlohmann::ordered_json::parse(render(answers_document({&answer, 1}), Format::json))
      .at("results")
      .at(0);
}

/// A claim about E[accepted], or about an element of a list.
Prediction claimed(const Rational& value, Relation relation = Relation::equals,
                   QuantityId id = QuantityId::expected_accepted,
                   std::optional<int> index = std::nullopt) {
  return {"made.up1", id, index, to_double(value), value, relation};
}

/// An estimate of E[accepted] with how it was found.
Answer simulated() {
  Answer answer = answer_with(estimated(1.25, 0.125));
  answer.kind = AnswerKind::simulate;
  answer.run.emplace();
  answer.run->trials = 1000;
  answer.run->seed = 7;
  answer.run->table_bytes = 840;
  return answer;
}

/// A law of so many numbers, each of which the claim gives too.
Answer with_law(QuantityId id, int size) {
  Answer answer = empty_answer();
  for (int i = quantity(id).first; i < quantity(id).first + size; ++i) {
    answer.add(id, value_of(Rational(1, i + 2)), {i});
    answer.predictions.push_back(claimed(Rational(1, i + 2), Relation::equals, id, i));
  }
  return answer;
}

}  // namespace

TEST_CASE("a bound is marked by its sign, with by how much it is missed") {
  Answer answer = answer_with(value_of(Rational(11, 9)));
  answer.predictions = {claimed(Rational(2), Relation::at_most),
                        claimed(Rational(4, 3), Relation::at_least), claimed(Rational(1)),
                        claimed(Rational(11, 9))};
  const std::string text = table_of(answer);
  CHECK_THAT(text, Containing("E[accepted]  1.222222 = 11/9         <= 2  holds"));
  CHECK_THAT(text, Containing(">= 4/3  bound missed by 0.111111  a\n"));
  CHECK_THAT(text, Containing("     1  differs by 0.222222       a\n"));
  CHECK_THAT(text, Containing("  11/9  agrees                    a\n"));
  CHECK_THAT(text, Containing("\n  a: made.up1\n"));
}

TEST_CASE("a closed form of what was not found has a line, unless a note says why") {
  Answer answer = answer_with(value_of(Rational(2)));
  answer.predictions = {claimed(Rational(5, 2), Relation::equals, QuantityId::target_calls)};
  CHECK_THAT(table_of(answer), Containing("E[target calls]") && Containing("5/2  not compared"));
  // So has one of an element beyond those that were found.
  Answer shorter = with_law(QuantityId::accepted_law, 2);
  shorter.predictions = {claimed(Rational(1, 5), Relation::equals, QuantityId::accepted_law, 4)};
  CHECK_THAT(table_of(shorter), Containing("P(accepted = 4)") && Containing("1/5  not compared"));
  answer.add_missing(QuantityId::target_calls, "too long");
  CHECK_THAT(table_of(answer), !Containing("E[target calls]") &&
                                   Containing("  note: decode.target_calls: too long\n"));
  CHECK(json_of(answer).at("decode").at("target_calls").is_null());
}

TEST_CASE("a fraction that is too long for a table is a decimal, a whole number too") {
  CHECK_THAT(table_of(answer_with(value_of(parse_rational("1234567890123")))),
             Containing("E[accepted]  1234567890123\n"));
  CHECK_THAT(table_of(answer_with(value_of(parse_rational("12345678901234")))),
             Containing("E[accepted]  1.234568e+13\n"));
  CHECK_THAT(table_of(answer_with(value_of(parse_rational("123456/7654321")))),
             Containing("E[accepted]  0.016129\n"));
}

TEST_CASE("the heading of a simulation says its trials, memory and what was undefined") {
  Answer answer = simulated();
  CHECK_THAT(table_of(answer),
             Containing("\nblock, gamma 2: 1000 trials, seed 7, tables of 840 B\n") &&
                 !Containing("undefined") && !Containing("estimator"));
  answer.run->table_bytes = 32'480;
  answer.run->undefined_trials = 3;
  CHECK_THAT(table_of(answer), Containing("tables of 32.5 kB\n  undefined (0/0) in 3 trials\n"));
  answer.run->table_bytes = 7'300'000;
  answer.run->interrupted = true;
  CHECK_THAT(table_of(answer), Containing("1000 trials (interrupted), seed 7, tables of 7.3 MB\n"));
  CHECK(json_of(answer).at("interrupted") == true);
  CHECK(json_of(answer).at("undefined_trials") == 3);
}

TEST_CASE("an estimator that is not the plain one is named with what it saves") {
  Answer answer = simulated();
  answer.run->estimator = Estimator::conditional;
  CHECK_THAT(table_of(answer), Containing("\n  conditional estimator\n"));
  answer.run->variance_ratio = 2.5;
  CHECK_THAT(table_of(answer),
             Containing("  conditional estimator: variance of E[accepted] smaller by 2.50\n"));
  answer.run->seconds_to_permille = 0.0125;
  CHECK_THAT(table_of(answer), Containing("smaller by 2.50, 0.0125 s to\n      0.1%\n"));
  CHECK(json_of(answer).at("estimator").at("variance_ratio") == 2.5);
}

TEST_CASE("an estimate stands with its interval and the standard errors to its closed form") {
  Answer answer = simulated();
  answer.predictions = {claimed(Rational(1))};
  CHECK_THAT(table_of(answer),
             Containing("[1.000000, 1.500000]") && Containing("1  +2.00  agrees"));
  Answer alike = simulated();
  alike.found = {};
  alike.add(QuantityId::expected_accepted, estimated(1, 0));
  alike.predictions = {claimed(Rational(1))};
  CHECK_THAT(table_of(alike), Containing("           1     agrees  a\n") && !Containing("+0.00"));
  CHECK(json_of(alike).at("predictions").at(0).at("z_missing") == "the standard error is 0");
  // A number that is known, beside estimates, has no interval.
  alike.add(QuantityId::share_of_optimum, value_of(Rational(1, 2)));
  CHECK_THAT(table_of(alike), Containing("share of the optimum  0.500000 = 1/2"));
}

TEST_CASE("closed forms alone are headed by nothing that says exact") {
  Answer answer = empty_answer();
  answer.kind = AnswerKind::closed_form;
  answer.predictions = {claimed(Rational(11, 9))};
  const std::string text = table_of(answer);
  const std::string table = text.substr(text.find("fractions\n"));
  CHECK(table ==
        "fractions\n               closed form\n  E[accepted]         11/9  not compared  a\n"
        "  a: made.up1\n");
}

TEST_CASE("a law has lines of its own with what each claim about it amounts to") {
  Answer answer = with_law(QuantityId::accepted_law, 3);
  answer.predictions.back() =
      claimed(Rational(1, 5), Relation::equals, QuantityId::accepted_law, 2);
  CHECK_THAT(table_of(answer), Containing("  P(accepted = 0..2): 1/2 1/3 1/4\n"
                                          "    2 of 3 agree with made.up1\n"));
  // A bound on it agrees too, where it holds.
  answer.predictions.back() =
      claimed(Rational(1, 5), Relation::at_least, QuantityId::accepted_law, 2);
  CHECK_THAT(table_of(answer), Containing("    3 of 3 agree with made.up1\n"));
  answer.predictions.push_back(
      claimed(Rational(1), Relation::at_least, QuantityId::accepted_law, 2));
  CHECK_THAT(table_of(answer), Containing("    3 of 4 agree with made.up1\n"));
}

TEST_CASE("a list of more than eight numbers is wrapped and a very long one cut") {
  CHECK_THAT(table_of(with_law(QuantityId::position_rates, 8)),
             Containing("rate of position 8  0.100000 = 1/10"));
  CHECK_THAT(table_of(with_law(QuantityId::position_rates, 9)),
             Containing("  rate of position 1..9: 1/3 1/4 1/5 1/6 1/7 1/8 1/9 1/10 1/11\n"
                        "    9 of 9 agree with made.up1\n"));
  const std::string cut = table_of(with_law(QuantityId::position_rates, 70));
  CHECK_THAT(
      cut, Containing(" 1/67 1/68 ... 4 more in JSON and CSV\n    70 of 70 agree with made.up1\n"));
  CHECK_THAT(cut, !Containing("1/69"));
}

TEST_CASE("the largest distance of a law from its claim is printed in standard errors") {
  Answer answer = simulated();
  answer.add(QuantityId::accepted_law, estimated(0.25, 0.125), {0});
  answer.add(QuantityId::accepted_law, estimated(0.75, 0.125), {1});
  answer.predictions = {claimed(Rational(1, 2), Relation::equals, QuantityId::accepted_law, 0),
                        claimed(Rational(5, 8), Relation::equals, QuantityId::accepted_law, 1)};
  CHECK_THAT(table_of(answer), Containing("    2 of 2 agree with made.up1, largest |z| 2.00\n"));
}

TEST_CASE("an undefined mass is shown where there is one") {
  for (const QuantityId id : {QuantityId::iteration_undefined, QuantityId::output_undefined}) {
    Answer answer = answer_with(value_of(Rational(1)));
    answer.add(id, value_of(Rational(0)));
    CHECK_THAT(table_of(answer), !Containing("P(undefined)"));
    Answer other = answer_with(value_of(Rational(1)));
    other.add(id, value_of(Rational(1, 9)));
    CHECK_THAT(table_of(other), Containing("P(undefined)") && Containing("0.111111 = 1/9"));
  }
}

TEST_CASE("sequences and laws of drafts are named by their tokens, the first 32 of them") {
  Answer answer = empty_answer();
  for (int i = 0; i < 35; ++i) {
    answer.add(QuantityId::output_law, value_of(Rational(1, 35)), {i, 1});
    answer.add(QuantityId::law_given_draft, value_of(Rational(1, 2)), {i / 2, 0, i % 2});
  }
  const std::string text = table_of(answer);
  CHECK_THAT(text, Containing("P(31,1)") && !Containing("P(32,1)"));
  CHECK_THAT(text, Containing("  3 more sequences in JSON and CSV\n"));
  CHECK_THAT(text, Containing("P(accepted = 1 | draft 15,0)") && !Containing("draft 16,0"));
  CHECK_THAT(text, Containing("  3 more numbers in JSON and CSV\n"));
  const auto json = json_of(answer);
  CHECK(json.at("output").at("law").size() == 35);
  CHECK(json.at("output").at("law").at(34).at("tokens") == nlohmann::ordered_json{34, 1});
  const auto& laws = json.at("iteration").at("law_given_draft");
  CHECK(laws.size() == 18);
  CHECK(laws.at(16).at("tokens") == nlohmann::ordered_json{16, 0});
  CHECK(laws.at(16).at("law").size() == 2);
  CHECK(laws.at(17).at("law").size() == 1);
}

TEST_CASE("a long sequence of tokens is shortened in its name") {
  Answer answer = empty_answer();
  answer.add(QuantityId::output_law, value_of(Rational(1)), std::vector<int>(30, 1));
  CHECK_THAT(table_of(answer), Containing("P(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1...)"));
  CHECK(label_of(QuantityId::tokens_law, {2, 5}) == "P(N(2) = 5)");
}

TEST_CASE("a grid and the tails are in JSON and CSV alone") {
  Answer answer = answer_with(value_of(Rational(1)));
  answer.add(QuantityId::accepted_tail, value_of(Rational(1, 3)), {1});
  for (int n = 0; n < 2; ++n) {
    answer.add(QuantityId::tokens_law, value_of(Rational(1, 4 + n)), {1, n});
    answer.add(QuantityId::tokens_law, value_of(Rational(1, 6 + n)), {2, n});
  }
  CHECK_THAT(table_of(answer), !Containing("P(N(") && !Containing("P(accepted >="));
  const auto json = json_of(answer);
  CHECK(json.at("iterations").at("law").at(1).at(1).at("exact") == "1/7");
  CHECK(json.at("iteration").at("tail").at(0).at("exact") == "1/3");
  CHECK_THAT(render(answers_document({&answer, 1}), Format::csv),
             Containing(",iterations.law,2 1,"));
}

TEST_CASE("a bound stands in a column of its own, not among the values") {
  Answer answer = answer_with(value_of(Rational(11, 9)));
  answer.add_predictions({{"bound", QuantityId::expected_accepted, std::nullopt, 4.0 / 3,
                           Rational(4, 3), Relation::at_most}});
  const std::string csv = render(answers_document({&answer, 1}), Format::csv);
  CHECK_THAT(csv, Containing(",exact,iteration.expected_accepted,,1.2222222222222223,11/9,"));
  CHECK_THAT(csv, Containing(",bound,iteration.expected_accepted,,,,"));
  CHECK_THAT(csv, Containing(",bound holds,at_most,1.3333333333333333,4/3\n"));
}

TEST_CASE("a group of a decode names its horizon in JSON where there is one") {
  Answer answer = empty_answer();
  answer.add(QuantityId::decode_tokens, value_of(Rational(4)));
  CHECK_FALSE(json_of(answer).at("decode").contains("horizon"));
  answer.question.lengths.horizon = 4;
  CHECK(json_of(answer).at("decode").at("horizon") == 4);
  CHECK_THAT(table_of(answer), Containing("block, gamma 2, horizon 4: exact, in fractions\n"));
  answer.question.lengths.gamma = kUnbounded;
  CHECK(json_of(answer).at("gamma") == "inf");
  answer.question.arithmetic = Arithmetic::floating;
  CHECK_THAT(table_of(answer), Containing("block, gamma inf, horizon 4: exact, in doubles\n"));
}

}  // namespace speclab::table_test
