// Names that would steer a terminal, in every format of every command that prints a file's name.
#include "apps/process.h"
#include "apps/small_experiment.h"
#include "apps/steering.h"
#include "catch.h"

namespace speclab::escapes_test {
namespace {

/// ESC [2J, the C1 character CSI as UTF-8 and as a byte of its own, DEL, and a turn of direction.
const std::string kOdd = "odd\x1b[2J\u009b31m\x9b\x7f\u202e";
const std::string kLaw = R"({"vocabulary": 2, "kind": "iid", "draft": ["1/2", "1/2"],
                             "target": ["1/4", "3/4"]})";

/// What is left of the name where it has no escapes: one sign for each.
const std::string kTold = "odd?[2J?31m???";

void told_harmlessly(const std::vector<std::string>& words, const std::string& format,
                     const std::string& name) {
  const Scratch scratch;
  const Finished done = speclab_run(words, "--format", format);
  INFO(words.front() << " " << format << ": " << done.out << done.err);
  CHECK(done.code <= 1);
  CHECK(steering(done.out) == std::string::npos);
  CHECK(steering(done.err) == std::string::npos);
  CHECK_THAT(done.out, Containing(name));
  const std::string file = scratch.file("out");
  CHECK(speclab_run(words, "--format", format, "--output", file).out.empty());
  CHECK(steering(slurp(file)) == std::string::npos);
  CHECK_THAT(slurp(file), Containing(name));
}

}  // namespace

TEST_CASE("a file's name steers nothing in any format of any command") {
  const Scratch scratch;
  const std::string pair = "file(\"" + scratch.write(kOdd, kLaw) + "\")";
  for (const Words& words :
       {argv("exact --pair", pair, "--verifier token --gamma 1"),
        argv("simulate --pair", pair, "--verifier token --gamma 1 --trials 100"),
        argv("simulate --pair", pair, "--compare token,block --gamma 1 --trials 640"),
        argv("advise --pair", pair, "--latency draft=0.1,target=1 --gamma 1 --trials 640"),
        argv("optimum --pair", pair, "--gamma 1")}) {
    for (const std::string format : {"table", "csv", "markdown"}) {
      told_harmlessly(words, format, kTold);
    }
    told_harmlessly(words, "json", R"(odd\u001b[2J\u009b31m)");
  }
  told_harmlessly(argv("train --pair", pair, "--lambda 1 --samples 64"), "json",
                  R"(odd\u001b[2J\u009b31m)");
  for (const std::string format : {"table", "csv", "markdown", "json"}) {
    told_harmlessly(argv("verify --quick --claim sun2024.lemma1 --pair", pair), format, "");
  }
}

TEST_CASE("in JSON a name that steers reads back as it is") {
  const Scratch scratch;
  const std::string pair = "file(\"" + scratch.write("odd\x1b[2J\u009b31m\x7f\u202e", kLaw) + "\")";
  const Finished done =
      speclab_run("exact --pair", pair, "--verifier token --gamma 1 --format json");
  CHECK(done.json()["results"][0]["pair"] == pair);
}

TEST_CASE("an experiment's names steer nothing, nor do they make its results new") {
  const Scratch scratch;
  const std::string file = scratch.write(kOdd + ".toml", kSmallExperiment + R"toml(
[[expected]]
source = "ours\u001b[2J"
task = "law"
quantity = "iteration.expected_accepted"
value = 7
tolerance = "1e-9"
)toml");
  const Finished done = speclab_run("run", file, "--results", scratch.file("r"));
  CHECK(done.code == 1);
  INFO(done.out << done.err);
  CHECK(steering(done.out) == std::string::npos);
  CHECK(steering(done.err) == std::string::npos);
  CHECK_THAT(done.err, Containing("ours?[2J"));
  const std::string csv = scratch.file("r/" + kOdd + ".csv");
  for (const std::string& path :
       {csv, scratch.file("r/" + kOdd + ".expected.csv"), scratch.file("r/manifest.json")}) {
    CHECK(!slurp(path).empty());
    CHECK(steering(slurp(path)) == std::string::npos);
  }
  CHECK_THAT(slurp(csv), Containing(kTold));
  // Results that are there already are not written again.
  const auto before = std::filesystem::last_write_time(csv);
  CHECK(speclab_run("run", file, "--results", scratch.file("r")).code == 1);
  CHECK(std::filesystem::last_write_time(csv) == before);
}

}  // namespace speclab::escapes_test
