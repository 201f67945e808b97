// The command `prove`: verdicts and exit codes, certificates, interruption, what is refused.

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"

namespace speclab::prove_test {
namespace {

Words prove(const std::string& verifier, const auto&... more) {
  return argv("prove --verifier", verifier, "--vocabulary 2 --gamma 2 --models iid", more...);
}

TEST_CASE("prove: a theorem and a counterexample as JSON") {
  const auto proved = succeeds(prove("block", "--format json")).json()["results"][0];
  CHECK(proved["verdict"] == "proved");
  CHECK(proved["cells"] == 9);
  CHECK(proved["counterexample"].is_null());
  const Finished unnamed =
      speclab_run("prove --verifier block --vocabulary 2 --gamma 2 --format json");
  CHECK(unnamed.json()["results"][0]["models"] == "iid");
  CHECK(unnamed.json()["results"][0]["cells"] == 9);
  const Finished wrong = speclab_run(prove("wrong-first-failure", "--format json"));
  CHECK(wrong.code == 1);
  const auto refuted = wrong.json()["results"][0];
  CHECK(refuted["verdict"] == "false");
  CHECK(refuted["counterexample"]["confirmation"]["fails"] == true);
}

TEST_CASE("prove: the table says how the cells were settled, and nothing that did not happen") {
  const Finished done = succeeds(prove("block"));
  CHECK_THAT(done.out, Containing("proved for all pairs: 9 cells\n"));
  CHECK_THAT(done.out, Containing("  identities, at random points of a field "));
  CHECK_THAT(done.out, Containing("  questions to the solver "));
  CHECK_THAT(done.out, !Containing(" 0\n"));
  CHECK_THAT(done.out, !Containing("by the signs of their factors"));
}

TEST_CASE("prove: a closed form and one that is refuted") {
  const Finished right =
      succeeds(prove("token", "--property predicts:sun2024.theorem2 --format json"));
  CHECK(right.json()["results"][0]["property"] == "predicts:sun2024.theorem2");
  const Finished wrong = speclab_run(
      prove("spectr-gbv", "--drafts 2 --property predicts:lin2026.theorem5.3 --format json"));
  CHECK(wrong.code == 1);
  const auto confirmation = wrong.json()["results"][0]["counterexample"]["confirmation"];
  CHECK(confirmation["fails"] == true);
  CHECK(confirmation["value"] != confirmation["other"]);
}

TEST_CASE("prove: a certificate is checked, and what was taken from it is found again") {
  const Scratch scratch;
  const std::string file = scratch.file("block.json");
  const Finished proved = succeeds(prove("block", "--certificate", file, "--format json"));
  const Finished checked = succeeds("prove --check", file, "--format json");
  CHECK(checked.json()["results"][0]["right"] == true);

  const auto good = nlohmann::json::parse(slurp(file));
  auto tampered = good;
  tampered["cells"][0]["comparisons"].erase(0);
  const Finished fault =
      speclab_run("prove --check", scratch.write("tampered.json", tampered.dump()));
  CHECK(fault.code == 1);
  CHECK_THAT(fault.out, Containing("the certificate is wrong: cell 1: "));
  auto false_theorem = good;
  false_theorem["verifier"] = "wrong-first-failure";
  for (const auto& forged : {tampered, false_theorem}) {
    const Finished resumed =
        speclab_run("prove --resume", scratch.write("forged.json", forged.dump()));
    CHECK(resumed.code == 3);
    CHECK_THAT(resumed.err, Containing("the certificate is wrong: "));
  }

  // A cell that is not there yet is still to be looked into.
  auto unfinished = good;
  auto& cells = unfinished["cells"];
  const auto last = std::find_if(cells.begin(), cells.end(),
                                 [](const auto& cell) { return cell["comparisons"].empty(); });
  REQUIRE(last != cells.end());
  unfinished["pending"].push_back((*last)["branch"]);
  cells.erase(last);
  const Finished less = succeeds("prove --check", scratch.write("less.json", unfinished.dump()));
  CHECK_THAT(less.out, !Containing("cover all pairs"));
  const Finished whole = succeeds(
      "prove --resume", scratch.write("unfinished.json", unfinished.dump()), "--format json");
  CHECK(whole.json()["results"][0]["verdict"] == "proved");
  CHECK(whole.json()["results"][0]["cells"] == good["cells"].size());
  // What was checked may hold by chance too. The splits are at other pairs.
  const double bound = proved.json()["results"][0]["error_bound"];
  const double again = whole.json()["results"][0]["error_bound"];
  CAPTURE(bound, again);
  CHECK(again > bound / 2);
  CHECK(again < bound * 2);
}

TEST_CASE("prove: a signal ends a question to the solver") {
  // One question of these takes minutes of its thousand seconds.
  Process process(
      argv("prove --verifier block --vocabulary 4 --gamma 2 --models iid --query-time 1000"),
      [] { limit(RLIMIT_CPU, 20); });
  process.let_work(2);
  process.send(SIGINT);
  CHECK(process.wait().code == 130);
}

TEST_CASE("prove: an interruption saves what was found and another run goes on from it") {
  const Scratch scratch;
  const std::string file = scratch.file("certificate.json");
  Process process(argv(
      "prove --verifier greedy-block --vocabulary 2 --gamma 2 --models tree --certificate", file));
  process.let_work(1.5);
  // A signal and the one that `timeout` sends to the group are one request.
  process.send(SIGINT);
  process.send(SIGTERM);
  const Finished done = process.wait();
  CHECK(done.code == 130);
  CHECK_THAT(done.err, Containing("branches still to be taken; go on with --resume"));
  const auto saved = nlohmann::json::parse(slurp(file));
  REQUIRE(saved["cells"].size() > 0);
  REQUIRE(saved["pending"].size() > 0);
  succeeds("prove --check", file);
  Process resumed(argv("prove --resume", file, "--certificate", file));
  resumed.let_work(4);  // the cells are checked before
  resumed.send(SIGINT);
  CHECK(resumed.wait().code == 130);
  CHECK(nlohmann::json::parse(slurp(file))["cells"].size() > saved["cells"].size());
}

TEST_CASE("prove: what is asked wrongly is refused in one line") {
  const Scratch scratch;
  const std::string empty = scratch.write("empty.json", "");
  const std::string other = scratch.write("other.json", "{\"schema\": 3}");
  const std::string old = scratch.write("old.json", "{\"schema\": 2}");
  const std::string folder = scratch.file("");
  refuses_in_line(argv("prove --check", empty), 3, "is not valid JSON");
  refuses_in_line(argv("prove --check", other), 3, "is not a certificate of a proof");
  refuses_in_line(argv("prove --check", old), 3, "its format is of version 2");
  refuses_in_line(argv("prove --check", folder), 3, "is a directory");
  refuses_in_line(argv("prove --check", scratch.file("nobody")), 3, "cannot read");
  refuses_in_line(argv("prove --resume", empty), 3, "is not valid JSON");
  refuses_in_line(argv("prove --check", empty, "--verifier block"), 2, "leave out --verifier");
  refuses_in_line(argv("prove --check", empty, "--resume", empty), 2, "leave out --resume");
  refuses_in_line(argv("prove --resume", empty, "--gamma 2"), 2, "leave out --gamma");
  refuses_in_line(prove("block", "--time 0"), 2, "--time takes a whole number from 1");
  refuses_in_line(prove("block", "--cells 1"), 2, "unknown option '--cells'");
  refuses_in_line(prove("block", "--drafts 2"), 2, "--drafts goes with the bare name");
  refuses_in_line(prove("nobody"), 3, "unknown verifier 'nobody'");
  refuses_in_line(prove("kseq(K=2)"), 3, "cannot be proved");
  refuses_in_line(prove("block", "--property fast"), 3, "'fast' is not a property");
  refuses_in_line(prove("block", "--property predicts:sun2024.theorem2"), 3,
                  "those that can be proved for all pairs are");
  refuses_in_line(prove("block", "--certificate", folder), 3, "Is a directory");
  refuses_in_line(argv("prove --verifier block --vocabulary 40 --gamma 3 --models tree"), 4,
                  "free probabilities");
  refuses_in_line(argv("prove --verifier block --gamma 3 --models iid"), 2,
                  "--vocabulary is missing");
  refuses_in_line(argv("prove --verifier block --vocabulary 2 --gamma 1:2 --models iid"), 2,
                  "--gamma 1:2 is a range, and a theorem is of one draft length or of all; prove "
                  "each on its own, --gamma 1, or all at once, --gamma all");
  refuses_in_line(argv("prove --verifier block --vocabulary 2 --gamma all --models iid"), 2,
                  "leave out --models iid");
  refuses_in_line(argv("prove --verifier greedy-block --vocabulary 2 --gamma all"), 3,
                  "for every draft length at once: it changes the target of the next iteration");
  refuses_in_line(argv("prove --verifier rrs --drafts 2 --vocabulary 2 --gamma all"), 3,
                  "the weight of a prefix is outside [0, 1]; give one draft length");
}

}  // namespace
}  // namespace speclab::prove_test
