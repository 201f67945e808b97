// Recordings on the command line: answers in every format, and one line for each refusal.
#include "apps/refused.h"
#include "recording_text.h"

namespace speclab::recorded_test {
namespace {

const std::string kPrompt =
    R"({"tokens": [0, 1, 0], "draft": [[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]], )"
    R"("target": [[0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1, 0]]})"
    "\n";

TEST_CASE("a recording is answered in every format") {
  const Scratch scratch;
  const std::string pair =
      "recorded(" + scratch.write("x.jsonl", recording_head(2) + kPrompt + kPrompt) + ")";
  const Words words =
      argv("simulate --pair", pair, "--verifier token --verifier block --gamma 1:3");
  const auto in = [&](const std::string& format) { return speclab_run(words, "--format", format); };
  const auto json = in("json").json();
  REQUIRE(json["results"].size() == 6);
  const auto& first = json["results"][0];
  CHECK(first["recorded"]["prompts"] == 2);
  CHECK(first["recorded"]["iterations"] == 2);
  CHECK_FALSE(first.contains("seed"));
  // The first drafted token has t/d = 1/2.
  CHECK(first["iteration"]["expected_accepted"]["mean"] == 0.5);
  CHECK(first["iterations"]["expected_tokens"][0]["mean"] == 1.5);
  CHECK_THAT(in("csv").out, Containing("block,3,,,double,simulate,iteration.tail,3,"));
  CHECK_THAT(in("table").out, Containing("2 recorded iterations") &&
                                  Containing("intervals over prompts (jackknife, Student's t)"));
  CHECK_THAT(in("markdown").out, Containing("| `block` | 3 |"));
}

TEST_CASE("the rates of recorded iterations are in the form that engines take") {
  const Scratch scratch;
  const std::string file = scratch.write("x.jsonl", recording_head(2) + kPrompt + kPrompt);
  const auto result = speclab_run("simulate --pair", "recorded(" + file + ")",
                                  "--verifier token --gamma 2 --format rates")
                          .json()["results"][0];
  CHECK(result["of"] == "recorded iterations");
  // t/d is 1/2 at the first drafted token and 2/3 at the second.
  CHECK(result["position_rates"][0].get<double>() == Approx(1.0 / 2));
  CHECK(result["position_rates"][1].get<double>() == Approx(1.0 / 3));
  CHECK(result["acceptance_length"].get<double>() == Approx(1 + 1.0 / 2 + 1.0 / 3));
}

TEST_CASE("all verifiers of a recording are those that it can answer for") {
  const Scratch scratch;
  const std::string file = scratch.write("x.jsonl", recording_head(2) + kPrompt + kPrompt);
  const Finished done = succeeds("simulate --pair", "recorded(" + file + ")",
                                 "--verifier all --gamma 2 --format json");
  CHECK_THAT(done.err, Containing("left out") && Containing("rrs(K=2)"));
  CHECK_THAT(done.out, Containing("\"block\"") && !Containing("rrs"));
}

TEST_CASE("what a recording does not determine ends with exit code 3 and one line") {
  const Scratch scratch;
  const std::string pair =
      "recorded(" + scratch.write("x.jsonl", recording_head(2) + kPrompt + kPrompt) + ")";
  const auto simulate = [&](const auto&... more) {
    return argv("simulate --pair", pair, "--verifier token --gamma", more...);
  };
  refuses(simulate("4"), 3, "prompt 0, position 0: gamma 4 is longer than every recorded draft");
  refuses(simulate("inf"), 3, "gamma inf has no end here");
  refuses(simulate("2 --horizon 8"), 3, "has single iterations alone");
  refuses(simulate("2 --trials 100"), 2, "--trials says how to draw");
  refuses(simulate("2 --seed 1"), 2, "--seed says how to draw");
  refuses(simulate("2 --latency target=1"), 2, "speclab advise");
  refuses(argv("simulate --verifier rrs(K=2) --gamma 1 --pair", pair), 3,
          "one path of each prompt");
  refuses(argv("exact --verifier token --gamma 1 --pair", pair), 3, "and none about later tokens");
  refuses(argv("optimum --gamma 1 --drafts 1 --pair", pair), 3, "and none about later tokens");
  refuses(argv("simulate --verifier token --gamma 1 --pair",
               "recorded(" + scratch.write("cut.jsonl", recording_head(2) + kPrompt.substr(0, 40)) +
                   ")"),
          3, "prompt 0 is not valid JSON");
}

}  // namespace
}  // namespace speclab::recorded_test
