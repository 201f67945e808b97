// `speclab list`: a line a row, filters, everything with --long, typed JSON.
#include <algorithm>
#include <set>
#include <sstream>

#include "refused.h"

namespace speclab::list_test {
namespace {

std::vector<std::string> lines(const auto&... words) {
  const Finished done = succeeds(words...);
  std::vector<std::string> all;
  std::istringstream text(done.out);
  for (std::string line; std::getline(text, line);) all.push_back(line);
  return all;
}

TEST_CASE("a list has a line a row that fits the page, and everything with --long") {
  for (const char* what : {"pairs", "filters", "verifiers", "engines", "predictions", "formulas",
                           "claims", "experiments", "quantities", "columns", "papers", "faults",
                           "implications", "proofs", "theorems"}) {
    CAPTURE(what);
    const auto shown = lines("list", what);
    const auto json = speclab_run("list", what, "--format json").json();
    REQUIRE(json[what].is_array());
    CHECK(shown.size() == json[what].size());
    for (const std::string& line : shown) CHECK(line.size() <= 80);
    CHECK(lines("list", what, "--long").size() > shown.size());
    for (const char* format : {"csv", "markdown"}) {
      CHECK(!lines("list", what, "--format", format).empty());
    }
    for (const auto& row : json[what]) {
      for (const auto& [key, value] : row.items()) {
        CHECK(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
      }
    }
  }
  for (const char* format : {"table", "csv", "markdown"}) {
    CHECK(!lines("list commands --format", format).empty());
  }
  CHECK(speclab_run("list commands --format json").json()["commands"].is_array());
  const auto claim = speclab_run("list claims --format json").json()["claims"][0];
  CHECK(claim["instances"].is_number());
  for (const char* key : {"checked_on", "planted_faults", "machine_checked"}) {
    CAPTURE(key);
    CHECK(claim[key].is_array());
  }
  CHECK(speclab_run("list quantities --format json").json()["quantities"][0]["index"].is_null());
  CHECK(
      speclab_run("list verifiers --format json").json()["verifiers"][0].contains("what_it_does"));
}

TEST_CASE("what the zoo shows is in fields") {
  const auto rows = [](const char* what) {
    return speclab_run("list", what, "--format json").json()[what];
  };
  const auto row_of = [&](const char* what, const char* key, const std::string& value) {
    for (const auto& row : rows(what)) {
      if (row[key] == value) return row;
    }
    FAIL(what << " has no " << value);
    throw std::logic_error("unreachable");
  };
  const auto fault = row_of("faults", "fault", "wrong-drawn-draft(by=rounded)");
  CHECK(fault["right_verifier"] == "token");
  CHECK(fault["tv"] == "637/204800");
  CHECK(fault["gamma"] == 1);
  CHECK(row_of("verifiers", "name", "wrong-without-replacement")["right_verifier"] == "batch");
  CHECK(row_of("verifiers", "name", "block")["steps"].size() == 4);
  CHECK(row_of("engines", "option", "rejection_sample_method=block")["verifier"] == "block");
  const auto claim = row_of("claims", "claim", "lin2026.theorem4.2");
  CHECK(claim["paper"] == "lin2026");
  CHECK(claim["counterexample_pair"].is_string());
  const auto item = row_of("papers", "item", "Algorithm 2");
  CHECK(item["authors"] == "Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh");
  CHECK(item["title"] == "Block Verification Accelerates Speculative Decoding");
  CHECK(item["year"] == "2025");
  CHECK(item["verifiers"][0] == "block");
  CHECK(item["claims"].size() == 2);
  const auto proof = row_of("proofs", "claim", "sun2025.theorem2.token");
  CHECK(proof["property"] == "at-least");
  CHECK(proof["other_verifier"] == "token");
  CHECK(row_of("theorems", "theorem", "theorem2_refuted")["refutes"] == true);
}

TEST_CASE("words choose rows, and a paper its own") {
  CHECK_THAT(speclab_run("list verifiers").out, Containing("greedy-block"));
  const auto blocks = lines("list verifiers block");
  CHECK(blocks.size() > 3);
  for (const std::string& line : blocks) CHECK(line.find("block") != std::string::npos);
  const auto second = lines("list claims theorem2");
  CHECK(second.size() >= 2);
  for (const std::string& line : second) CHECK(line.find("theorem2") != std::string::npos);
  const auto sun = lines("list claims --paper sun2025");
  CHECK(sun.size() > 5);
  for (const std::string& line : sun) CHECK(line.starts_with("sun2025."));
  const auto both = lines("list claims theorem2 --paper sun2025");
  CHECK(both.size() >= 2);
  for (const std::string& line : both) {
    CHECK((line.starts_with("sun2025.") && line.find("theorem2") != std::string::npos));
  }
  // A word of a row that no name has.
  CHECK(lines("list verifiers SpecTr").size() >= 1);
  const auto csv = lines("list verifiers block --format csv");
  CHECK(csv.size() == blocks.size() + 1);
  refuses(argv("list verifiers xyzzy"), 2, "no row of verifiers has 'xyzzy'");
  refuses(argv("list claims appendixA --paper sun2023"), 2,
          "no row of claims that has 'appendixA' is of the paper sun2023");
  CHECK(speclab_run("list claims --paper sun2052").code == 2);
}

TEST_CASE("a line of a paper's statement begins with the paper") {
  std::set<std::string> seen;
  for (const std::string& line : lines("list papers")) seen.insert(line.substr(0, 9));
  CHECK(seen.contains("sun2025  "));
  CHECK(seen.contains("yin2024  "));
}

TEST_CASE("a claim is named by the beginning of its id") {
  const auto ids = [](const std::string& claim) {
    const Finished done = succeeds("verify --claim", claim, "--quick --format json");
    std::vector<std::string> all;
    const auto json = done.json();
    for (const auto& each : json["claims"]) all.push_back(each["id"]);
    return all;
  };
  const auto one = ids("sun2025.theorem1");
  const auto all = ids("sun2025.theorem");
  CHECK(all.size() > one.size());
  for (const std::string& id : all) CHECK(id.starts_with("sun2025.theorem"));
  CHECK(speclab_run("verify --claim sun2025.thorem --quick").code == 2);
}

}  // namespace
}  // namespace speclab::list_test
