// What an audit says beside its findings: summaries, hints that fit everything, single cases, the
// smallest faults that it would have found.
#include <algorithm>

#include "audit/audit.h"
#include "audit/document.h"
#include "base/error.h"
#include "catch.h"
#include "report/report.h"
#include "right_and_wrong.h"

namespace speclab::hints_test {
namespace {

const DecisionSummary& summary(const AuditReport& report, DecisionKind kind) {
  const auto found = std::find_if(report.summary.begin(), report.summary.end(),
                                  [&](const auto& each) { return each.kind == kind; });
  REQUIRE(found != report.summary.end());
  return *found;
}

const SmallestFault& smallest(const AuditReport& report, const std::string& fault) {
  const auto found = std::find_if(report.smallest.begin(), report.smallest.end(),
                                  [&](const auto& each) { return each.fault == fault; });
  REQUIRE(found != report.smallest.end());
  return *found;
}

TEST_CASE("the summary counts the cases of each kind of decision") {
  const AuditReport right = audited({.rule = "token"}, {});
  for (const DecisionSummary& each : right.summary) CHECK(each.wrong == 0);
  CHECK(summary(right, DecisionKind::accepted_length).cases == right.cases.size());
  const AuditReport wrong = audited({.rule = "token"}, {.draft_bonus = true});
  CHECK(summary(wrong, DecisionKind::bonus).wrong > 5);
  CHECK(summary(wrong, DecisionKind::bonus).wrong <= summary(wrong, DecisionKind::bonus).cases);
  CHECK(summary(wrong, DecisionKind::accepted_length).wrong == 0);
  CHECK(summary(wrong, DecisionKind::correction).wrong == 0);
  const std::string text = render(audit_document(wrong), Format::table);
  CHECK_THAT(text, Containing("accepted lengths right in 28 of 28 cases; corrections right in "));
  CHECK_THAT(text, Containing("bonus\n      wrong in ") || Containing("bonus wrong in "));
}

TEST_CASE("a fault at the edge of what is said to be found is found, and a smaller one is not") {
  const AuditReport right = audited({.rule = "token"}, {});
  REQUIRE(right.passed());
  const SmallestFault& bonus = smallest(right, "bonus tokens from t^a");
  REQUIRE(bonus.seen.starts_with("a = "));
  const double found = std::stod(bonus.seen.substr(4));
  const AuditReport wrong = audited({.rule = "token"}, {.bonus_power = found});
  CHECK_FALSE(wrong.passed());
  for (const AuditFinding& finding : wrong.findings) CHECK(finding.kind == DecisionKind::bonus);
  CHECK(wrong.smallest.empty());
  CHECK(audited({.rule = "token"}, {.bonus_power = 1.01}).passed());
  // More decisions find less.
  const AuditReport more = audited({.rule = "token", .decisions = 3'000'000}, {});
  CHECK(more.trials >= 3'000'000);
  CHECK(std::stod(smallest(more, "bonus tokens from t^a").seen.substr(4)) < found);
}

TEST_CASE("one case is asked with the seeds that it has in the whole audit") {
  const PlainToken token{.whole_target = true};
  const AuditReport whole = audited({.rule = "token"}, token);
  const AuditFinding& first = whole.findings.front();
  const auto of = std::find_if(whole.cases.begin(), whole.cases.end(),
                               [&](const AuditCase& each) { return each.name == first.case_name; });
  const AuditReport alone = audited({.rule = "token", .only = {of->number}}, token);
  REQUIRE(alone.cases.size() == 1);
  CHECK(alone.trials == of->trials);
  // Its power is of this case, and not of those that are not asked.
  CHECK(alone.shown.size() >= of->shows.size());
  CHECK(alone.shown.size() + alone.unseen.size() == whole.shown.size() + whole.unseen.size());
  CHECK(alone.shown.size() < whole.shown.size());
  REQUIRE_FALSE(alone.findings.empty());
  CHECK(alone.findings.front().case_name == first.case_name);
  REQUIRE(alone.findings.front().counts.size() == first.counts.size());
  for (std::size_t i = 0; i < first.counts.size(); ++i) {
    CHECK(alone.findings.front().counts[i].seen == first.counts[i].seen);
    CHECK(alone.findings.front().counts[i].law == first.counts[i].law);
  }
  CHECK_THROWS_AS(audited({.rule = "token", .only = {999}}, token), UsageError);
  const std::string text = render(
      audit_document(whole, {}, [](int number) { return "again " + std::to_string(number); }),
      Format::table);
  CHECK_THAT(text, Containing("again " + std::to_string(of->number) + "\n"));
  CHECK_THAT(text, Containing("correction  ") && Containing("law") && Containing("seen"));
  CHECK_THAT(text, Containing("every wrong correction or bonus fits t\n"));
  CHECK_THAT(text, Containing("no known fault fits every finding"));
}

TEST_CASE("a hint fits every finding or is not given") {
  const AuditReport zero = audited({.rule = "token"}, {.token_zero = true});
  CHECK(std::find(zero.fitting.begin(), zero.fitting.end(), "wrong-token-zero") !=
        zero.fitting.end());
  for (const AuditFinding& finding : zero.findings) {
    CHECK(finding.resembles == zero.fitting.front());
  }
  // Two faults at once: no single law of corrections fits both.
  const AuditReport both = audited({.rule = "token"}, {.draft_bonus = true, .whole_target = true});
  CHECK(both.readings.empty());
  for (const AuditFinding& finding : both.findings) {
    CHECK(finding.detail.find("it fits") == std::string::npos);
  }
}

TEST_CASE("a program that ignores the numbers that it is given is one finding") {
  const AuditOptions options{.rule = "token", .mode = AuditMode::uniforms};
  const AuditReport own = audited(options, {.own_numbers = true});
  REQUIRE(own.findings.size() == 1);
  CHECK_THAT(own.findings.front().detail, Containing("does not use the numbers"));
  // One that uses them wrongly has all its findings.
  const AuditReport wrong = audited(options, {.draft_bonus = true});
  CHECK(wrong.findings.size() > 5);
  CHECK(wrong.findings.front().detail.find("does not use") == std::string::npos);
}

}  // namespace
}  // namespace speclab::hints_test
