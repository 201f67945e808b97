// What is said of planted numbers: reproduced, not reproduced, undecided.
#include "experiment/expected.h"

#include <cmath>
#include <random>

#include "catch.h"
#include "experiment/document.h"
#include "experiment/trend.h"
#include "report/report.h"
#include "stops.h"
#include "system/interrupt_scope.h"

namespace speclab::expected_test {
namespace {

struct Planted {
  std::string at;  ///< the value of the variable x
  double value;
  double error = 0;  ///< 0: known without error
  std::string series = "1";
  std::string pair{};  ///< "": another one at every x
  bool fraction = false;
};

/// Holds one entry of the task "t" against planted rows.
struct Held {
  Experiment experiment;
  std::vector<TaskRows> results;
  ExpectedResult result;

  Held(Expected entry, const std::vector<Planted>& planted) {
    entry.line = 7;
    entry.source = "planted";
    entry.rows = {7, {{"task", "t"}, {"quantity", "decode.tokens"}}};
    experiment.path = "planted.toml";
    experiment.expected.push_back(std::move(entry));
    for (const Planted& row : planted) {
      TaskRows task;
      task.place.task = "t";
      task.place.vary = {{"series", row.series}, {"x", row.at}};
      task.place.pair = row.pair.empty() ? row.at : row.pair;
      AnswerRow& found = task.rows.emplace_back();
      found.method = "simulate";
      found.quantity = "decode.tokens";
      found.value = row.value;
      if (row.error > 0) found.standard_error = row.error;
      if (row.fraction) found.exact = exact(row.value);
      results.push_back(std::move(task));
    }
    result = check_expected(experiment, results, false).at(0);
  }
};

ExpectedResult trend(const std::string& name, const std::vector<Planted>& rows,
                     const std::string& why = "") {
  Expected entry;
  entry.trend = name;
  entry.along = "x";
  entry.explanation = why;
  return Held(std::move(entry), rows).result;
}

ExpectedVerdict value(Relation relation, double found, double error, const std::string& why = "") {
  Expected entry;
  entry.value = Rational(1);
  entry.printed = "1";
  entry.tolerance = Rational(1, 10);
  entry.tolerance_text = "0.1";
  entry.relation = relation;
  entry.explanation = why;
  return Held(std::move(entry), {{"0", found, error}}).result.verdict;
}

const std::vector<Planted> kRising{{"0", 0.10, 0.001}, {"0.8", 0.154, 0.001}, {"1", 0.166, 0.001}};
const std::vector<Planted> kTurning{{"0", 0.10, 0.001}, {"1", 0.154, 0.001}, {"0.8", 0.166, 0.001}};
const std::vector<Planted> kBlurred{{"0", 0.10, 0.01}, {"0.8", 0.166, 0.01}, {"1", 0.154, 0.01}};

}  // namespace

TEST_CASE("a trend is reproduced, not reproduced or undecided, by what the numbers say") {
  const ExpectedResult met = trend("increases", kRising);
  CHECK(met.verdict == ExpectedVerdict::reproduced);
  CHECK(met.detail == "in 1 of 1 series, 2 of 2 steps; a step of 0.0089 is seen with power 0.99");
  const ExpectedResult failed = trend("increases", kTurning);
  CHECK(failed.verdict == ExpectedVerdict::not_reproduced);
  CHECK(failed.detail.find("1 of 2 steps; from 0.166 to 0.154 between x 0.8 and 1, series 1;") !=
        std::string::npos);
  CHECK(trend("increases", kBlurred).verdict == ExpectedVerdict::undecided);
  CHECK(trend("decreases", kRising).verdict == ExpectedVerdict::not_reproduced);
  CHECK(trend("decreases", kTurning).verdict == ExpectedVerdict::not_reproduced);
  CHECK(trend("decreases", {{"1", 0.1, 0.001}, {"0", 0.2, 0.001}}).verdict ==
        ExpectedVerdict::reproduced);
}

TEST_CASE("an entry with an explanation fails where the results do not contradict it") {
  CHECK(trend("increases", kTurning, "why").verdict == ExpectedVerdict::explained);
  CHECK(trend("increases", kRising, "why").verdict == ExpectedVerdict::unexpected);
  CHECK(trend("increases", kBlurred, "why").verdict == ExpectedVerdict::undecided);
  CHECK(fails(ExpectedVerdict::not_reproduced));
  CHECK(fails(ExpectedVerdict::unexpected));
  for (const auto verdict : {ExpectedVerdict::reproduced, ExpectedVerdict::explained,
                             ExpectedVerdict::undecided, ExpectedVerdict::not_run}) {
    CHECK_FALSE(fails(verdict));
  }
}

TEST_CASE("without errors a number that stays does not increase, and does not fall either") {
  const std::vector<Planted> flat{{"1", 0.5}, {"2", 0.25}, {"3", 0.25}};
  CHECK(trend("decreases", flat).verdict == ExpectedVerdict::not_reproduced);
  CHECK(trend("non-increasing", flat).verdict == ExpectedVerdict::reproduced);
  CHECK(trend("non-decreasing", flat).verdict == ExpectedVerdict::not_reproduced);
  CHECK(trend("increases", {{"1", 0.25}, {"2", 0.5}}).verdict == ExpectedVerdict::reproduced);
  // Rounding is no step.
  const std::vector<Planted> rounded{{"1", 0.25}, {"2", 0.25 + 1e-15}};
  CHECK(trend("increases", rounded).verdict == ExpectedVerdict::not_reproduced);
  CHECK(trend("non-increasing", rounded).verdict == ExpectedVerdict::reproduced);
}

TEST_CASE("one series that turns is enough, and a slow turn shows over several steps") {
  std::vector<Planted> two = kRising;
  for (Planted row : kTurning) {
    row.series = "2";
    two.push_back(row);
  }
  const ExpectedResult result = trend("increases", two);
  CHECK(result.verdict == ExpectedVerdict::not_reproduced);
  CHECK(result.detail.find("in 1 of 2 series") == 0);
  CHECK(result.detail.find("series 2") != std::string::npos);
  std::vector<Planted> slow;
  for (int i = 0; i < 5; ++i) slow.push_back({std::to_string(i), 10.0 - 3 * i, 1});
  CHECK(trend("increases", slow).verdict == ExpectedVerdict::not_reproduced);
  CHECK(trend("decreases", slow).verdict == ExpectedVerdict::undecided);
}

TEST_CASE("values with bars in them do not join two series") {
  Experiment experiment;
  Expected& entry = experiment.expected.emplace_back();
  entry.trend = "increases";
  entry.along = "x";
  entry.rows = {7, {{"task", "t"}, {"quantity", "decode.tokens"}}};
  std::vector<TaskRows> results;
  const auto add = [&](const std::string& y, const std::string& z, const std::string& x) {
    TaskRows& task = results.emplace_back();
    task.place.task = "t";
    task.place.vary = {{"y", y}, {"z", z}, {"x", x}};
    AnswerRow& row = task.rows.emplace_back();
    row.method = "simulate";
    row.quantity = "decode.tokens";
    row.value = std::stod(x);
  };
  for (const char* x : {"1", "2"}) {
    add("1|z=2", "3", x);
    add("1", "2|z=3", x);
  }
  CHECK(check_expected(experiment, results, false).at(0).detail ==
        "in 2 of 2 series, 2 of 2 steps");
}

TEST_CASE("a trend of fractions has the verdict of the same numbers in doubles") {
  std::mt19937 engine(7);
  int failed = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Planted> doubles;
    const int rows = 2 + static_cast<int>(engine() % 6);
    for (int i = 0; i < rows; ++i) {
      // Rising as a whole, so that most turns are late and small.
      doubles.push_back({std::to_string(i), 2.0 * i + static_cast<double>(engine() % 4)});
    }
    std::vector<Planted> fractions = doubles, mixed = doubles;
    for (Planted& row : fractions) row.fraction = true;
    mixed[engine() % mixed.size()].fraction = true;
    for (const char* name : {"increases", "non-decreasing", "decreases", "non-increasing"}) {
      const ExpectedResult wanted = trend(name, doubles);
      for (const auto& same : {fractions, mixed}) {
        const ExpectedResult found = trend(name, same);
        REQUIRE(found.verdict == wanted.verdict);
        REQUIRE(found.detail == wanted.detail);
      }
      failed += wanted.verdict == ExpectedVerdict::not_reproduced ? 1 : 0;
    }
  }
  CHECK(failed > 700);
  CHECK(failed < 1150);
}

