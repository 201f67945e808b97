// What an audit's names mean, and what is predicted where a table's rows say where.
#include <cmath>

#include "catch.h"
#include "experiment/expected.h"
#include "experiment/small_file.h"

namespace speclab::audits_test {
namespace {

const std::string kTables = R"toml(
title = "t"
source = "s"
[[table]]
name = "one"
source = "paper, Table 1"
of = "models"
columns = ["token.length", "block.length", "greedy.length"]
summary = "Mean"
numbers = """
A    3.0 3.5 -
B    4.0 -   -
Mean 3.5 3.5 -
"""
[[table]]
name = "two"
source = "paper, Table 2"
of = "models"
columns = ["token.length"]
numbers = """
A 3.0
C 9.0
"""
)toml";

/// The only result of an audit of the table "one".
TableAuditResult audited(const std::string& lines) {
  const std::string text = kTables + "[[audit]]\nsource = \"x\"\ntable = \"one\"\n" + lines + "\n";
  const Experiment experiment = small_file::read(text);
  TableAuditResult result = check_audits(experiment).at(0).found;
  result.entry = nullptr;
  result.table = nullptr;
  return result;
}

TableAuditResult equation(const std::string& text) {
  return audited("equation = \"" + text + "\"");
}

}  // namespace

TEST_CASE("an audit's names are columns, of another table at the same row or at its own") {
  const TableAuditResult same = equation("token.length = two:token.length");
  CHECK(same.holds);
  CHECK(same.rows == 1);  // two has no row B
  CHECK(equation("token.length = 3").detail ==
        "token.length = 3: in 1 of 2 rows; not in B: 3.95 to 4.05 against 3");
  CHECK(equation("two:C:token.length = 9").rows == 2);
  CHECK(equation("sum(block.length) = 3.5").holds);  // B prints none, Mean is a summary
  CHECK(equation("max(two:token.length) = 9").holds);
  CHECK(equation("one:Mean:token.length = mean(token.length)").holds);
}

TEST_CASE("an audit's name that means nothing is refused with what there is") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"too:token.length = 3", "there is no [[table]] 'too'; did you mean 'two'?"},
      {"one:A:token.length:x = 3", "'one:A:token.length:x' has more than three parts"},
      {"two:D:token.length = 3", "'D' is no row of two"},
      {"two:block.length = 3", "'block.length' is no column of two; it has token.length"},
      {"greedy.length = 3", "no row of one has all these numbers"},
      {"mean(greedy.length) = 3", "there is no row with a number of 'greedy.length'"},
      {"token.length / (block.length - 3.5) = 3", "a printed number that may be 0 divides another"},
      {"mean(token.length = 3", "'mean(token.length ': there should be a name and ')'"},
      {"mean(-token.length) = 3", "there should be a name and ')' at character 6"},
      {"mean(token.length 3) = 3", "there should be a name and ')' at character 19"}};
  for (const auto& [text, message] : cases) {
    INFO(text);
    CHECK_THROWS_WITH(equation(text), Containing("small.toml:") && Containing(message));
  }
  CHECK_THROWS_WITH(audited("row = \"D\"\nequation = \"1 = 1\""),
                    Containing("'D' is no row of one"));
  CHECK_THROWS_WITH(audited("row = \"B\"\nconstant = \"block.length\""),
                    Containing("no row of one has all these numbers"));
}

TEST_CASE("a name has a minus within it and no other sign") {
  std::vector<std::string> asked;
  const Bindings names{[&](const std::string& name) {
                         asked.push_back(name);
                         return Interval{Rational(2), Rational(2)};
                       },
                       {}};
  const auto value = [&](const std::string& text) {
    asked.clear();
    return Expression(text).value(names).low;
  };
  CHECK(value("a_b-c.d") == 2);
  CHECK(asked == std::vector<std::string>{"a_b-c.d"});
  CHECK(value("a- b") == 0);
  CHECK(asked.size() == 2);
  CHECK(value("a-(b)") == 0);
  CHECK(value("a -1") == 1);
  CHECK(value("(1 - 3) / (1 - 2)") == 2);
  CHECK_THROWS_WITH(Expression("a-"), Containing("'a-': there should be a number, a name or '('"));
  CHECK_FALSE(
      Equation::possible(Relation::equals, {Rational(3), Rational(4)}, {Rational(1), Rational(2)}));
  CHECK_FALSE(
      Equation::possible(Relation::equals, {Rational(1), Rational(2)}, {Rational(3), Rational(4)}));
}

namespace {

/// Results of token and block at the values of x, of three members.
std::vector<TaskRows> results(const std::vector<std::pair<std::string, double>>& token,
                              double improvement, const Variables& more = {}) {
  std::vector<TaskRows> made;
  for (const std::string member : {"1", "2", "3"}) {
    for (const auto& [x, value] : token) {
      for (const std::string verifier : {"token", "block"}) {
        TaskRows& rows = made.emplace_back();
        rows.place.task = "t";
        rows.place.vary = more;
        rows.place.vary.emplace_back("member", member);
        if (!x.empty()) rows.place.vary.emplace_back("x", x);
        rows.place.verifier = verifier;
        AnswerRow& row = rows.rows.emplace_back();
        row.method = "exact";
        row.quantity = "decode.acceptance_length";
        row.value = verifier == "token" ? value : value * (1 + improvement);
      }
    }
  }
  return made;
}

PrintedTable two_numbers(const std::string& rows, const std::string& label) {
  return {1,
          "one",
          "paper",
          "models",
          "",
          rows,
          {{"token", "length"}, {"block", "length"}},
          {{label, false, {read_printed_number("3.0"), read_printed_number("3.3")}},
           {"none", false, {std::nullopt, read_printed_number("3.3")}}}};
}

const Calibrated kEntry{
    1,   "one",   "length", {1, {{"task", "t"}, {"quantity", "decode.acceptance_length"}}},
    "x", "token", "block",  "block"};

}  // namespace

