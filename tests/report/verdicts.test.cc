// What `verify` prints, from made-up results.
#include "report/verdicts.h"

#include <nlohmann/json.hpp>

#include "catch.h"

namespace speclab {
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
  return {{{&kRow, result, 1.25}}, {}, false, ""};
}

TEST_CASE("json has the documented keys in order") {
  const auto text = render(report(ClaimVerdict::refuted), VerdictFormat::json);
  const auto claim = nlohmann::ordered_json::parse(text)["claims"][0];
  std::vector<std::string> keys;
  for (const auto& item : claim.items()) keys.push_back(item.key());
  CHECK(keys == std::vector<std::string>{"id", "source", "statement", "verdict", "recorded",
                                         "instances", "comparisons", "tests", "least_power",
                                         "evidence"});
  CHECK(claim["verdict"] == "refuted");
  CHECK(claim["evidence"][0]["method"] == "exact");
  CHECK(text.find("1.25") == std::string::npos);
}

TEST_CASE("a proof says for which pairs and on how many cells in every format") {
  VerdictReport proved = report(ClaimVerdict::holds);
  auto& evidence = proved.claims.front().result.evidence;
  evidence.insert(evidence.begin(), {"all iid pairs of 2 tokens, gamma 2", Method::proof,
                                     "proved for all pairs, token lossless: 7 cells", 7});
  const auto claim =
      nlohmann::ordered_json::parse(render(proved, VerdictFormat::json))["claims"][0];
  CHECK(claim["evidence"][0]["method"] == "proof");
  CHECK(claim["evidence"][0]["cells"] == 7);
  CHECK_FALSE(claim["evidence"][1].contains("cells"));
  const auto has = [&](VerdictFormat format, const char* text) {
    return render(proved, format).find(text) != std::string::npos;
  };
  CHECK(has(VerdictFormat::table, "proof, exact"));
  CHECK(has(VerdictFormat::table, "all iid pairs of 2 tokens, gamma 2: proved for all pairs"));
  CHECK(has(VerdictFormat::junit, "[proof] all iid pairs of 2 tokens, gamma 2: proved"));
  CHECK(has(VerdictFormat::csv, "proof,\"proved for all pairs, token lossless: 7 cells\""));
  CHECK(has(VerdictFormat::markdown, "; proved on 7 cells of all pairs of a size"));
  evidence.front().cells.reset();  // it could not be made
  CHECK_FALSE(has(VerdictFormat::table, "proof, exact"));
  CHECK_FALSE(has(VerdictFormat::markdown, "proved on"));
}

TEST_CASE("a verdict that differs from the record is a surprise and a JUnit failure") {
  CHECK(surprises(report(ClaimVerdict::refuted)).empty());
  const auto lines = surprises(report(ClaimVerdict::holds));
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().starts_with(
      "paper.lemma1: the evidence says holds, the record refuted: iid(draft=[1],target=[1]): "));
  const auto good = render(report(ClaimVerdict::refuted), VerdictFormat::junit);
  CHECK(good.find("tests=\"1\" failures=\"0\"") != std::string::npos);
  CHECK(good.find("<failure") == std::string::npos);
  CHECK(good.find("1 &gt; 0 &amp; more") != std::string::npos);
  const auto bad = render(report(ClaimVerdict::holds), VerdictFormat::junit);
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
  const auto text = render(both, VerdictFormat::table);
  CHECK(text.find("survives") != std::string::npos);
  CHECK(text.find("false alarm") != std::string::npos);
}

TEST_CASE("markdown escapes a bar and keeps a claim on one line") {
  const auto text = render(report(ClaimVerdict::refuted), VerdictFormat::markdown);
  CHECK(text.find("a < b \\| c") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

}  // namespace
}  // namespace speclab