TEST_CASE("a signal ends the judging of results and their table") {
  std::vector<Planted> rows;
  for (int i = 0; i < 3; ++i) rows.push_back({std::to_string(i), 1.0 * i});
  Expected entry;
  entry.trend = "increases";
  entry.along = "x";
  const Held held(entry, rows);
  const InterruptScope scope;  // clears the flag at its end
  raise_interrupt();
  CHECK(stops([&] { choose(held.experiment.expected[0].rows, held.results); }));
  CHECK(stops([&] { render(results_document(held.experiment, held.results), Format::csv); }));
  ExpectedResult judged = held.result;
  CHECK(stops([&] { follow_trend(judged); }));
}

TEST_CASE("errors of one pair add up, those of two are independent") {
  // 4 sqrt(2) 0.15 = 0.85 < 1 < 4 (0.15 + 0.15).
  CHECK(trend("increases", {{"0", 1, 0.15}, {"1", 2, 0.15}}).verdict ==
        ExpectedVerdict::reproduced);
  CHECK(trend("increases", {{"0", 1, 0.15, "1", "one"}, {"1", 2, 0.15, "1", "one"}}).verdict ==
        ExpectedVerdict::undecided);
}

TEST_CASE("a trend of so many standard errors is detected with the power that is stated") {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  int seen = 0, met = 0, falling = 0;
  constexpr int kSeries = 4000;
  for (int i = 0; i < kSeries; ++i) {
    const double step = kSeenErrors * std::sqrt(2.0);
    const auto verdict =
        trend("increases", {{"0", normal(generator), 1}, {"1", step + normal(generator), 1}})
            .verdict;
    if (verdict == ExpectedVerdict::reproduced) ++seen;
    std::vector<Planted> flat;
    for (int x = 0; x < 4; ++x) flat.push_back({std::to_string(x), normal(generator), 1});
    const auto of_flat = trend("increases", flat).verdict;
    if (of_flat == ExpectedVerdict::reproduced) ++met;
    if (of_flat == ExpectedVerdict::not_reproduced) ++falling;
  }
  // Binomial, power 0.99: standard deviation 6.3.
  CHECK(std::abs(seen - kSeries * kExpectedPower) < 5 * 6.3);
  CHECK(met == 0);
  CHECK(falling <= 8);  // 6 pairs of 3.2e-5 each: 0.8 are expected
}

