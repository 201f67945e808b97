// Printed tables: numbers with their rounding, audits of equations and constants, and predictions
// by fitted pairs. Each check is shown the fault that it is for.
#include <cmath>

#include "base/error.h"
#include "catch.h"
#include "experiment/expected.h"
#include "experiment/small_file.h"
#include "scratch.h"

namespace speclab::tables_test {
namespace {

using namespace small_file;

const std::string kHead = R"toml(
title = "t"
source = "s"
[[table]]
name = "one"
source = "paper, Table 1"
of = "models"
gamma = 8
summary = "Average"
columns = ["token.efficiency", "block.efficiency", "block.improvement%", "token.speedup"]
)toml";

const std::string kNumbers = R"toml(
numbers = """
A        3.21 3.49 8.68  2.17
B        3.41 3.76 10.06 2.30
C        3.00 -    -     2.02
Average  3.21 3.63 9.37  2.16
"""
)toml";

std::string audit(const std::string& lines) {
  return kHead + kNumbers + "[[audit]]\nsource = \"x\"\ntable = \"one\"\n" + lines;
}

AuditResult audited(const std::string& lines) {
  const Experiment experiment = read(audit(lines));
  AuditResult result = check_audits(experiment).at(0);
  result.found.entry = nullptr;
  return result;
}

const std::string kImprovement =
    "equation = \"block.improvement% = 100 * (block.efficiency / token.efficiency - 1)\"\n";

}  // namespace

TEST_CASE("a printed number stands for what rounds to it") {
  const PrintedNumber number = read_printed_number("3.21");
  CHECK(number.value == Rational(321, 100));
  CHECK(number.half_unit == Rational(1, 200));
  CHECK(read_printed_number("8").half_unit == Rational(1, 2));
  CHECK(read_printed_number("+0.521").value == Rational(521, 1000));
  for (const char* bad : {"", "-", "3.2.1", "1e3", "x", "1/2"}) {
    CHECK_THROWS_AS(read_printed_number(bad), InputError);
  }
}

TEST_CASE("intervals hold what their numbers may give and no more") {
  const Interval a{Rational(1), Rational(2)}, b{Rational(-1), Rational(3)};
  const auto same = [](const Interval& x, const Rational& low, const Rational& high) {
    return x.low == low && x.high == high;
  };
  CHECK(same(a + b, 0, 5));
  CHECK(same(a - b, -2, 3));
  CHECK(same(a * b, -2, 6));
  CHECK(same(b / a, -1, 3));
  CHECK_THROWS_AS(a / b, InputError);
}

TEST_CASE("an expression is read as it is written by hand") {
  const Bindings names{
      [](const std::string& name) {
        const Rational value = name == "a-b.x%" ? 7 : 2;
        return Interval{value, value};
      },
      [](const std::string&) {
        return std::vector<Interval>{{Rational(1), Rational(1)}, {Rational(5), Rational(6)}};
      }};
  const auto value = [&](const std::string& text) { return Expression(text).value(names); };
  CHECK(value("1 + 2 * 3 - 4 / 8").low == Rational(13, 2));
  CHECK(value("(1 + 2) * 3").low == 9);
  CHECK(value("a-b.x% - x").low == 5);
  CHECK(value("8 - 4 - 2").low == 2);
  CHECK(value("mean(x)").high == Rational(7, 2));
  CHECK(value("min(x) + max(x)").high == 7);
  CHECK(value("sum(x)").low == 6);
  for (const char* bad : {"", "1 +", "(1", "1)", "1 2", "mean 3", "mean()", "*", "1..2"}) {
    INFO(bad);
    CHECK_THROWS_AS(Expression(bad), InputError);
  }
  CHECK_THROWS_AS(Equation::parse("1"), InputError);
  // A sum is as deep as it has terms: what is too long for the stack is refused.
  std::string sum = "1";
  for (int i = 1; i < 5000; ++i) sum += "+1";
  CHECK(value(sum).low == 5000);
  for (int i = 0; i < 1'000'000; ++i) sum += "+1";
  CHECK_THROWS_WITH(Expression(sum), Containing(" bytes, over the limit of 10000; shorten it"));
  CHECK_THROWS_AS(Equation::parse("1 = 2 = 3"), InputError);
  CHECK(Equation::parse("1 <= 2").relation == Relation::at_most);
  CHECK_THROWS_AS(Expression(std::string(500, '(')), InputError);
}

