#include <csignal>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"
#include "scratch.h"
#include "temporary_file.h"

namespace speclab::advise_test {
namespace {

using Json = nlohmann::json;

TEST_CASE("advise names the best with its lead") {
  const Json result = succeeds("advise --pair", kToyPair,
                               "--latency draft=0.05,target=1+0.02n --gamma 1:4 --horizon 16 "
                               "--trials 4096 --format json")
                          .json()["results"][0];
  CHECK(result["pair"] == kToyPair);
  CHECK(result["horizon"] == 16);
  CHECK(result["seed"] == 1);
  CHECK(result["best"]["verifier"].is_string());
  CHECK(result["best"]["drafts"] == 1);
  const double speedup = result["best"]["speedup"]["mean"];
  CHECK(speedup > 1);
  REQUIRE(result["table"].size() == 9);
  double most = 0;
  for (const Json& row : result["table"])
    most = std::max(most, row["speedup"]["mean"].get<double>());
  CHECK(most == speedup);
  CHECK(result["table"][8]["verifier"].is_null());
  CHECK(result["table"][8]["speedup"]["mean"] == 1);
  CHECK(result["loads"].size() == 4);
}

TEST_CASE("advise says not to speculate") {
  const Finished done =
      succeeds("advise --pair", kToyPair,
               "--latency draft=1,target=1 --gamma 1:3 --horizon 8 --trials 4096 --format json");
  CHECK(done.json()["results"][0]["best"].is_null());
  const Finished table =
      speclab_run("advise --pair", kToyPair,
                  "--latency draft=1,target=1 --gamma 1:3 --horizon 8 --trials 4096");
  CHECK(table.out.find("best      do not speculate") != std::string::npos);
}

TEST_CASE("advise marks the best beside its speedup, and is one table with what follows") {
  const Finished done =
      succeeds("advise --pair", kToyPair,
               "--latency draft=0.05,target=1 --gamma 1:3 --horizon 16 --trials 256");
  std::istringstream lines(done.out);
  std::size_t best = 0, widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, line.size());
    // Its tokens a call and its trials stand in the same row.
    best += line.find("  best  ") != std::string::npos && line.size() > 70;
  }
  CHECK(best == 1);
  CHECK(widest <= 80);
  CHECK_THAT(done.out, Containing("  how the choice moves with the costs, and in a batch:\n"
                                  "  were it"));
}

TEST_CASE("advise gives its drafts to the verifiers that leave them out") {
  const Words asked =
      argv("advise --pair", kToyPair,
           "--latency draft=0.05,target=1+0.02n --gamma 2 --horizon 8 --trials 128 --format csv");
  const Finished done = succeeds(
      asked, "--verifier rrs --verifier slot-block(K=4) --verifier token --drafts 2 --drafts 3");
  for (const char* name : {"rrs(K=2)", "rrs(K=3)", "slot-block(K=4)", "token"}) {
    CHECK(done.out.find(std::string(",") + name + ",2,") != std::string::npos);
  }
}

TEST_CASE("a candidate that is named twice is one") {
  const Finished done = succeeds("advise --pair", kToyPair,
                                 "--latency target=1 --verifier token --verifier token "
                                 "--gamma 2 --gamma 1:2 --horizon 8 --trials 128 --format json");
  // Two draft lengths, and not to speculate.
  CHECK(done.json()["results"][0]["table"].size() == 3);
}

TEST_CASE("advise refuses and names the fix") {
  refuses(argv("advise --pair", kToyPair), 2, "--latency");
  refuses(argv("advise --latency target=1"), 2, "--pair");
  refuses(argv("advise --pair", kToyPair, "--latency target=1 --drafts 2"), 2, "--verifier");
  refuses(argv("advise --pair", kToyPair, "--latency target=@/nonexistent"), 3,
          "cannot read '/nonexistent'");
  refuses(argv("advise --pair", kToyPair, "--latency target=1 --batch 0"), 2,
          "--batch takes a whole number");
}

TEST_CASE("two verifiers are compared over the same trials") {
  const Json result = succeeds("simulate --pair", kToyPair,
                               "--compare block,token --gamma 2 --trials 65536 --format json")
                          .json()["results"][0];
  CHECK(result["first"] == "block");
  CHECK(result["second"] == "token");
  // 11/9 - 10/9, with what both have in common taken out.
  const Json& difference = result["difference"];
  CHECK(std::abs(difference["mean"].get<double>() - 1.0 / 9) <
        6 * difference["stderr"].get<double>());
  CHECK(result["trials_saved_by_pairing"].get<double>() > 1.5);
  const Finished decodes = succeeds("simulate --pair", kToyPair,
                                    "--compare rrs(K=2),token --gamma 2 --horizon 8 "
                                    "--latency draft=0.1,target=1 --trials 4096 --format csv");
  CHECK(decodes.out.find("decode.acceptance_length") != std::string::npos);
  CHECK(decodes.out.find("modelled_time.decode_speedup") != std::string::npos);
}