TEST_CASE(
    "a prediction stands at the variable that a table's rows are, and lengths are no variable") {
  const std::vector<PrintedTable> tables{two_numbers("heat", "7")};
  const auto rows = results({{"1", 4}, {"2", 2}}, 0.1, {{"heat", "7"}});
  const auto predicted = calibrate(kEntry, tables, rows);
  REQUIRE(predicted.size() == 1);  // where token's number is missing there is nothing to fit
  CHECK(predicted[0].members.size() == 3);
  CHECK(predicted[0].verdict == CalibratedVerdict::within);
  CHECK(calibrated_rows(predicted).at(0).place.vary == Variables{{"table", "one"}, {"heat", "7"}});
  CHECK_THROWS_WITH(calibrate(kEntry, tables, results({{"1", 4}}, 0.1, {{"heat", "8"}})),
                    "[[calibrated]] finds no result of token beside row 7 of one");
  std::vector<TaskRows> long_rows = results({{"1", 4}, {"2", 2}}, 0.1);
  for (TaskRows& each : long_rows) each.place.gamma = "7";
  const std::vector<PrintedTable> lengths{two_numbers("gamma", "7")};
  const auto at_length = calibrated_rows(calibrate(kEntry, lengths, long_rows)).at(0);
  CHECK(at_length.place.vary == Variables{{"table", "one"}});
  CHECK(at_length.place.gamma == "7");
}

TEST_CASE(
    "a prediction needs the printed number between two neighbours, or at two that are equal") {
  const std::vector<PrintedTable> tables{two_numbers("row", "A")};
  const auto members = [&](const std::vector<std::pair<std::string, double>>& token) {
    return calibrate(kEntry, tables, results(token, 0.1)).at(0).members.size();
  };
  CHECK(members({{"1", 2}, {"2", 1}}) == 0);  // all below 3
  CHECK(members({{"1", 5}, {"2", 4}}) == 0);  // all above
  CHECK(members({{"1", 2}, {"2", 1}, {"10", 4}}) == 3);
  const auto flat = calibrate(kEntry, tables, results({{"1", 3}, {"2", 3}}, 0.1)).at(0);
  REQUIRE(flat.members.size() == 3);
  CHECK(std::abs(flat.members[0].improvement - 0.1) < 1e-12);
  const auto open = calibrate(kEntry, tables, results({{"1", 2}}, 0.1)).at(0);
  CHECK(open.verdict == CalibratedVerdict::open);
  CHECK(open.detail == "0 of 3 pairs fitted to token");
  CHECK(calibrated_verdict_name(open.verdict) == "not predicted");
  CHECK_THROWS_WITH(calibrate(kEntry, tables, results({{"", 2}}, 0.1)),
                    "[[calibrated]] is along 'x', which is no variable of its task");
}

TEST_CASE(
    "a prediction leaves out results of 0, over which there is no improvement, and reports their "
    "number") {
  const std::vector<PrintedTable> tables{two_numbers("row", "A")};
  const auto some = calibrate(kEntry, tables, results({{"1", 0}, {"2", 2}, {"3", 4}}, 0.1)).at(0);
  CHECK(some.members.size() == 3);
  CHECK(std::abs(some.mean - 0.1) < 1e-12);
  CHECK(some.verdict == CalibratedVerdict::within);
  CHECK(some.detail.starts_with(
      "3 of 3 pairs fitted to token, where it is 0 left out (3 results); from 0.1 to 0.1"));
  // From 0 to 4 it passes 3, but what block gains on the way is not known.
  const auto none = calibrate(kEntry, tables, results({{"1", 0}, {"2", 4}}, 0.1)).at(0);
  CHECK(none.verdict == CalibratedVerdict::open);
  CHECK(none.detail == "0 of 3 pairs fitted to token, where it is 0 left out (3 results)");
  CHECK(calibrate(kEntry, tables, results({{"1", 0}}, 0.1)).at(0).asked == 3);
}

TEST_CASE("a prediction without results is refused with its entry, and left out of a quick run") {
  Experiment experiment;
  experiment.path = "planted.toml";
  experiment.tables = {two_numbers("row", "A")};
  experiment.calibrated = {kEntry};
  TaskGroup& task = experiment.tasks.emplace_back();
  task.name = "t";
  task.full_only = true;
  CHECK_THROWS_WITH(check_calibrated(experiment, {}, false),
                    "planted.toml:1: [[calibrated]] finds no result of token beside row A of one");
  CHECK(check_calibrated(experiment, {}, true).empty());
  CHECK(check_calibrated(experiment, results({{"1", 4}, {"2", 2}}, 0.1), false).size() == 1);
}

}  // namespace speclab::audits_test