TEST_CASE("a bound is reproduced, not reproduced or undecided") {
  using V = ExpectedVerdict;
  CHECK(value(Relation::at_least, 1.5, 0.1) == V::reproduced);
  CHECK(value(Relation::at_least, 0.4, 0.1) == V::not_reproduced);
  CHECK(value(Relation::at_least, 1.0, 0.1) == V::undecided);
  CHECK(value(Relation::at_least, 0.9, 0) == V::reproduced);  // 1 - 0.1
  CHECK(value(Relation::at_least, 0.89, 0) == V::not_reproduced);
  CHECK(value(Relation::at_most, 0.5, 0.1) == V::reproduced);
  CHECK(value(Relation::at_most, 1.6, 0.1) == V::not_reproduced);
  CHECK(value(Relation::at_most, 1.2, 0.1) == V::undecided);
}

TEST_CASE("an equality stands until it is refuted, an explained one must be refuted") {
  using V = ExpectedVerdict;
  CHECK(value(Relation::equals, 1.4, 0.1) == V::reproduced);
  CHECK(value(Relation::equals, 1.6, 0.1) == V::not_reproduced);
  CHECK(value(Relation::equals, 1.6, 0.1, "why") == V::explained);
  CHECK(value(Relation::equals, 1.4, 0.1, "why") == V::undecided);
  CHECK(value(Relation::equals, 1.05, 0.01, "why") == V::unexpected);
  CHECK(value(Relation::equals, 1.05, 0) == V::reproduced);
  CHECK(value(Relation::equals, 1.05, 0, "why") == V::unexpected);
  CHECK(value(Relation::equals, std::nan(""), 0) == V::not_reproduced);
}

TEST_CASE("a printed number of another model is shown beside ours and not judged") {
  Held held(
      [] {
        Expected entry;
        entry.trend = "increases";
        entry.along = "x";
        return entry;
      }(),
      kRising);
  Experiment& experiment = held.experiment;
  experiment.id = "planted";
  Printed printed{
      9, "the paper", "PALM-2", {9, {{"task", "t"}, {"quantity", "decode.tokens"}}}, "3.21"};
  experiment.printed.push_back(printed);
  printed.rows.columns.emplace_back("x", "0.8");
  experiment.printed.push_back(printed);
  const Checked checked{{held.result}, place_printed(experiment, held.results, false), {}, {}};
  const std::string csv = render(expected_document(experiment, checked), Format::csv);
  // Three rows stand there: none is ours alone.
  CHECK(csv.find("planted,9,the paper,t,,,,,,,decode.tokens,,,printed,,3.21,,,,,not "
                 "judged,PALM-2,,other\n") != std::string::npos);
  CHECK(csv.find("printed,,3.21,,0.154,,0.001,not judged,PALM-2,,other\n") != std::string::npos);
}

}  // namespace speclab::expected_test
