// Numbers computed from two rows, and the coordinates that a trend runs along, on planted results.
#include "experiment/derive.h"

#include <cmath>
#include <functional>

#include "catch.h"
#include "experiment/expected.h"

namespace speclab::derive_test {
namespace {

/// A place of the task "t" with one row of decode.tokens.
TaskRows planted(const std::string& verifier, double value, double error = 0) {
  TaskRows made;
  made.place.task = "t";
  made.place.verifier = verifier;
  AnswerRow& row = made.rows.emplace_back();
  row.method = "simulate";
  row.quantity = "decode.tokens";
  row.value = value;
  if (error > 0) row.standard_error = error;
  return made;
}

TaskRows exactly(const std::string& verifier, const Rational& value) {
  TaskRows made = planted(verifier, to_double(value));
  made.rows[0].exact = value;
  return made;
}

/// Rows of verifier "a" taken with those of "b"; `over` asks for more columns, if any.
std::vector<TaskRows> derived(const std::string& operation, std::vector<TaskRows> results,
                              const std::vector<std::pair<std::string, std::string>>& more = {}) {
  Experiment experiment;
  experiment.path = "planted.toml";
  Derived entry;
  entry.line = 7;
  entry.name = "made";
  entry.operation = operation;
  entry.of = {7, {{"task", "t"}, {"verifier", "a"}, {"quantity", "decode.tokens"}}};
  entry.over = {7, {{"task", "t"}, {"verifier", "b"}, {"quantity", "decode.tokens"}}};
  entry.over.columns.insert(entry.over.columns.end(), more.begin(), more.end());
  if (!more.empty() && more[0].first == "trials") entry.of.columns.push_back(more[0]);
  experiment.derived.push_back(std::move(entry));
  const std::size_t before = results.size();
  std::vector<TaskRows> all = derive(experiment, std::move(results), false);
  return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
}

AnswerRow derived_row(const std::string& operation, std::vector<TaskRows> results) {
  const std::vector<TaskRows> made = derived(operation, std::move(results));
  REQUIRE(made.size() == 1);
  CHECK(made[0].place.task == "made");
  return made[0].rows.at(0);
}

/// The same rows with something changed in each place.
template <class Change>
std::vector<TaskRows> with(std::vector<TaskRows> rows, const Change& change) {
  for (std::size_t i = 0; i < rows.size(); ++i) change(rows[i].place, i);
  return rows;
}

}  // namespace

TEST_CASE("two rows give a number and its error by the delta method") {
  struct Case {
    std::string operation;
    double value, error;
  };
  // a = 6 with 0.3, b = 2 with 0.4.
  const double ratio = std::hypot(0.3 / 2, 6 * 0.4 / 4);
  for (const Case& each : std::vector<Case>{
           {"difference", 4, 0.5}, {"sum", 8, 0.5}, {"ratio", 3, ratio}, {"relative", 2, ratio}}) {
    INFO(each.operation);
    const AnswerRow row = derived_row(each.operation, {planted("a", 6, 0.3), planted("b", 2, 0.4)});
    CHECK(row.value == each.value);
    REQUIRE(row.standard_error);
    CHECK(std::abs(*row.standard_error - each.error) < 1e-12);
    CHECK(std::abs(*row.high - *row.low - 2 * 1.959963984540054 * each.error) < 1e-12);
    CHECK_FALSE(row.exact);
    const AnswerRow exact =
        derived_row(each.operation, {exactly("a", Rational(6)), exactly("b", Rational(2))});
    CHECK(exact.exact == Rational(static_cast<int>(each.value)));
  }
}

TEST_CASE("one number without an error or a fraction is enough for a double") {
  const AnswerRow known = derived_row("ratio", {planted("a", 6, 0.3), exactly("b", Rational(2))});
  CHECK(known.value == 3);
  CHECK_FALSE(known.exact);
  CHECK(std::abs(*known.standard_error - 0.15) < 1e-12);
  const AnswerRow other =
      derived_row("difference", {exactly("a", Rational(6)), planted("b", 2, 0.4)});
  CHECK_FALSE(other.exact);
  CHECK(other.standard_error == 0.4);
  const AnswerRow neither = derived_row("sum", {exactly("a", Rational(6)), planted("b", 2)});
  CHECK(neither.value == 8);
  CHECK_FALSE(neither.exact);
  CHECK_FALSE(neither.standard_error);
}

TEST_CASE("what cannot be derived is refused with its entry") {
  const TaskRows a = planted("a", 6), b = planted("b", 2);
  for (const char* operation : {"ratio", "relative"}) {
    CHECK_THROWS_WITH(derived(operation, {a, planted("b", 0)}),
                      "planted.toml:7: a ratio over 0; choose other rows");
    CHECK_THROWS_WITH(derived(operation, {a, exactly("b", Rational(0))}), Containing("over 0"));
  }
  CHECK(derived("difference", {a, planted("b", 0)}).size() == 1);
  CHECK_THROWS_WITH(derived("sum", {b}), "planted.toml:7: `of` chooses no row");
  CHECK_THROWS_WITH(derived("sum", {a}),
                    "planted.toml:7: `over` chooses no row that agrees with `of`");
  const auto twice = with({a, b, b}, [](TaskPlace& place, std::size_t i) {
    place.vary = {{"x", i > 1 ? "2" : "1"}};
  });
  CHECK(derived("sum", twice).size() == 1);
  CHECK_THROWS_WITH(derived("sum", with(twice,
                                        [](TaskPlace& place, std::size_t i) {
                                          if (i == 0) place.vary.clear();
                                        })),
                    "planted.toml:7: `over` chooses more than one row; name more columns of it");
}

TEST_CASE("a number that overflows is refused with its entry") {
  CHECK_THROWS_WITH(derived("difference", {planted("a", 1.5e308), planted("b", -1.5e308)}),
                    "planted.toml:7: the difference of 1.5e+308 and -1.5e+308 is no finite number; "
                    "choose other rows");
  CHECK_THROWS_WITH(derived("ratio", {planted("a", 1e200), planted("b", 1e-200)}),
                    Containing("is no finite number"));
  // Its error overflows alone.
  CHECK_THROWS_WITH(derived("ratio", {planted("a", 1, 1e100), planted("b", 1e-250, 1e-300)}),
                    Containing("is no finite number"));
  Rational large(10);
  for (int i = 0; i < 8; ++i) large *= large;
  CHECK_THROWS_WITH(derived("ratio", {exactly("a", large), exactly("b", Rational(1 / large))}),
                    Containing("is no finite number"));
}

TEST_CASE("rows agree in every coordinate that both have and over does not name") {
  const std::vector<TaskRows> rows{planted("a", 6), planted("b", 2)};
  struct Column {
    std::string name;
    std::function<void(TaskPlace&, std::string)> set;
  };
  const std::vector<Column> columns{
      {"gamma", [](TaskPlace& place, std::string text) { place.gamma = std::move(text); }},
      {"horizon", [](TaskPlace& place, std::string text) { place.horizon = std::move(text); }},
      {"iterations",
       [](TaskPlace& place, std::string text) { place.iterations = std::move(text); }},
      {"x", [](TaskPlace& place, std::string text) {
         place.vary = {{"x", std::move(text)}};
       }}};
  for (const Column& column : columns) {
    INFO(column.name);
    const auto at = [&](const std::string& of, const std::string& over) {
      return with(rows,
                  [&](TaskPlace& place, std::size_t i) { column.set(place, i == 0 ? of : over); });
    };
    CHECK(derived("sum", at("4", "4")).size() == 1);
    CHECK(derived("sum", at("4", "")).size() == 1);
    CHECK_THROWS_WITH(derived("sum", at("4", "5")), Containing("no row that agrees"));
    CHECK(derived("sum", at("4", "5"), {{column.name, "5"}}).size() == 1);
  }
  CHECK_THROWS_WITH(
      derived("sum",
              with(rows, [](TaskPlace& place, std::size_t i) { place.pair = std::to_string(i); })),
      Containing("no row that agrees"));
}

TEST_CASE("after every number of trials a row is taken with that after as many") {
  std::vector<TaskRows> rows{planted("a", 6), planted("a", 7), planted("b", 1), planted("b", 2)};
  for (std::size_t i = 0; i < 4; ++i) rows[i].place.trials = i % 2 == 0 ? 100 : 500;
  const auto last = derived("difference", rows);
  REQUIRE(last.size() == 1);
  CHECK(last[0].rows.at(0).value == 5);
  const auto all = derived("difference", rows, {{"trials", "all"}});
  REQUIRE(all.size() == 2);
  CHECK(all[0].rows.at(0).value == 5);
  CHECK(all[0].place.trials == 100);
  CHECK(all[1].rows.at(0).value == 5);
}

namespace {

/// What is said of a rising trend along a coordinate of these rows.
ExpectedResult rising(const std::string& along, const std::vector<TaskRows>& results) {
  static Experiment experiment;
  experiment.path = "planted.toml";
  Expected entry;
  entry.line = 9;
  entry.rows = {9, {{"task", "t"}, {"trials", "all"}, {"quantity", "decode.tokens"}}};
  entry.trend = "increases";
  entry.along = along;
  experiment.expected = {entry};
  return check_expected(experiment, results, false).at(0);
}

}  // namespace

TEST_CASE("a trend runs along any coordinate by its number and not its text") {
  const std::vector<std::pair<std::string, std::function<void(TaskRows&, int)>>> columns{
      {"gamma", [](TaskRows& rows, int at) { rows.place.gamma = std::to_string(at); }},
      {"horizon", [](TaskRows& rows, int at) { rows.place.horizon = std::to_string(at); }},
      {"iterations", [](TaskRows& rows, int at) { rows.place.iterations = std::to_string(at); }},
      {"index", [](TaskRows& rows, int at) { rows.rows[0].index = std::to_string(at); }},
      {"trials", [](TaskRows& rows, int at) { rows.place.trials = static_cast<unsigned>(at); }},
      {"x", [](TaskRows& rows, int at) {
         rows.place.vary = {{"x", std::to_string(at)}};
       }}};
  for (const auto& [along, set] : columns) {
    INFO(along);
    std::vector<TaskRows> rows{planted("a", 3), planted("a", 1), planted("a", 2)};
    set(rows[0], 10);
    set(rows[1], 2);
    set(rows[2], 9);
    const ExpectedResult met = rising(along, rows);
    CHECK(met.verdict == ExpectedVerdict::reproduced);
    CHECK(met.detail == "in 1 of 1 series, 2 of 2 steps");
    rows[2].rows[0].value = 4;
    CHECK_THAT(rising(along, rows).detail,
               Containing("from 4 to 3 between " + along + " 9 and 10"));
  }
}

TEST_CASE("a trend along no number, or along one row, is refused with its entry") {
  std::vector<TaskRows> rows{planted("a", 3), planted("a", 1)};
  rows[0].place.vary = {{"x", "one"}};
  rows[1].place.vary = {{"x", "two"}};
  CHECK_THROWS_WITH(rising("x", rows),
                    "planted.toml:9: 'one' of x is no number to follow a trend along");
  for (const char* along : {"y", "gamma", "horizon", "iterations", "index", "trials"}) {
    CHECK_THROWS_WITH(rising(along, rows),
                      Containing("planted.toml:9: there is no coordinate '" + std::string(along) +
                                 "'; a trend runs along gamma, horizon"));
  }
  rows[0].place.gamma = "1";
  rows[1].place.gamma = "2";
  CHECK_THROWS_WITH(rising("gamma", rows), "planted.toml:9: a trend needs two rows along gamma");
  CHECK_THROWS_WITH(rising("gamma", {}), "planted.toml:9: [[expected]] chooses no row");
}

TEST_CASE("what is derived of a task that a quick run leaves out is left out with it") {
  Experiment experiment;
  experiment.tasks.resize(2);
  experiment.tasks[0].name = "short";
  experiment.tasks[1].name = "long";
  experiment.tasks[1].full_only = true;
  const auto add = [&](const std::string& name, const std::string& of, const std::string& over) {
    Derived entry;
    entry.name = name;
    entry.of.columns = {{"task", of}};
    entry.over.columns = {{"task", over}};
    experiment.derived.push_back(entry);
  };
  add("kept", "short", "short");
  add("of", "long", "short");
  add("over", "short", "long");
  add("later", "kept", "over");
  for (const char* name : {"long", "of", "over", "later"}) {
    CHECK(left_out(experiment, name, true));
    CHECK_FALSE(left_out(experiment, name, false));
  }
  for (const char* name : {"short", "kept", "unknown"})
    CHECK_FALSE(left_out(experiment, name, true));
  experiment.printed.push_back({1, "s", "o", {1, {{"task", "long"}}}, "1"});
  TaskRows rows = planted("a", 1);
  rows.place.task = "long";
  CHECK(place_printed(experiment, {rows}, true).at(0).rows.empty());
  CHECK(place_printed(experiment, {rows}, false).at(0).rows.size() == 1);
}

}  // namespace speclab::derive_test
