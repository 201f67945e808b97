// `speclab check`: a rule judged in one command.
#include <algorithm>
#include <set>

#include "catch.h"
#include "process.h"
#include "refused.h"

namespace speclab::check_test {
namespace {

nlohmann::json result_of(const Finished& done) {
  INFO(done.err);
  return done.json().at("results").at(0);
}

std::set<std::string> keys(const nlohmann::json& object) {
  std::set<std::string> all;
  for (const auto& [key, value] : object.items()) all.insert(key);
  return all;
}

/// A command as a shell takes it apart, without its first word; quotes are single.
std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words{""};
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return {words.begin() + 1, words.end()};
}

TEST_CASE("a lossless rule is said to be so, with its share of the optimum and a proof") {
  const Finished done = succeeds("check --verifier block --format json");
  CHECK(done.err.empty());
  const auto result = result_of(done);
  CHECK(keys(done.json()) == std::set<std::string>{"schema", "results"});
  CHECK(keys(result) == std::set<std::string>{"verifier", "lossless", "tv", "counterexample",
                                              "undefined", "share_of_optimum", "proof", "pairs"});
  CHECK(result["lossless"] == true);
  CHECK(result["tv"]["exact"] == "0");
  CHECK(result["counterexample"].is_null());
  CHECK(result["undefined"]["exact"] == "0");
  // 11/9 of sun2025's example over the optimum 4/3 of sun2024 Theorem 1.
  CHECK(result["share_of_optimum"]["exact"] == "11/12");
  CHECK(result["proof"] == "proved");
  CHECK(result["pairs"].get<int>() > 20);

  const Finished table = succeeds("check --verifier block");
  const auto at = [&](const char* text) {
    CAPTURE(text, table.out);
    REQUIRE(table.out.find(text) != std::string::npos);
    return table.out.find(text);
  };
  CHECK(at("block: lossless on ") < at("undefined draws (0/0): none"));
  CHECK(at("undefined draws") < at("accepted tokens of the first iteration"));
  CHECK(at("accepted tokens of the first iteration") < at("expected tokens after 1, 2, 3 and 4"));
  CHECK(at("expected tokens after") < at("monotone in gamma"));
  CHECK(at("monotone in gamma") < at("proof for all pairs of two tokens: proved"));
}

TEST_CASE("the counterexample is a command that runs and prints the law that is wrong") {
  // It does not declare itself lossless.
  const Finished done = succeeds("check --verifier wrong-greedy-draft --format json");
  const auto result = result_of(done);
  CHECK(result["lossless"] == false);
  CHECK(result["share_of_optimum"].is_null());
  CHECK(result["proof"] == "false");
  const auto& found = result["counterexample"];
  CHECK(keys(found) ==
        std::set<std::string>{"pair", "gamma", "tokens", "output", "target", "command"});
  const auto shown = result_of(speclab_run(shell_words(found["command"]), "--format json"));
  CHECK(shown["output"]["tv_to_target"]["exact"] == result["tv"]["exact"]);
  bool there = false;
  for (const auto& each : shown["output"]["law"]) {
    if (each["tokens"] != found["tokens"]) continue;
    there = true;
    CHECK(each["probability"]["exact"] == found["output"]["exact"]);
  }
  CHECK((there || found["output"]["exact"] == "0"));
  CHECK(found["output"]["exact"] != found["target"]["exact"]);
}

TEST_CASE("what is expected decides on the exit code") {
  succeeds("check --verifier wrong-greedy-draft");
  succeeds("check --verifier wrong-greedy-draft --expect nothing");
  const Finished expected = speclab_run("check --verifier wrong-greedy-draft --expect lossless");
  CHECK(expected.code == 1);
  CHECK(expected.err == "speclab: wrong-greedy-draft is not lossless\n");
  CHECK(expected.out.find("smallest counterexample") != std::string::npos);
}

TEST_CASE("a table of one pair is checked on the pair that is named") {
  const Scratch scratch;
  // Token verification's tables on the toy pair, and the same with a wrong correction.
  const auto rule = [&](const char* name, const std::string& correct) {
    return scratch.write(name, R"({"schema": 2, "kind": "rule", "accept": [["1", "1/2"]],
                                   "correct": [[)" +
                                   correct + "]]}");
  };
  const std::string right = rule("right.json", R"("1", "0")");
  const std::string wrong = rule("wrong.json", R"("0", "1")");
  const std::string pair = "iid(draft=[1/3,2/3],target=[2/3,1/3])";
  const auto asked = [&](const std::string& table) {
    return argv("check --rule-table", table, "--pair", pair, "--expect lossless --format json");
  };
  const auto lossless = result_of(succeeds(asked(right)));
  CHECK(lossless["lossless"] == true);
  CHECK(lossless["pairs"] == 1);
  CHECK(lossless["proof"].is_null());
  const Finished done = speclab_run(asked(wrong));
  CHECK(done.code == 1);
  const auto result = result_of(done);
  // Of the first token: 1/3 + 2/3 1/2 of it is accepted, the rest, 1/3, becomes the token 1.
  CHECK(result["tv"]["exact"] == "1/3");
  CHECK(result["counterexample"]["pair"] == pair);
  CHECK(result["counterexample"]["output"]["exact"] == "1/3");
  CHECK(result["counterexample"]["target"]["exact"] == "2/3");
  CHECK(speclab_run("check --rule-table", right).code == 3);
}

TEST_CASE("a call of check that is wrong is refused in one line") {
  refuses_in_line(argv("check"), 2, "name a rule: --verifier SPEC");
  refuses_in_line(argv("check --verifier blok"), 3, "did you mean 'block'?");
  refuses_in_line(argv("check --verifier block --expect lossles"), 2, "did you mean 'lossless'?");
  refuses_in_line(argv("check --verifier block --gamma 2"), 2, "--gamma is of the pairs given");
  refuses_in_line(argv("check --verifier block --pair nobody"), 3, "nobody");
  refuses_in_line(argv("check --python mine.py"), 2, "--python takes FILE.py:NAME");
  refuses_in_line(argv("check --python nowhere/mine.py:rule"), 3, "nowhere/mine.py");
  refuses_in_line(argv("check --python mine.py:rule --verifier block"), 2, "leave out --verifier");
  refuses_in_line(argv("check --plugin nowhere.so"), 3, "there is no file of that name");
}

TEST_CASE("a near miss of the command line is answered with what to write") {
  refuses_in_line(
      argv("audit --rule token sampler.py"), 2,
      "'sampler.py' is no option; the program is written behind --, as in -- sampler.py");
  refuses_in_line(argv("exact --pair mine.json --verifier block --gamma 1"), 3,
                  "a file is named file(mine.json)");
  refuses_in_line(argv("exact --pair run.h5 --verifier block --gamma 1"), 3,
                  "a file is named recorded(run.h5)");
  const Finished advised = succeeds("advise --pair", kToyPair, "--latency draft=0.1 --trials 128");
  CHECK(advised.err.find("target=1 is taken") != std::string::npos);
  CHECK(speclab_run("advise --pair", kToyPair, "--latency draft=0.1,target=1 --trials 128")
            .err.empty());
}

}  // namespace
}  // namespace speclab::check_test