TEST_CASE("an audit holds up to rounding, and a planted digit is found") {
  const AuditResult held = audited(kImprovement);
  CHECK(held.verdict == ExpectedVerdict::reproduced);
  CHECK(held.found.rows == 2);  // C has no such number, Average is a summary
  CHECK(audited("row = \"Average\"\nequation = \"token.efficiency = mean(token.efficiency)\"\n")
            .verdict == ExpectedVerdict::reproduced);
  // 8.68 printed as 8.98: 3.495 / 3.205 - 1 is 9.05%, still possible; as 9.68 it is not.
  const auto planted = [](const std::string& number) {
    std::string text = audit(kImprovement);
    text.replace(text.find("8.68"), 4, number);
    return check_audits(read(text)).at(0);
  };
  CHECK(planted("8.98").verdict == ExpectedVerdict::reproduced);
  const AuditResult wrong = planted("9.68");
  CHECK(wrong.verdict == ExpectedVerdict::not_reproduced);
  CHECK(wrong.found.detail.find("in 1 of 2 rows; not in A: 9.675 to 9.685 against 8.39") !=
        std::string::npos);
  CHECK(fails(wrong.verdict));
  CHECK(audited("equation = \"token.speedup >= token.efficiency\"\n").verdict ==
        ExpectedVerdict::not_reproduced);
  CHECK(audited("equation = \"token.speedup >= token.efficiency\"\nexplanation = \"why\"\n")
            .verdict == ExpectedVerdict::explained);
  CHECK(audited(kImprovement + "explanation = \"why\"\n").verdict == ExpectedVerdict::unexpected);
}

TEST_CASE("one constant fits all rows or none does") {
  const std::string constant = "constant = \"token.efficiency / token.speedup\"\n";
  const AuditResult held = audited(constant);
  CHECK(held.verdict == ExpectedVerdict::reproduced);
  // A allows 3.205/2.175 to 3.215/2.165, B 3.405/2.305 to 3.415/2.295, C 2.995/2.025
  // to 3.005/2.015.
  const Rational low(2995, 2025), high(3215, 2165);
  CHECK(*held.found.constant == Rational((low + high) / 2));
  std::string text = audit(constant);
  text.replace(text.find("2.02"), 4, "1.90");
  const AuditResult wrong = check_audits(read(text)).at(0);
  CHECK(wrong.verdict == ExpectedVerdict::not_reproduced);
  CHECK(wrong.found.detail.find("A allows at most 1.485, C at least 1.5722") != std::string::npos);
  CHECK(check_audits(read(text + "within = 0.05\n")).at(0).verdict == ExpectedVerdict::reproduced);
}

TEST_CASE("what is wrong with a table or an audit is one line with its place") {
  refuses({{kHead + "numbers = \"A 1 2 3\"\n", ":11: the row 'A' has 3 numbers and not 4"},
           {kHead + "numbers = \"A 1 2 3 x\"\n", ":11: A: 'x' is no decimal number"},
           {kHead + "numbers = \"A 1 2 3 4\\nA 1 2 3 4\"\n", ":11: the row 'A' is there twice"},
           {kHead + "numbers = \"A 1 2 3 4\"\n", ":4: summary names no row 'Average'"},
           {audit("equation = \"a = \"\n"), ":18: ' ': there should be a number"},
           {audit(""), ":18: [[audit]] has an equation or a constant"},
           {audit("equation = \"1 = 1\"\nwithin = 1\n"), ":18: within is of a constant"}});
}

namespace {

/// Two members and their curves over the parameter e: token's number, and block's over token's.
struct Ensemble {
  std::vector<TaskRows> results;

  void add(const std::string& member, const std::string& e, double token, double improvement,
           double error = 0) {
    for (const auto& [verifier, value] :
         {std::pair<std::string, double>{"token", token}, {"block", token * (1 + improvement)}}) {
      TaskRows& rows = results.emplace_back();
      rows.place.task = "t";
      rows.place.vary = {{"member", member}, {"e", e}};
      rows.place.verifier = verifier;
      rows.place.gamma = "8";
      AnswerRow& row = rows.rows.emplace_back();
      row.method = "simulate";
      row.quantity = "decode.acceptance_length";
      row.value = value;
      if (error > 0) row.standard_error = error;
    }
  }
};

std::vector<CalibratedResult> predicted(const Ensemble& ensemble) {
  static const std::vector<PrintedTable> tables = read(kHead + kNumbers).tables;
  static const Calibrated entry{
      1,   "one",   "efficiency", {1, {{"task", "t"}, {"quantity", "decode.acceptance_length"}}},
      "e", "token", "block",      "block"};
  return calibrate(entry, tables, ensemble.results);
}

Ensemble ensemble_around(double improvement) {
  Ensemble made;
  for (int member = 0; member < 4; ++member) {
    const double shift = 0.002 * (member - 1.5);
    made.add(std::to_string(member), "1/2", 4, improvement + shift);
    made.add(std::to_string(member), "2", 3, improvement + 0.02 + shift);
    made.add(std::to_string(member), "10", 2, improvement + 0.04 + shift);
  }
  return made;
}

}  // namespace