TEST_CASE("a recording is advised on and compared on by its own iterations") {
  const TemporaryFile file(
      R"({"format": "speclab-recorded", "version": 1, "vocabulary": 2, "rows": "probabilities"}
{"tokens": [0, 1], "draft": [[0.7, 0.3], [0.6, 0.4]], "target": [[0.4, 0.6], [0.5, 0.5], [1, 0]]}
{"tokens": [1, 1], "draft": [[0.7, 0.3], [0.6, 0.4]], "target": [[0.4, 0.6], [0.5, 0.5], [1, 0]]}
)");
  const std::string pair = "recorded(" + file.path() + ")";
  const Json result =
      succeeds("advise --pair", pair, "--latency draft=0.1,target=1 --gamma 1:2 --format json")
          .json()["results"][0];
  CHECK(result["horizon"].is_null());
  CHECK(result["seed"].is_null());
  // Both second tokens pass, the first one of two with 4/7: (3 + 1 + 2 * 4/7) / 2 tokens a call.
  CHECK(result["table"][1]["acceptance_length"]["mean"].get<double>() == Approx(18.0 / 7));
  const Json same =
      succeeds("simulate --pair", pair, "--compare token,block --gamma 1 --format json")
          .json()["results"][0];
  CHECK(same["quantity"] == "iterations.expected_tokens");
  CHECK(same["difference"]["mean"] == 0);
  CHECK(same["trials"] == 2);
  CHECK(same["seed"].is_null());
  refuses(argv("advise --pair", pair, "--latency target=1 --horizon 8"), 2, "leave out --horizon");
  for (const auto& [option, value] :
       {std::pair("--horizon", "8"), {"--latency", "draft=1,target=2"}}) {
    refuses(argv("simulate --pair", pair, "--compare token,block --gamma 1", option, value), 2,
            std::string("no decodes; leave out ") + option);
  }
}

TEST_CASE("one prompt is too few to compare on") {
  const TemporaryFile file(
      R"({"format": "speclab-recorded", "version": 1, "vocabulary": 2, "rows": "probabilities"}
{"tokens": [0], "draft": [[0.7, 0.3]], "target": [[0.4, 0.6], [0.5, 0.5]]}
)");
  refuses(
      argv("simulate --pair", "recorded(" + file.path() + ")", "--compare token,block --gamma 1"),
      3, "two prompts or more");
}

TEST_CASE("advice that is interrupted keeps the pairs that are done") {
  // The first pair is settled at once; of the second both verifiers are one rule, a tie for ever.
  const Scratch scratch;
  const std::string file = scratch.file("advice.json");
  Process process(argv("advise --pair bernoulli(draft=1,target=0) --pair", kToyPair,
                       "--verifier token --verifier block --gamma 1 --horizon 64 "
                       "--latency draft=0.1,target=1 --trials 1e9 --format json --output",
                       file));
  process.let_work(2);
  process.send(SIGINT);
  CHECK(process.wait().code == 130);
  const Json json = Json::parse(slurp(file));
  CHECK(json["results"].size() == 1);
  CHECK(json["partial"].is_string());
}

TEST_CASE("trials with an undefined draw are reported where verifiers are compared") {
  const std::string pair = "bernoulli(draft=1/3,target=1/3)";
  const Finished compared = succeeds(
      "simulate --pair", pair, "--compare block-listing,token --gamma 2 --trials 128 --horizon 4");
  CHECK(compared.err ==
        "speclab: block-listing: undefined (0/0) in 128 of 128 trials, which end "
        "there\n");
  const Finished advised =
      succeeds("advise --pair", pair,
               "--verifier block-listing --gamma 2 --latency draft=0.1,target=1 --trials 128");
  CHECK_THAT(advised.out, Containing("block-listing, gamma 2: undefined (0/0) in 128 of 128"));
}

TEST_CASE("rates are a format") {
  const Finished done =
      succeeds("exact --pair", kToyPair, "--verifier token --gamma 2 --long-run --format rates");
  CHECK(done.json()["results"][0]["vllm"]["num_speculative_tokens"] == 2);
  refuses(argv("exact --pair", kToyPair, "--verifier token --gamma 2 --format rates"), 3,
          "long run");
  // Where the long run is asked for and not found, the reason is said.
  refuses(
      argv("exact --pair", kToyPair, "--verifier greedy-block --gamma 2 --long-run --format rates"),
      3, "more than 128 contexts");
}

}  // namespace
}  // namespace speclab::advise_test
