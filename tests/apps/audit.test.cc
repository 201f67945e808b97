// The command `audit`: programs of other languages under audit.
#include <chrono>
#include <thread>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"

namespace speclab::audit_test {
namespace {

/// The small program in C.
const std::string kProgram = SPECLAB_AUDIT_TOKEN;

/// That and the one in Python where there is one.
std::vector<std::vector<std::string>> programs() {
  std::vector<std::vector<std::string>> all{{kProgram}};
  if (std::system("command -v python3 >/dev/null") == 0) {
    all.push_back({"python3", SPECLAB_SOURCE_DIR "/tests/audit/token.py"});
  }
  return all;
}

TEST_CASE("audit: right programs pass and wrong ones fail where they are wrong") {
  for (std::vector<std::string> program : programs()) {
    CAPTURE(program.front());
    const Finished right = succeeds("audit --rule token --format json --", program);
    CHECK(right.json()["verdict"] == "pass");
    CHECK(right.json()["findings"].empty());
    CHECK(right.json()["least_power"].get<double>() >= 1 - 1e-6);
    CHECK(right.json()["false_alarm"].get<double>() <= 1e-9);
    program.emplace_back("draft-bonus");
    for (const auto& [fault, place] : {std::pair("draft-bonus", "bonus at accepted length"),
                                       std::pair("target-correction", "correction at accepted")}) {
      CAPTURE(fault);
      program.back() = fault;
      const Finished wrong = speclab_run("audit --rule token --format json --", program);
      REQUIRE(wrong.code == 1);
      const auto json = wrong.json();
      CHECK(json["verdict"] == "fail");
      REQUIRE(!json["findings"].empty());
      for (const auto& finding : json["findings"]) {
        CHECK_THAT(finding["decision"].get<std::string>(), Containing(place));
      }
    }
  }
}

TEST_CASE("audit: a finding is asked again alone by the command that is printed") {
  const std::vector<std::string> program{kProgram, "draft-bonus"};
  const Finished whole = speclab_run("audit --rule token --seed 4 --", program);
  REQUIRE(whole.code == 1);
  CHECK_THAT(whole.out, Containing("this case again:\n      speclab audit --rule token --case "));
  CHECK_THAT(whole.out, Containing("bonus wrong in ") || Containing("bonus\n      wrong in "));
  const auto from = whole.out.find("--case ") + 7;
  const std::string number = whole.out.substr(from, whole.out.find(' ', from) - from);
  const Finished alone =
      speclab_run("audit --rule token --case", number, "--seed 4 --format json --", program);
  CHECK(alone.code == 1);
  REQUIRE(alone.json()["cases"].size() == 1);
  CHECK(alone.json()["cases"][0]["case"] == "case " + number);
  CHECK_FALSE(alone.json()["findings"].empty());
  CHECK(speclab_run("audit --rule token --case 999 --", program).code == 2);
  // The first audit of --minutes has half of the false alarm, on which its trials depend.
  const Finished timed = speclab_run("audit --rule token --minutes 1 --", program);
  CHECK(timed.code == 1);
  CHECK_THAT(timed.out, Containing(" --seed 1 --false-alarm 5e-10"));
}

TEST_CASE("audit: known failures pass, new ones and fixed ones do not") {
  const Scratch scratch;
  const std::vector<std::string> wrong{kProgram, "draft-bonus"};
  const std::string known = scratch.file("known.json");
  REQUIRE(speclab_run("audit --rule token --format json --output", known, "--", wrong).code == 1);
  const auto with_known = [&](const std::vector<std::string>& program) {
    return speclab_run("audit --rule token --known-failures", known, "--", program);
  };
  CHECK(with_known(wrong).code == 0);
  const Finished other = with_known({kProgram, "target-correction"});
  CHECK(other.code == 1);
  CHECK_THAT(other.err, Containing("new failure: ") && Containing("correction at accepted"));
  const Finished fixed = with_known({kProgram});
  CHECK(fixed.code == 1);
  CHECK_THAT(fixed.err, Containing("known failure that is fixed: "));
  const std::string broken = scratch.write("broken.json", "{}");
  CHECK(speclab_run("audit --rule token --known-failures", broken, "--", wrong).code == 3);
}

TEST_CASE("audit: any lossless rule, and the same answers for the same seed") {
  const Finished once = succeeds("audit --format json --seed 5 --", kProgram);
  CHECK(once.json()["rule"] == "lossless");
  const double share = once.json()["share_of_optimum"];
  CHECK(share > 0);
  CHECK(share <= 1 + 1e-9);
  CHECK(speclab_run("audit --format json --seed 5 --", kProgram).out == once.out);
  CHECK(speclab_run("audit --", kProgram, "draft-bonus").code == 1);
}

TEST_CASE("audit: cases are shown without a program") {
  const Finished table = succeeds("audit --rule token --cases");
  CHECK_THAT(table.out, Containing("decisions  faults shown\n     1 "));
  const Finished json = speclab_run("audit --rule token --cases --format json");
  CHECK(!json.json()["cases"].empty());
}

TEST_CASE("audit: what cannot be asked is refused") {
  refuses(argv("audit"), 2, "the program to be audited is missing");
  refuses(argv("audit --"), 2, "the program to be audited is missing");
  refuses(argv("audit true"), 2, "the program is written behind --");
  refuses(argv("audit --mode verfy -- true"), 2, "did you mean 'verify'");
  refuses(argv("audit --power 1 -- true"), 2, "--power takes a probability");
  for (const std::string alarm : {"x", "0"}) {
    refuses(argv("audit --false-alarm", alarm, "-- true"), 2,
            "--false-alarm takes a probability above 0 and below 1, not '" + alarm + "'");
  }
  refuses(argv("audit --minutes 0 -- true"), 2, "--minutes takes a number above 0");
  refuses(argv("audit --minutes 1 --decisions 9 -- true"), 2, "leave out --decisions");
  refuses(argv("audit --battery large --mode generate -- true"), 2, "--battery large goes");
  refuses(argv("audit --timeout 0 -- true"), 2, "--timeout takes seconds");
  refuses(argv("audit --timeout 1000001 -- true"), 2, "up to 1000000, not '1000001'");
  refuses(argv("audit --mode generate --logits -- true"), 2, "--logits goes with");
  refuses(argv("audit --mode uniforms -- true"), 2, "name it with --rule");
  refuses(argv("audit --rule token --drafts 2 -- true"), 2, "--drafts goes with");
  refuses(argv("audit --drafts 50 --cases"), 4, "audit fewer drafts");
  refuses(argv("audit --rule optimal(K=1,class=coupling) --cases"), 3, "mode generate");
  refuses(argv("audit --cases -- true"), 2, "--cases starts no program");
  refuses(argv("audit --rule tokn -- true"), 3, "did you mean 'token'");
  refuses(argv("audit --rule token --trials 10 --", kProgram), 4, "decisions");
  refuses(argv("audit -- /no/such/program --help"), 3, "cannot start the program");
  refuses(argv("audit -- sh -c", std::string("echo garbage")), 3, "'garbage' received");
  refuses(argv("audit --timeout 0.5 -- sleep 1000"), 3, "within 0.5 seconds");
}

TEST_CASE("audit: an interrupt ends the program too") {
  const Scratch scratch;
  const std::string file = scratch.file("pid");
  Process process(argv("audit -- sh -c", "echo $$ >" + file + ".new; mv " + file + ".new " + file +
                                             "; exec sleep 1000"));
  while (!std::filesystem::exists(file)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send(SIGINT);
  const Finished done = process.wait();
  CHECK(done.code == 130);
  CHECK_THAT(done.err, Containing("interrupted"));
  CHECK(kill(std::stoi(slurp(file)), 0) != 0);
}

}  // namespace
}  // namespace speclab::audit_test
