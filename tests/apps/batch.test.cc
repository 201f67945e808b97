// simulate --batch and exact --batch: what they print, and what they refuse.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"

namespace speclab::batch_command_test {
namespace {

using Json = nlohmann::json;

const std::string kEqual = "iid(draft=[2/3,1/3],target=[2/3,1/3])";

Words batch(const auto&... more) {
  return argv("simulate --pair", kEqual,
              "--verifier token --gamma 1 --horizon 2 --trials 20000 --batch 2", more...);
}

TEST_CASE("a batch is simulated under every split of its budget") {
  const Json results = succeeds(batch("--batch-budget 1 --format json")).json()["results"];
  REQUIRE(results.size() == 7);
  std::string splits;
  for (const Json& result : results) {
    const std::string split = result["split"];
    splits += split + " ";
    CHECK(result["requests"] == 2);
    CHECK(result["budget"] == 1);
    CHECK(result["trials"] == 20000);
    // Of equal models every verified token is accepted: two tokens, but one at the horizon.
    CHECK(result["verified_per_step"]["mean"].get<double>() == 1);
    const Json& law = result["law"];
    CHECK(law["tokens"] == 2);
    CHECK(law["tv"].size() == 2);
    CHECK(law["biased"] == (split == "own"));
    CHECK((law["joint_tv"]["ci95"][0].get<double>() > 0.1) == (split == "own"));
  }
  CHECK(splits == "even own top known survival adaptive roc ");
}

TEST_CASE("the splits of a batch stand in one table, and a row a number in CSV") {
  const Finished table = succeeds(batch("--batch-budget 1 --batch-split own,known"));
  CHECK_THAT(table.out, Containing("requests 2, budget 1: 20000 trials"));
  CHECK_THAT(table.out, Containing("TV of the first 2 tokens of all requests jointly"));
  const auto own = table.out.rfind("  own "), known = table.out.rfind("  known ");
  REQUIRE(own < known);
  CHECK_THAT(table.out.substr(own, known - own), Containing("  biased"));
  CHECK_THAT(table.out.substr(known), Containing("  no bias found"));
  const Finished csv = speclab_run(batch("--batch-budget 1 --batch-split even --format csv"));
  CHECK_THAT(csv.out, Containing("\"" + kEqual + "\",token,1,2,2,1,even,law.tv,2,"));
  CHECK_THAT(csv.out, Containing(",even,verified_per_step,,1"));
}

Words exact_batch(const auto&... more) {
  return argv("exact --pair", kEqual, "--verifier token --gamma 1 --horizon 2 --batch", more...);
}

TEST_CASE("two requests are decoded exactly under every split, by simulate's names") {
  const Json drawn = speclab_run(batch("--batch-budget 1 --format json")).json();
  const Json exact = succeeds(exact_batch("2 --batch-budget 1 --format json")).json();
  REQUIRE(exact["results"].size() == drawn["results"].size());
  for (std::size_t i = 0; i < exact["results"].size(); ++i) {
    const Json& result = exact["results"][i];
    const Json& other = drawn["results"][i];
    CHECK(result["split"] == other["split"]);
    CHECK(result["law"]["biased"] == other["law"]["biased"]);
    CHECK(result["law"]["tokens"] == other["law"]["tokens"]);
    CHECK(result["law"]["joint_tv"]["exact"] == (result["split"] == "own" ? "4/27" : "0"));
    for (const char* name : {"tokens_per_step", "tokens_per_request_step", "steps", "mean_steps",
                             "verified_per_step"}) {
      CAPTURE(name);
      // Of equal models nothing but the texts is random.
      CHECK(result[name]["value"] == other[name]["mean"]);
    }
  }
  const Finished table = speclab_run(exact_batch("2 --batch-budget 1"));
  CHECK_THAT(table.out, Containing("requests 2, budget 1: exact, in fractions"));
  CHECK_THAT(table.out, Containing("0.1481 = 4/27  biased"));
  const Finished doubles =
      speclab_run(exact_batch("2 --batch-budget 1 --arithmetic double --format csv"));
  CHECK_THAT(doubles.out, Containing(",token,1,2,2,1,even,mean_steps,,1.5,,,,,,\n"));
}

TEST_CASE("a split's first step stands beside that of the best scheduler") {
  // The smallest counterexample of speclab.batch.products-best.
  const auto first_step = [](const char* verifier, const char* split) {
    const Finished done = speclab_run(
        "exact --pair iid(draft=[1/2,1/2],target=[1,0]) --verifier", verifier,
        "--gamma 2 --horizon 3 --batch 2 --batch-budget 3 --batch-split", split, "--format json");
    return done.json()["results"][0]["first_step"];
  };
  CHECK(first_step("token", "known")["accepted"]["exact"] == "5/4");
  CHECK(first_step("token", "known")["most"]["exact"] == "11/8");
  CHECK(first_step("token", "survival")["accepted"]["exact"] == "11/8");
  CHECK(first_step("block", "survival")["most"].is_null());
}

TEST_CASE("exact --batch refuses and names the fix") {
  refuses(exact_batch("2"), 2, "--batch-budget is missing");
  refuses(exact_batch("3 --batch-budget 1"), 2,
          "--batch of exact is 2, not 3; simulate takes any number");
  refuses(exact_batch("2 --batch-budget 1 --threads 2"), 2, "--batch takes no --threads");
  refuses(exact_batch("2 --batch-budget 1 --verifier rrs(K=2)"), 3,
          "does not verify one chain of drafts");
  refuses(argv("exact --pair uniform(draft=64,target=64) --verifier token --gamma 16 --horizon 16 "
               "--batch 2 --batch-budget 4"),
          4, "allow more paths (max-paths), or simulate");
  refuses(exact_batch("2 --batch-budget 1 --max-paths 3"), 4, "over the limit of 3");
}

TEST_CASE("of all verifiers those of one chain decode batches") {
  const Finished done = succeeds("simulate --pair", kEqual,
                                 "--verifier all --gamma 1 --horizon 2 --trials 64 --batch 2 "
                                 "--batch-budget 1 --batch-split even --format json");
  CHECK_THAT(done.err, Containing("left out, as they verify no single chain of drafts: "));
  CHECK_THAT(done.err, Containing("rrs(K=2)"));
  CHECK(done.json()["results"].size() > 10);
}

TEST_CASE("simulate --batch refuses and names the fix") {
  refuses(batch(), 2, "--batch-budget is missing");
  refuses(argv("simulate --pair", kEqual, "--verifier token --gamma 1 --batch-budget 2"), 2,
          "--batch is missing");
  refuses(argv("simulate --pair", kEqual, "--verifier token --gamma 1 --batch 2 --batch-budget 2"),
          2, "add --horizon");
  refuses(batch("--batch-budget 1 --batch-split odd"), 2,
          "takes some of even, own, top, known, survival, adaptive, roc, or all alone; not 'odd'");
  refuses(batch("--batch-budget 1 --law"), 2, "--batch takes no --law");
  refuses(batch("--batch-budget 1 --format rates"), 2, "no --format rates");
  refuses(argv("simulate --pair mtp(target=[[1/2,1/2]],next=[[0,0]],heads=2) --verifier all "
               "--gamma 1 --horizon 2 --batch 2 --batch-budget 2"),
          3, "begins anew in each iteration");
  refuses(batch("--batch-budget 1 --verifier rrs(K=2)"), 3, "does not verify one chain of drafts");
  refuses(argv("simulate --pair", kEqual,
               "--verifier wrong-greedy-draft --gamma 1 --horizon 2 --batch 2 --batch-budget 2"),
          2, "wrong-greedy-draft accepts other tokens than those that were drafted");
  refuses(argv("simulate --pair", kEqual,
               "--verifier token --gamma 1 --horizon 1e6 --batch 1000 --batch-budget 2"),
          4, "lower the requests or the horizon");
}

}  // namespace
}  // namespace speclab::batch_command_test