TEST_CASE("a fitted pair predicts on the straight line between its neighbours") {
  const auto results = predicted(ensemble_around(0.07));
  REQUIRE(results.size() == 2);  // C prints no block, Average is a summary
  // 3.21 is 79% of the way from 4 to 3.
  CHECK(std::abs(results[0].mean - (0.07 + 0.79 * 0.02)) < 1e-12);
  CHECK(results[0].members.size() == 4);
  CHECK(std::abs(results[0].deviation - 0.002 * std::sqrt(5.0 / 3)) < 1e-12);
  CHECK(results[0].verdict == CalibratedVerdict::within);  // 8.4% to 9.05% are printed
  CHECK(results[1].verdict == CalibratedVerdict::outside);
  const std::vector<TaskRows> rows = calibrated_rows(results);
  REQUIRE(rows.size() == 6);
  CHECK(rows[0].rows[0].value == 3.21);
  CHECK(rows[2].rows[0].value == results[0].mean);
  CHECK(std::abs(*rows[2].rows[0].high - results[0].mean - 2 * results[0].deviation) < 1e-15);
  CHECK(find_variable(rows[2].place.vary, "row") != nullptr);
}

TEST_CASE("values with bars in them do not join two members") {
  Ensemble made = ensemble_around(0.07);
  for (TaskRows& rows : made.results) {
    Variables& vary = rows.place.vary;
    const bool first = vary.front().second == "0";
    if (!first && vary.front().second != "1") continue;
    vary.front().second = first ? "0|n=1" : "0";
    vary.insert(vary.begin() + 1, {"n", first ? "2" : "1|n=2"});
  }
  CHECK(predicted(made).front().members.size() == 4);
}

TEST_CASE(
    "a prediction fails where the ensemble differs, and there is none where none can be fitted") {
  CHECK(predicted(ensemble_around(0.14))[0].verdict == CalibratedVerdict::outside);
  CHECK(predicted(ensemble_around(0.01))[0].verdict == CalibratedVerdict::outside);
  Ensemble far;
  for (const char* member : {"0", "1", "2"}) {
    far.add(member, "1", 8, 0.07);
    far.add(member, "2", 7, 0.07);
  }
  CHECK(predicted(far)[0].verdict == CalibratedVerdict::open);
  Ensemble two;
  for (const char* member : {"0", "1"}) {
    two.add(member, "1", 4, 0.07);
    two.add(member, "2", 3, 0.07);
  }
  CHECK(predicted(two)[0].verdict == CalibratedVerdict::open);
  CHECK_THROWS_AS(predicted(Ensemble()), InputError);
  // Noise that is as large as what is printed decides nothing, and widens no spread.
  Ensemble noisy;
  for (int member = 0; member < 4; ++member) {
    noisy.add(std::to_string(member), "1", 4, 0.14 + 0.08 * (member % 2), 0.1);
    noisy.add(std::to_string(member), "2", 3, 0.14 + 0.08 * (member % 2), 0.1);
  }
  CHECK(predicted(noisy)[0].verdict == CalibratedVerdict::open);
}

TEST_CASE("the numbers of a table stand in other experiments where its rows and columns say") {
  const Scratch scratch;
  CHECK_FALSE(scratch.write("tables.toml", kHead + kNumbers).empty());
  const std::string text = R"toml(
title = "t"
source = "s"
tables = "tables.toml"
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = 8
horizon = 2
[[printed]]
table = "one"
metric = "efficiency"
task = "law"
quantity = "decode.acceptance_length"
[[printed]]
table = "one"
metric = "improvement%"
row = "Average"
task = "law"
quantity = "decode.acceptance_length"
)toml";
  const Experiment made = read_experiment(scratch.write("small.toml", text));
  REQUIRE(made.printed.size() == 6);
  CHECK(made.printed[0].of == "models, A");
  CHECK(made.printed[1].rows.get("verifier") == "block");
  CHECK(made.printed[1].rows.get("gamma") == "8");
  CHECK(made.printed[1].printed == "3.49");
  CHECK(made.printed[5].printed == "0.0937");
  CHECK(made.own_tables == 0);
  CHECK(read(kHead + kNumbers).own_tables == 1);
  CHECK_THROWS_AS(read(text), InputError);  // no tables.toml beside it
}

TEST_CASE(
    "a prediction without results and an audit of nothing are refused before any task is run") {
  const std::string task = R"toml(
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft={draft},target=2/3)"
verifier = ["token", "block"]
gamma = 8
horizon = 2
[task.vary]
draft = ["1/3", "1/2"]
)toml";
  const auto calibrated = [&](const std::string& verifier) {
    return kHead + kNumbers + task +
           "[[calibrated]]\ntable = \"one\"\nmetric = \"efficiency\"\ntask = \"law\"\n"
           "quantity = \"decode.acceptance_length\"\nalong = \"draft\"\nfitted = \"token\"\n"
           "predicted = {block = \"" +
           verifier + "\"}\n";
  };
  CHECK_NOTHROW(read_checked(calibrated("block")));
  CHECK_THROWS_AS(read_checked(calibrated("greedy-block")), InputError);
  CHECK_THROWS_AS(read_checked(audit("equation = \"token.x = 1\"\n")), InputError);
}

}  // namespace speclab::tables_test
