// What `audit` prints, from made-up results.
#include "audit/document.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "occurrences.h"
#include "report/report.h"

namespace speclab::audit_test {
namespace {

AuditReport report(bool pass) {
  AuditReport made;
  made.rule = "block";
  made.seed = 3;
  made.trials = 4000;
  made.false_alarm = 1e-9;
  made.least_power = 0.9999999;
  AuditCase first;
  first.name = "case 1";
  first.pair = R"({"vocabulary":2,"kind":"iid","draft":["1/2","1/2"],"target":["1/4","3/4"]})";
  first.vocabulary = 2;
  first.gamma = 2;
  first.drafted = {{0, 1}};
  first.trials = 1000;
  first.shows = {"wrong-x"};
  AuditCase second = first;
  second.name = "case 2";
  second.drafted = {};
  second.trials = 3000;
  made.cases = {first, second};
  made.shown = {"wrong-x"};
  made.unseen = {{"wrong-y", "it decides as the rule does"}};
  if (pass) return made;
  made.findings = {{"case 2", "accepted length after draft (0,1)", "1 < 2 & \x1b[31m | worse", 0.25,
                    0, "wrong-x"},
                   {"case 2", "bonus", "half, of them", 0.5, 1e-12, ""}};
  return made;
}

TEST_CASE("audit: json has the documented keys in order") {
  const auto json =
      nlohmann::ordered_json::parse(render(audit_document(report(false)), Format::json));
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  CHECK(keys == std::vector<std::string>{"schema", "rule", "mode", "seed", "verdict", "trials",
                                         "false_alarm", "least_power", "share_of_optimum", "cases",
                                         "findings", "shown", "unseen", "summary", "fitting",
                                         "smallest", "distances"});
  CHECK(json["verdict"] == "fail");
  CHECK(json["mode"] == "verify");
  CHECK(json["false_alarm"] == 1e-9);
  CHECK(json["least_power"] == 0.9999999);
  CHECK(json["share_of_optimum"].is_null());
  CHECK(json["cases"][0]["pair"]["kind"] == "iid");
  CHECK(json["cases"][0]["drafted"] == nlohmann::ordered_json{{0, 1}});
  CHECK(json["findings"][0]["p_value"] == 0);
  CHECK(json["findings"][0]["resembles"] == "wrong-x");
  CHECK(json["findings"][1]["resembles"].is_null());
  CHECK(nlohmann::json::parse(render(audit_document(report(true)), Format::json))["verdict"] ==
        "pass");
}

TEST_CASE("audit: junit has a case each with its time and its failure") {
  const std::string good = render(audit_document(report(true)), Format::junit);
  CHECK(occurrences(good, "tests=\"2\" failures=\"0\"") == 1);
  CHECK(occurrences(good, "<failure") == 0);
  CHECK(occurrences(good, "time=") == 0);
  const std::string bad = render(audit_document(report(false), 8.0), Format::junit);
  CHECK(occurrences(bad, "tests=\"2\" failures=\"1\" time=\"8.000\"") == 1);
  CHECK(occurrences(bad, "name=\"case 1\" time=\"2.000\"") == 1);
  CHECK(occurrences(bad, "name=\"case 2\" time=\"6.000\"") == 1);
  CHECK(occurrences(bad, "<failure") == 1);
  CHECK(occurrences(bad, "1 &lt; 2 &amp; ?[31m | worse") == 2);
  CHECK(occurrences(bad, "half, of them") == 1);
}

TEST_CASE("audit: the table says what the verdict is worth") {
  const std::string text = render(audit_document(report(false)), Format::table);
  CHECK_THAT(text, Containing("block, mode verify, seed 3: fail\n"));
  CHECK_THAT(text, Containing("2 cases, 4000 decisions"));
  CHECK_THAT(text, Containing("fails with probability at most 1e-09"));
  CHECK_THAT(text,
             Containing("each of 1 known faults is found with probability at least 1 - 1.0e-07\n"));
  CHECK_THAT(text, Containing("1e-300)\n"));
  CHECK_THAT(text, Containing("p = 1e-12)\n"));
  CHECK_THAT(text, Containing("wrong-y: it decides as the rule does"));
  AuditReport exact = report(true);
  exact.false_alarm = 0;
  exact.least_power = std::nullopt;
  exact.shown.clear();
  exact.share_of_optimum = 0.875;
  const std::string other = render(audit_document(exact), Format::table);
  CHECK_THAT(other, Containing("nothing is left to chance"));
  exact.distances = {{DecisionKind::bonus, 0.01, 0.5}, {DecisionKind::dependence, 0.02, 0.02}};
  exact.smallest = {{"rows in bf16", "", "yes"}};
  const std::string seen = render(audit_document(exact), Format::markdown);
  CHECK_THAT(seen, Containing("bonus: a law at a distance (TV) of 0.5 is seen in every case"));
  CHECK_THAT(seen, Containing("up to 64 apart agree more often by 0.02\n"));
  CHECK_THAT(seen, Containing("the mode uniforms shows rounded rows"));
  CHECK_THAT(other, Containing("no known fault was checked against it"));
  CHECK_THAT(other, Containing("0.8750 of the most"));
}

/// Of so many cases, the fourth one with findings where it has any.
AuditReport many(int cases, bool pass) {
  AuditReport made = report(pass);
  const AuditCase each = made.cases.front();
  made.cases.assign(static_cast<std::size_t>(cases), each);
  for (int i = 0; i < cases; ++i) {
    AuditCase& made_case = made.cases[static_cast<std::size_t>(i)];
    made_case.number = i + 1;
    made_case.name = "case " + std::to_string(i + 1);
  }
  for (AuditFinding& finding : made.findings) finding.case_name = "case 4";
  return made;
}

TEST_CASE("audit: of many cases the table shows those with findings and counts the others") {
  const std::string bad = render(audit_document(many(41, false)), Format::table);
  CHECK_THAT(bad, Containing("\n     4 ") && !Containing("\n     5 "));
  CHECK_THAT(bad, Containing("\n  and 40 cases without a finding\n"));
  const std::string good = render(audit_document(many(41, true)), Format::table);
  CHECK_THAT(good, Containing("\n\n  41 cases without a finding\n") && !Containing("V  gamma"));
  const std::string few = render(audit_document(many(40, true)), Format::table);
  CHECK_THAT(few, Containing("\n    40 ") && !Containing("without a finding"));
}

TEST_CASE("audit: every case with a finding has the command that asks it again") {
  AuditReport five = many(5, false);
  five.findings.clear();
  for (const AuditCase& each : five.cases) {
    five.findings.push_back({each.name, "bonus", "off", 0.5, 1e-12, ""});
  }
  const RerunCommand rerun = [](int number) {
    return "speclab audit --case " + std::to_string(number);
  };
  const std::string text = render(audit_document(five, {}, rerun), Format::table);
  for (const AuditCase& each : five.cases) {
    CHECK_THAT(text, Containing("      speclab audit --case " + std::to_string(each.number)));
  }
  // The laws of the first three stand beside them.
  CHECK(occurrences(text, "  after  draft") == 3);
}

TEST_CASE("audit: a law that underflows is reported, with its case") {
  AuditReport small = report(true);
  CHECK_THAT(render(audit_document(small), Format::table), !Containing("underflow"));
  small.cases.front().underflowed = 2;
  CHECK_THAT(render(audit_document(small), Format::table),
             Containing("case 1: its law underflows: 2 possible outcomes of probability"));
}

TEST_CASE("audit: known faults that are found with no power known are counted") {
  AuditReport counted = report(true);
  counted.least_power = std::nullopt;
  CHECK_THAT(render(audit_document(counted), Format::table),
             Containing("\n  known faults that are found: 1\n"));
}

TEST_CASE("audit: what there is nothing of has no heading") {
  AuditReport bare = report(true);
  bare.unseen.clear();
  CHECK_THAT(render(audit_document(bare), Format::table),
             !Containing("cannot show") && !Containing("findings\n"));
  const std::string page = render(audit_document(bare), Format::markdown);
  CHECK_THAT(page, !Containing("cannot show") && !Containing("What is off"));
  CHECK_THAT(render(audit_document(report(false)), Format::markdown),
             Containing("| Case | Decision | What is off | TV | p | Fits |\n") &&
                 Containing("\nFaults that this audit cannot show:\n\n- `wrong-y`: it decides"));
}

TEST_CASE("audit: several chains of a case stand beside one another") {
  AuditReport two = report(true);
  two.cases.front().drafted = {{0, 1}, {1, 1}};
  CHECK_THAT(render(audit_document(two), Format::table), Containing("[0,1] [1,1]"));
}

TEST_CASE("audit: a time that no decision took is shared out to nobody") {
  AuditReport none = report(true);
  none.trials = 0;
  CHECK_THAT(render(audit_document(none, 8.0), Format::junit), !Containing("time="));
}

TEST_CASE("audit: markdown and csv keep their cells apart") {
  const std::string page = render(audit_document(report(false)), Format::markdown);
  CHECK_THAT(page, Containing("\\| worse"));
  CHECK(occurrences(page, "| case 2 |") == 3);
  const std::string csv = render(audit_document(report(false)), Format::csv);
  CHECK(occurrences(csv, "\n") == 4);
  CHECK_THAT(csv, Containing("block,verify,3,case 1,,,,,\n"));
  CHECK_THAT(csv, Containing("bonus,\"half, of them\",0.5,1e-12,\n"));
  CHECK_THAT(render(cases_document(report(true).cases), Format::table), Containing("[0,1]"));
  CHECK(nlohmann::json::parse(render(cases_document(report(true).cases), Format::json))["cases"]
            .size() == 2);
}

}  // namespace
}  // namespace speclab::audit_test
