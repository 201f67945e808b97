// Whether test suites find faults: powers against sums by hand, and added cases against themselves.
#include "audit/adequacy/adequacy.h"

#include <fmt/format.h>

#include <cmath>

#include "catch.h"
#include "message_of.h"
#include "scratch.h"

namespace speclab::adequacy_test {
namespace {

using Kind = HistogramTest::Kind;

constexpr const char* kFirstToken =
    R"({"suite": "s", "draft_probs": [["2/3","1/3"]], "target_probs": [["1/3","2/3"],["1/3","2/3"]], "samples": 20000, "statistic": "max-deviation", "sigmas": 5})"
    "\n";

std::vector<AdequacyCase> read(const std::string& text) {
  const Scratch scratch;
  return read_adequacy_cases(scratch.write("cases.jsonl", text), {});
}

std::string refused(const std::string& text) {
  return message_of([&] { read(text); });
}

const SuiteFault& fault_of(const AdequacySuite& suite, const std::string& name) {
  for (const SuiteFault& each : suite.faults) {
    if (each.fault == name) return each;
  }
  FAIL("no fault " + name);
  return suite.faults.front();
}

TEST_CASE("the power of a test of two cells is the sum over its counts") {
  // Of four draws 0 and 4 are off by more than 0.4: (3/4)^4 + (1/4)^4.
  const CellTest test({{{0}, 0.5}, {{1}, 0.5}}, {.kind = Kind::max_deviation, .threshold = 0.4}, 4);
  const TestPower power = test.power({{{0}, 0.75}, {{1}, 0.25}}, 1);
  CHECK(power.exact);
  CHECK(power.value == Approx(82.0 / 256));
  CHECK(test.power({{{0}, 0.5}, {{1}, 0.5}}, 1).value == Approx(2.0 / 16));
  // A cell that the rule does not have is seen at once.
  const CellTest sure({{{0}, 1.0}}, {.kind = Kind::max_deviation, .sigmas = 5}, 10);
  CHECK(sure.power({{{0}, 0.5}, {{1}, 0.5}}, 1).value == Approx(1 - std::pow(0.5, 10)));
}

TEST_CASE("simulated powers agree with sums over all samples") {
  const double right[] = {0.5, 0.25, 0.25}, wrong[] = {0.25, 0.25, 0.5};
  const CellLaw rule{{{0}, 0.5}, {{1}, 0.25}, {{2}, 0.25}};
  const CellLaw other{{{0}, 0.25}, {{1}, 0.25}, {{2}, 0.5}};
  constexpr int kSamples = 6;
  double tv = 0, order = 0, alarm = 0;
  const auto factorial = [](int k) { return std::tgamma(k + 1.0); };
  for (int a = 0; a <= kSamples; ++a) {
    for (int b = 0; a + b <= kSamples; ++b) {
      const int c = kSamples - a - b;
      const double ways = factorial(kSamples) / factorial(a) / factorial(b) / factorial(c);
      const auto chance = [&](const double(&p)[3]) {
        return ways * std::pow(p[0], a) * std::pow(p[1], b) * std::pow(p[2], c);
      };
      const double off =
          (std::abs(a / 6.0 - 0.5) + std::abs(b / 6.0 - 0.25) + std::abs(c / 6.0 - 0.25)) / 2;
      if (off > 0.3) tv += chance(wrong);
      if (off > 0.3) alarm += chance(right);
      if (a <= c) order += chance(wrong);
    }
  }
  const auto agrees = [](const TestPower& power, double exact) {
    CHECK_FALSE(power.exact);
    CHECK(std::abs(power.value - exact) < 0.04);
    CHECK(power.low <= power.value);
    CHECK(power.value <= power.high);
  };
  const CellTest by_tv(rule, {.kind = Kind::tv, .threshold = 0.3}, kSamples);
  agrees(by_tv.power(other, 1), tv);
  agrees(by_tv.power(rule, 1), alarm);
  agrees(CellTest(rule, {.kind = Kind::order, .order = {{0, 2}}}, kSamples).power(other, 1), order);
  // At a level of 0.05 a chi-square test fails a right implementation that often.
  agrees(CellTest(rule, {.kind = Kind::chi_square, .level = 0.05}, 4000).power(rule, 1), 0.05);
  agrees(CellTest(rule, {.kind = Kind::binomial, .level = 1e-9}, 4000).power(rule, 1), 0);
  agrees(CellTest(rule, {.kind = Kind::binomial, .level = 1e-9}, 4000).power(other, 1), 1);
}

TEST_CASE("the level of a binomial test is shared by the cells and lengths of the rule alone") {
  // Three tests at 0.14 each, and 0 or 4 of 4 draws have 1/8 together; a fourth would leave 0.105.
  const CellLaw rule{{{0, 0}, 0.5}, {{0, 1}, 0.5}};
  const CellTest test(rule, {.kind = Kind::binomial, .level = 0.42}, 4);
  CHECK(test.power({{{0, 0}, 1.0}}, 1).value == Approx(1));
  CHECK(test.power({{{0, 0}, 1.0}, {{1, 0, 0}, 1e-12}}, 1).value == Approx(1));
}

TEST_CASE("first tokens do not show what comes later, and the added cases do") {
  const AdequacyOptions options;
  const AdequacyReport report = adequacy(read(kFirstToken), options);
  REQUIRE(report.suites.size() == 1);
  const AdequacySuite& suite = report.suites.front();
  CHECK_FALSE(report.adequate());
  CHECK(suite.false_alarm.value < 1e-5);
  CHECK(fault_of(suite, "wrong-always-accept").seen);
  CHECK_FALSE(fault_of(suite, "wrong-draft-bonus").seen);
  CHECK(fault_of(suite, "wrong-draft-bonus").reason.find("has the rule's law") !=
        std::string::npos);
  REQUIRE_FALSE(suite.added.empty());
  std::string longer = kFirstToken;
  std::size_t shown = 0;
  for (const AddedCase& each : suite.added) {
    longer += each.line + "\n";
    shown += each.shows.size();
  }
  CHECK(suite.seen() + shown + suite.nowhere.size() == suite.faults.size());
  const AdequacyReport again = adequacy(read(longer), options);
  const AdequacySuite& fixed = again.suites.front();
  // wrong-late-residual reads the draft's row behind the last draft, which a line does not hold.
  CHECK_FALSE(fault_of(fixed, "wrong-late-residual").seen);
  CHECK(fixed.seen() + 1 == suite.seen() + shown);
  CHECK(fixed.added.size() == 1);
  CHECK(fixed.false_alarm.value < 1e-5);
}

TEST_CASE("a test that fails right implementations too does not find what it cannot see") {
  // Of 20,000 samples a share is never 1/3: whatever is tested fails.
  const std::string strict =
      R"({"suite": "s", "draft_probs": [["2/3","1/3"]], "target_probs": [["1/3","2/3"],["1/3","2/3"]], "samples": 20000, "statistic": "max-deviation", "threshold": 1e-9})"
      "\n";
  const AdequacyReport report = adequacy(read(strict), {});
  const AdequacySuite& suite = report.suites.front();
  CHECK(suite.false_alarm.value == 1);
  CHECK(fault_of(suite, "wrong-always-accept").seen);
  CHECK_FALSE(fault_of(suite, "wrong-draft-bonus").seen);
  CHECK_FALSE(report.adequate());
  // The reason is left out where another test can find the fault, however seldom.
  const std::string longer =
      R"({"suite": "s", "draft_probs": [["2/3","1/3"]], "target_probs": [["1/3","2/3"],["1/3","2/3"]], "samples": 10, "counts": "tokens", "statistic": "binomial", "level": 1e-6})"
      "\n";
  const AdequacyReport both = adequacy(read(strict + longer), {});
  const SuiteFault& bonus = fault_of(both.suites.front(), "wrong-draft-bonus");
  CHECK(bonus.reason.empty());
  CHECK(bonus.by == "line 2");
}

TEST_CASE("drafts that are given hide faults of the drafting") {
  const std::string given =
      R"({"draft_probs": [["2/3","1/3"]], "target_probs": [["1/3","2/3"],["1/3","2/3"]], "draft_tokens": [1], "samples": 1000, "counts": "tokens", "statistic": "binomial", "level": 1e-6})";
  const AdequacyReport report = adequacy(read(given), {});
  CHECK(fault_of(report.suites.front(), "wrong-greedy-draft").reason.find("drafting") !=
        std::string::npos);
}

TEST_CASE("a rule of many bytes is read whole, and a long name is shown in part") {
  const std::string rule = "lenient(l=1/1" + std::string(250, '0') + ")";
  std::string line = kFirstToken;
  line.insert(1, fmt::format(R"("rule": "{}", "name": "{}", )", rule, rule));
  const AdequacyCase made = read(line).front();
  CHECK(made.rule == rule);
  CHECK(made.name.size() < rule.size());
}

TEST_CASE("lines that are no cases are refused with their place") {
  const std::string rows =
      R"("draft_probs": [["2/3","1/3"]], "target_probs": [["1/3","2/3"],["1/3","2/3"]], "samples": 10)";
  const auto with = [&rows](const std::string& more) { return "{" + rows + ", " + more + "}"; };
  for (
      const auto& [text, wanted] : std::vector<std::pair<std::string, std::string>>{
          {"", "is empty; give one case a line"},
          {"hello", "line 1: it is not one JSON object"},
          {"[1]", "line 1: it is not one JSON object"},
          {"\n\n{}", "line 3: it lacks the key \"samples\""},
          {with(R"("statistics": "tv")"), "did you mean 'statistic'"},
          {with(R"("statistic": "chi")"), "statistic 'chi' is none of"},
          {with(R"("statistic": "tv", "sigmas": 5)"), "statistic tv takes threshold"},
          {with(R"("threshold": 1, "level": 0.1)"), "takes threshold, sigmas or level; give it"},
          {with(R"("level": 2)"), "level is 2; give a number above 0 and below 1"},
          {with(R"("level": 0.1, "least_expected": -1)"),
           "least_expected is -1; give a number of at least 0 and below 1e+300"},
          {with(R"("level": 0.1, "counts": 3)"), "counts is 3; give a position from 1 to 2"},
          {with(R"("level": 0.1, "rule": "tokn")"), "tokn"},
          {with(R"("level": 0.1, "draft_tokens": [0, 1])"), "draft_tokens is not of the 1 tokens"},
          {with(R"("level": 0.1, "draft_tokens": [2])"), "draft_tokens has 2; give tokens"},
          {with(R"x("level": 0.1, "rule": "rrs(K=2)", "draft_tokens": [0])x"), "takes 2"},
          {with(R"("statistic": "order")"), "it lacks the key \"order\""},
          {with(R"("statistic": "order", "order": [[1, 0]], "counts": "tokens")"),
           "statistic order compares counts of tokens"},
          {with(R"("statistic": "order", "order": [[1, 0]], "counts": "accepted")"),
           "statistic order compares counts of tokens"},
          {R"({"draft_probs": [[0.5, 0.75]], "target_probs": [[1,0],[1,0]], "samples": 1, "level": 0.1})",
           "sums to 1.25"},
          {R"({"draft_probs": [[1, 0]], "target_probs": [[1,0]], "samples": 1, "level": 0.1})",
           "give one row more"},
          {R"({"draft_probs": [[1, 0]], "target_probs": [[1,0],[1,0]], "samples": 0, "level": 0.1})",
           "samples is 0"},
          {R"({"draft_probs": [[1, 0]], "target_probs": [[1,0],[1,0]], "samples": 1, "level": 0.1, "draft_tokens": [1]})",
           "the draft cannot draw it"}}) {
    CAPTURE(text);
    CHECK_THAT(refused(text), Containing(wanted));
  }
}

}  // namespace
}  // namespace speclab::adequacy_test
