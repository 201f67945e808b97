// Rules of acceptance that are given as tables in a file.
#include "verifiers/biased/acceptance_rule.h"

#include <string>

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "scratch.h"

namespace speclab::acceptance_rule_test {
namespace {

TEST_CASE("a rule's file: read, and refused by its place") {
  const Scratch scratch;
  const auto written = [&](const std::string& text) { return scratch.write("rule.json", text); };
  const auto rule = read_acceptance_rule(
      written(R"({"schema": 2, "kind": "rule", "accept": [["1/2", 1]], "correct": [["0", "1"]]})"));
  CHECK(rule->accept[0][0] == Rational(1, 2));
  CHECK(rule->correct[0][1] == Rational(1));
  CHECK_NOTHROW(rule->check_fits(*make_pair("bernoulli(draft=2/3,target=1/3)")));
  CHECK_THROWS_AS(rule->check_fits(*make_pair("tree(vocabulary=2,depth=2)")), InputError);
  const auto refuses = [&](const std::string& text, const std::string& place) {
    const std::string path = written(text);
    CHECK_THROWS_WITH(read_acceptance_rule(path), Containing(place));
    CHECK_THROWS_AS(read_acceptance_rule(path), InputError);
  };
  refuses("[]", "is not a JSON object");
  refuses(R"({"schema": 2, "kind": "rule", "accept": [[1]]})", "lacks the key \"correct\"");
  refuses(R"({"schema": 2, "kind": "rule", "accept": [[1]], "correct": [[1]], "b": 1})",
          "unknown key 'b'");
  refuses(R"({"schema": 1, "kind": "rule", "accept": [[1]], "correct": [[1]]})", "schema is 1");
  refuses(R"({"schema": 2, "kind": "table", "accept": [[1]], "correct": [[1]]})", "kind is");
  refuses(R"({"schema": 2, "kind": "rule", "accept": [["3/2"]], "correct": [[1]]})",
          "accept, state 0, token 0 is \"3/2\"");
  refuses(R"({"schema": 2, "kind": "rule", "accept": [["-1/9"]], "correct": [[1]]})",
          "accept, state 0, token 0 is \"-1/9\"");
  for (const char* none : {"7", "[]", "[1]", "[[]]"}) {
    refuses(
        R"({"schema": 2, "kind": "rule", "correct": [[1]], "accept": )" + std::string(none) + "}",
        "accept is no list of rows");
  }
  refuses(R"({"schema": 2, "kind": "rule", "accept": [[1], [1, 1]], "correct": [[1], [1]]})",
          "accept, state 1 is no row of 1");
  refuses(R"({"schema": 2, "kind": "rule", "accept": [[1, 1]], "correct": [["1/2", "1/3"]]})",
          "correct, state 0");
  refuses(R"({"schema": 2, "kind": "rule", "accept": [[1], [1]], "correct": [[1]]})",
          "correct must have as many rows");
}

}  // namespace
}  // namespace speclab::acceptance_rule_test
