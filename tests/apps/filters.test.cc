// Sampling filters from the command line: verifiers are lossless to the filtered target.
#include <map>

#include "apps/process.h"
#include "catch.h"

namespace speclab::filters_test {
namespace {

/// The exact answers of verifiers on a pair, with the joint law of three tokens.
nlohmann::json answers(const std::string& pair, const std::vector<std::string>& verifiers) {
  std::vector<std::string> words =
      argv("exact --pair", pair, "--gamma 2 --horizon 3 --law --format json");
  for (const std::string& verifier : verifiers) {
    words.insert(words.end(), {"--verifier", verifier});
  }
  return succeeds(words).json()["results"];
}

/// Probability by tokens, those of 0 left out.
std::map<std::string, std::string> law(const nlohmann::json& answer) {
  std::map<std::string, std::string> law;
  for (const auto& entry : answer["output"]["law"]) {
    const std::string probability = entry["probability"]["exact"];
    if (probability != "0") law[entry["tokens"].dump()] = probability;
  }
  return law;
}

const std::vector<std::string> kLossless{"token", "block", "greedy-block", "rrs(K=2)",
                                         "target-only(K=2)"};

TEST_CASE("verifiers are lossless to the filtered target whatever filters the draft") {
  const std::string laws = "iid(draft=[1/2,1/3,1/6],target=[1/5,1/2,3/10]";
  // By hand: top-k=2 of the target leaves (0, 5/8, 3/8), top-p=1/2 (0, 1, 0).
  const auto two = law(answers("iid(draft=[1,0,0],target=[0,5/8,3/8])", {"autoregressive"})[0]);
  const auto one = law(answers("iid(draft=[1,0,0],target=[0,1,0])", {"autoregressive"})[0]);
  REQUIRE(two.size() == 8);
  REQUIRE(one.size() == 1);
  for (const std::string draft : {"", ",draft-temperature=0", ",draft-top-p=3/5"}) {
    for (const auto& answer : answers(laws + draft + ",target-top-k=2)", kLossless)) {
      INFO(answer["pair"] << " " << answer["verifier"]);
      CHECK(answer["output"]["tv_to_target"]["exact"] == "0");
      CHECK(law(answer) == two);
    }
    for (const auto& answer : answers(laws + draft + ",target-top-p=1/2)", kLossless)) {
      CHECK(law(answer) == one);
    }
  }
  // A filter of the draft alone changes how much is accepted, not what comes out.
  const auto plain = answers(laws + ")", {"block"})[0];
  const auto greedy = answers(laws + ",draft-temperature=0)", {"block"})[0];
  CHECK(law(plain) == law(greedy));
  CHECK(plain["iteration"]["expected_accepted"] != greedy["iteration"]["expected_accepted"]);
  CHECK(law(plain) != two);
}

TEST_CASE("a pair filtered by spec text and the same pair filtered by hand answer alike") {
  const std::string spec =
      "iid(draft=[1/2,3/10,1/10,1/10],target=[1/10,4/10,2/10,3/10],min-p=1/2,draft-top-p=3/5,"
      "target-top-k=2)";
  // min-p leaves (5/8, 3/8, 0, 0) and (0, 4/9, 2/9, 3/9).
  const auto filtered = answers(spec, kLossless);
  const auto by_hand = answers("iid(draft=[1,0,0,0],target=[0,4/7,0,3/7])", kLossless);
  REQUIRE(filtered.size() == kLossless.size());
  for (std::size_t i = 0; i < filtered.size(); ++i) {
    CHECK(filtered[i]["pair"] != by_hand[i]["pair"]);
    for (const char* part : {"iteration", "output", "decode"}) {
      CHECK(filtered[i][part] == by_hand[i][part]);
    }
  }
}

TEST_CASE("laws that depend on the context are filtered in each") {
  for (const std::string filters :
       {"top-p=2/3", "target-top-k=2", "target-temperature=0", "temperature=1/2,min-p=1/4"}) {
    for (const auto& answer :
         answers("tree(vocabulary=3,depth=4,seed=2," + filters + ")", kLossless)) {
      INFO(answer["pair"] << " " << answer["verifier"]);
      CHECK(answer["output"]["tv_to_target"]["exact"] == "0");
    }
  }
}

}  // namespace
}  // namespace speclab::filters_test
