// What `verify` prints, from made-up results.
#include "claims/document.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "report/report.h"

namespace speclab::verdicts_test {
namespace {

constexpr ClaimRow kRow{.id = "paper.lemma1",
                        .source = "paper Lemma 1",
                        .statement = "a < b | c",
                        .hypotheses = "none",
                        .recorded = ClaimVerdict::refuted};

VerdictReport report(ClaimVerdict verdict) {
  ClaimResult result;
  result.verdict = verdict;
  result.evidence = {{"iid(draft=[1],target=[1])", Method::exact, "gamma=1: 1 > 0 & more"}};
  result.instances = 3;
  return {{{&kRow, result}}, {}, false, ""};
}

TEST_CASE("json has the documented keys in order") {
  const auto text = render(verdict_document(report(ClaimVerdict::refuted)), Format::json);
  const auto claim = nlohmann::ordered_json::parse(text)["claims"][0];
  std::vector<std::string> keys;
  for (const auto& item : claim.items()) keys.push_back(item.key());
  CHECK(keys == std::vector<std::string>{"id", "source", "statement", "hypotheses", "verdict",
                                         "recorded", "instances", "comparisons", "tests",
                                         "least_power", "evidence"});
  CHECK(claim["verdict"] == "refuted");
  CHECK(claim["evidence"][0]["method"] == "exact");
}

TEST_CASE("a proof says for which pairs and on how many cells in every format") {
  VerdictReport proved = report(ClaimVerdict::holds);
  auto& evidence = proved.claims.front().result.evidence;
  evidence.insert(evidence.begin(), {"all iid pairs of 2 tokens, gamma 2", Method::proof,
                                     "proved for all pairs, token lossless: 7 cells", 7});
  const auto claim =
      nlohmann::ordered_json::parse(render(verdict_document(proved), Format::json))["claims"][0];
  CHECK(claim["evidence"][0]["method"] == "proof");
  CHECK(claim["evidence"][0]["cells"] == 7);
  CHECK_FALSE(claim["evidence"][1].contains("cells"));
  const auto has = [&](Format format, const char* text) {
    return render(verdict_document(proved), format).find(text) != std::string::npos;
  };
  CHECK(has(Format::table, "  pe\n"));
  CHECK(has(Format::table, "all iid pairs of 2 tokens, gamma 2: proved for all pairs"));
  CHECK(has(Format::junit, "[proof] all iid pairs of 2 tokens, gamma 2: proved"));
  CHECK(has(Format::csv, "proof,\"proved for all pairs, token lossless: 7 cells\""));
  CHECK(has(Format::markdown, "; proved on 7 cells of all pairs of a size"));
  static constexpr ClaimRow kTrue{.id = "paper.lemma3",
                                  .source = "paper",
                                  .statement = "a < b",
                                  .hypotheses = "none",
                                  .recorded = ClaimVerdict::holds};
  proved.claims.front().row = &kTrue;
  CHECK(has(Format::table, "  pe\n    all iid pairs of 2 tokens, gamma 2: proved"));
  CHECK_FALSE(has(Format::table, "1 > 0 & more"));
  evidence.front().cells.reset();  // it could not be made
  CHECK_FALSE(has(Format::table, "  pe\n"));
  CHECK_FALSE(has(Format::markdown, "proved on"));
}

TEST_CASE("a verdict that differs from the record is a surprise and a JUnit failure") {
  CHECK(surprises(report(ClaimVerdict::refuted)).empty());
  const auto lines = surprises(report(ClaimVerdict::holds));
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().starts_with(
      "paper.lemma1: the evidence says holds, the record refuted: iid(draft=[1],target=[1]): "));
  const auto good = render(verdict_document(report(ClaimVerdict::refuted)), Format::junit);
  CHECK(good.find("tests=\"1\" failures=\"0\"") != std::string::npos);
  CHECK(good.find("<failure") == std::string::npos);
  CHECK(good.find("1 &gt; 0 &amp; more") != std::string::npos);
  const auto bad = render(verdict_document(report(ClaimVerdict::holds)), Format::junit);
  CHECK(bad.find("failures=\"1\"") != std::string::npos);
  CHECK(bad.find("<failure message=\"paper.lemma1: the evidence says holds") != std::string::npos);
}

TEST_CASE("a control that survives is a surprise, and so is a false alarm") {
  VerdictReport both;
  both.with_controls = true;
  ControlOutcome survivor;
  survivor.verifier = "wrong-x";
  survivor.wrong = true;
  ControlOutcome alarm;
  alarm.verifier = "token";
  alarm.failures = {{"no 0/0", "iid", Method::exact, "gamma=1", 1}};
  both.controls = {survivor, alarm};
  CHECK(surprises(both).size() == 2);
  const auto text = render(verdict_document(both), Format::table);
  CHECK(text.find("survives") != std::string::npos);
  CHECK(text.find("false alarm") != std::string::npos);
  // Of a plugin's verifier the battery is right, and the verifier fails.
  both.controls[1].own = true;
  CHECK_THAT(render(verdict_document(both), Format::table),
             Containing(" fails\n") && !Containing("false alarm"));
}

TEST_CASE("markdown escapes a bar and keeps a claim on one line") {
  const auto text = render(verdict_document(report(ClaimVerdict::refuted)), Format::markdown);
  CHECK(text.find("a < b \\| c") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

/// A control of every outcome: rejected by two properties, one that survives, a right verifier that
/// passes and one with a false alarm.
VerdictReport with_controls(VerdictReport made) {
  made.with_controls = true;
  const PropertyFailure law{"joint law of the output", "iid|x", Method::exact, "TV 1/9 > 0", 1};
  const PropertyFailure tail{"tail", "iid", Method::simulation, "too few", 0.75};
  const auto control = [&](const char* name, bool wrong, std::vector<PropertyFailure> failures) {
    ControlOutcome outcome;
    outcome.verifier = name;
    outcome.fault = wrong ? "adds | drops" : "";
    outcome.wrong = wrong;
    outcome.failures = std::move(failures);
    made.controls.push_back(std::move(outcome));
  };
  control("wrong-x", true, {law, tail});
  control("wrong-y", true, {});
  control("token", false, {});
  control("block", false, {tail});
  return made;
}

TEST_CASE("a correction is printed in every format for people and beside the verdict in JSON") {
  static constexpr ClaimRow kCorrected{.id = "paper.lemma2",
                                       .source = "paper Lemma 2",
                                       .statement = "a < b",
                                       .hypotheses = "none",
                                       .recorded = ClaimVerdict::holds_with_correction,
                                       .correction = {"for gamma >= 2"}};
  VerdictReport corrected = report(ClaimVerdict::holds_with_correction);
  corrected.claims.front().row = &kCorrected;
  CHECK_THAT(render(verdict_document(corrected), Format::table),
             Containing("iid(draft=[1],target=[1]): gamma=1: 1 > 0 & more\n"
                        "    correction: for gamma >= 2\n"));
  CHECK_THAT(render(verdict_document(corrected), Format::markdown),
             Containing("| correction: for gamma >= 2; iid(draft=[1],target=[1]): gamma=1"));
  const auto claim =
      nlohmann::ordered_json::parse(render(verdict_document(corrected), Format::json))["claims"][0];
  CHECK(claim["correction"] == "for gamma >= 2");
  CHECK_FALSE(claim.contains("repaired_by"));
}

TEST_CASE("what repairs a refuted statement is shown in every format") {
  static constexpr ClaimRow kRepaired{.id = "paper.theorem1",
                                      .source = "paper Theorem 1",
                                      .statement = "the output has the target's law",
                                      .hypotheses = "K >= 2",
                                      .recorded = ClaimVerdict::refuted,
                                      .correction = {"block", {}, {}, Amends::by_replacement}};
  VerdictReport repaired = report(ClaimVerdict::refuted);
  repaired.claims.front().row = &kRepaired;
  CHECK_THAT(render(verdict_document(repaired), Format::table),
             Containing("\n    repaired by: block\n"));
  CHECK_THAT(render(verdict_document(repaired), Format::markdown),
             Containing("| K >= 2 | refuted | exact | repaired by: block; iid("));
  const auto claim =
      nlohmann::ordered_json::parse(render(verdict_document(repaired), Format::json))["claims"][0];
  CHECK(claim["repaired_by"] == "block");
  CHECK_FALSE(claim.contains("correction"));
  CHECK(surprises(repaired).empty());
  // A repair that an instance violates is not as recorded.
  repaired.claims.front().result.amended_violated = true;
  CHECK(surprises(repaired).size() == 1);
}

TEST_CASE("a claim without evidence is printed without a first one") {
  VerdictReport bare = report(ClaimVerdict::refuted);
  bare.claims.front().result.evidence.clear();
  CHECK_THAT(render(verdict_document(bare), Format::markdown), Containing("| refuted |  |  |\n"));
  CHECK_THAT(render(verdict_document(bare), Format::table),
             Containing("refuted") && !Containing("\n    "));
  CHECK(render(verdict_document(bare), Format::csv) ==
        "kind,id,source,verdict,recorded,pair,method,detail\n");
}

TEST_CASE("a proof that refutes a claim stands once in its lines and counts no cells") {
  VerdictReport refuted = report(ClaimVerdict::refuted);
  auto& evidence = refuted.claims.front().result.evidence;
  evidence = {{"all pairs of 2 tokens", Method::proof, "false for all pairs: 7 cells", 7},
              {"all pairs of 3 tokens", Method::proof, "proved: 9 cells", 9}};
  const std::string text = render(verdict_document(refuted), Format::table);
  CHECK_THAT(text, Containing("    all pairs of 2 tokens: false for all pairs: 7 cells\n"
                              "    all pairs of 3 tokens: proved: 9 cells\n\n"));
  CHECK_THAT(render(verdict_document(refuted), Format::markdown), !Containing("proved on"));
}

TEST_CASE("CSV has a row a failure of a control and one row for a control that nothing rejects") {
  CHECK(render(verdict_document(with_controls({})), Format::csv) ==
        "kind,id,source,verdict,recorded,pair,method,detail\n"
        "control,wrong-x,joint law of the output,rejected,rejected,iid|x,exact,TV 1/9 > 0\n"
        "control,wrong-x,tail,rejected,rejected,iid,simulation,too few\n"
        "control,wrong-y,,survives,rejected,,,\n"
        "control,token,,passes,passes,,,\n"
        "control,block,tail,false alarm,passes,iid,simulation,too few\n");
}

TEST_CASE("JUnit has a test case a control, which fails where the control surprises") {
  const std::string text =
      render(verdict_document(with_controls(report(ClaimVerdict::refuted))), Format::junit);
  CHECK_THAT(text, Containing("tests=\"5\" failures=\"2\">"));
  CHECK_THAT(text, Containing("  <testcase classname=\"controls\" name=\"wrong-x\">\n"
                              "   <system-out>rejected\njoint law of the output [exact, power 1]: "
                              "iid|x, TV 1/9 &gt; 0\ntail [simulation, power 0.75]: iid, too few\n"
                              "</system-out>"));
  CHECK_THAT(text, Containing("   <failure message=\"wrong-y: the control survives; no property "
                              "rejects it\"/>\n   <system-out>survives\n"));
  CHECK_THAT(text, Containing("<failure message=\"block: a right verifier fails 'tail'"));
  CHECK_THAT(text, Containing("name=\"token\">\n   <system-out>passes\n"));
}

TEST_CASE("markdown has a row a control that is wrong or surprises and counts the right ones") {
  const std::string both =
      render(verdict_document(with_controls(report(ClaimVerdict::refuted))), Format::markdown);
  CHECK_THAT(both, Containing("more |\n\n| Control | Fault | Verdict | Rejected by |\n"));
  const std::string text = render(verdict_document(with_controls({})), Format::markdown);
  CHECK(text ==
        "| Control | Fault | Verdict | Rejected by |\n|---|---|---|---|\n"
        "| `wrong-x` | adds \\| drops | rejected | joint law of the output [exact, power 1]: "
        "iid\\|x, TV 1/9 > 0; and by 1 more |\n"
        "| `wrong-y` | adds \\| drops | survives |  |\n"
        "| `block` |  | false alarm | tail [simulation, power 0.75]: iid, too few |\n"
        "\nThe same battery passes 1 right verifiers.\n");
}

TEST_CASE("the table of claims and controls keeps them apart and counts both") {
  const std::string text =
      render(verdict_document(with_controls(report(ClaimVerdict::refuted))), Format::table);
  CHECK_THAT(text,
             Containing("& more\n\nwrong-x                           rejected\n    joint law"));
  CHECK_THAT(text, Containing("\n1 claim, 1 as recorded; 4 verifiers under control, 2 as meant\n"));
  CHECK_THAT(render(verdict_document(report(ClaimVerdict::holds)), Format::table),
             Containing("holds (on record: refuted)"));
}

TEST_CASE("an interrupted verify is no clean run") {
  VerdictReport none;
  none.partial = "interrupted after 54 of 132 checks";
  CHECK_THAT(render(verdict_document(none), Format::table), Containing(none.partial));
  CHECK_THAT(
      render(verdict_document(none), Format::junit),
      Containing("tests=\"1\" failures=\"0\" errors=\"1\"") && Containing("classname=\"verify\""));
}

}  // namespace
}  // namespace speclab::verdicts_test
