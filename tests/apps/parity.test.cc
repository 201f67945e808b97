// The commands that judge test suites and served outputs, as a user types them.
#include <fmt/format.h>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"
#include "scratch.h"

namespace speclab::parity_command_test {
namespace {

std::string some_outputs(const std::string& word, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) {
    text += fmt::format("{{\"prompt\": \"a\", \"tokens\": [\"{}\", \"x\"]}}\n",
                        k % 2 == 0 ? word : "other");
  }
  return text;
}

TEST_CASE("parity passes with 0, fails with 1 and is printed in every format") {
  const Scratch scratch;
  const std::string on = scratch.write("on.jsonl", some_outputs("one", 60));
  const std::string off = scratch.write("off.jsonl", some_outputs("one", 60));
  const std::string other = scratch.write("other.jsonl", some_outputs("two", 60));
  const Finished same = succeeds("parity", on, off, "--format json");
  CHECK(same.json()["verdict"] == "pass");
  CHECK(same.json()["decoding"] == "sampled");
  CHECK(same.json()["sampled"]["power"].size() == 3);
  const Finished differs = speclab_run("parity", on, other);
  CHECK(differs.code == 1);
  CHECK_THAT(differs.out, Containing("parity: fail"));
  CHECK(speclab_run("parity", on, other, "--decoding greedy --format csv").code == 1);
  const Finished junit = speclab_run("parity", on, other, "--format junit");
  CHECK_THAT(junit.out, Containing("failures=\"1\""));
  CHECK_THAT(speclab_run("parity", on, other, "--format markdown").out,
             Containing("# Parity: fail"));
  // The margin that is the default may be written.
  succeeds("parity", on, off, "--decoding greedy --margin 0");
  // A look spends its part of the false alarm.
  const Finished look = speclab_run("parity", on, off, "--look 2/5 --format json");
  CHECK(look.json()["sampled"]["level"].get<double>() == Approx(0.002));
}

TEST_CASE("parity and adequacy refuse what they cannot take, and write nothing") {
  const Scratch scratch;
  const std::string good = scratch.write("good.jsonl", some_outputs("one", 4));
  const std::string bad = scratch.write("bad.jsonl", "{}\n");
  const std::string output = scratch.file("out.json");
  refuses(argv("parity", good, bad, "--output", output), 3, "bad.jsonl': line 1: it has neither");
  CHECK_FALSE(std::filesystem::exists(output));
  refuses(argv("parity", good), 2, "parity takes two files");
  refuses(argv("parity", good, good, "--look 3/2"), 2, "--look '3/2' is no part of a whole");
  refuses(argv("parity", good, good, "--false-alarm 1e-9"), 2, "permutations establish no smaller");
  refuses(argv("parity", good, good, "--margin -1"), 2,
          "--margin takes a number from 0 on, not '-1'");
  refuses(argv("parity", good, scratch.file("absent")), 3, "No such file");
  refuses(argv("audit --adequacy", bad), 3, "bad.jsonl': line 1: it lacks the key");
  refuses(argv("audit --adequacy", good, "--mode generate"), 2, "leave out --mode");
  refuses(argv("audit --adequacy", good, "-- true"), 2, "leave out what follows --");
}

TEST_CASE("published designs miss faults, and the report says which cases to add") {
  const std::string file =
      std::string(SPECLAB_SOURCE_DIR) + "/tests/audit/adequacy/published.jsonl";
  const Finished found = speclab_run("audit --adequacy", file, "--format json");
  INFO(found.err);
  REQUIRE(found.code == 1);
  const auto json = found.json();
  CHECK(json["verdict"] == "fail");
  REQUIRE(json["suites"].size() == 5);
  for (const auto& suite : json["suites"]) {
    CAPTURE(suite["suite"]);
    CHECK(suite["found"].get<int>() < static_cast<int>(suite["faults"].size()));
    CHECK_FALSE(suite["add"].empty());
    CHECK(suite["false_alarm"]["value"].get<double>() < 0.01);
  }
}

}  // namespace
}  // namespace speclab::parity_command_test
