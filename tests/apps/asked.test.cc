// What commands are asked for: ranges, choices and options that do not go together.
#include "apps/process.h"
#include "apps/refused.h"
#include "apps/small_experiment.h"
#include "catch.h"
#include "temporary_file.h"

namespace speclab::asked_test {
namespace {

/// The words of a question about token verification with these more.
Words asked(const std::string& command, const auto&... more) {
  return argv(command, "--pair", kToyPair, more...);
}

std::vector<std::string> compared(const std::vector<std::string>& more,
                                  const std::string& verifiers = "token,block") {
  return argv(asked("simulate", "--gamma 2 --trials 128 --compare", verifiers), more);
}

}  // namespace

TEST_CASE("columns and orders are of tables, and of quantities that there are") {
  const auto token = [](const auto&... more) {
    return asked("exact", "--verifier token --gamma 1", more...);
  };
  refuses(token("--columns expected_acepted"), 2, "did you mean 'expected_accepted'?");
  refuses(token("--sort nothing"), 2, "there is no column 'nothing'");
  refuses(token("--sort gamma --format csv"), 2, "--sort is of the table");
  const Finished sorted = succeeds(token("--gamma 2 --sort expected_accepted"));
  CHECK(sorted.out.find("token      2") < sorted.out.find("token      1"));
}

TEST_CASE("draft lengths are a number, a range of two or three numbers, or inf") {
  const auto lengths = [](const std::string& gamma) {
    const Finished done =
        speclab_run(asked("exact", "--verifier token --gamma", gamma, "--format json"));
    INFO(done.err);
    std::vector<int> found;
    const auto results = done.json().at("results");
    for (const auto& result : results) found.push_back(result.at("gamma"));
    return found;
  };
  CHECK(lengths("1:9:4") == std::vector<int>{1, 5, 9});
  CHECK(lengths("2:2") == std::vector<int>{2});
  for (const auto& [gamma, says] :
       {std::pair{"1:2:3:4", "not '1:2:3:4'"},
        {"4:1", "--gamma 4:1 is empty; write 1:4\n"},
        {"8:1:2", "--gamma 8:1:2 is empty; write 1:8:2\n"},
        {"1:", "a range such as 1:12 or 1:8:2, or inf, not '1:'"},
        {"1:1000000", "--gamma 1:1000000 is more than 100000 lengths; shorten the range"}}) {
    refuses(asked("exact", "--verifier token --gamma", gamma), 2, says);
  }
  refuses(asked("exact", "--verifier token --gamma 1:100000 --gamma 1"), 2,
          "there are more than 100000 combinations; ask for fewer");
}

TEST_CASE("a wrong draft length is refused with those that the command takes") {
  const std::string finite = "from 1 to 1000000, or a range such as 1:12 or 1:8:2, not '";
  for (const std::string gamma : {"0", "inf"}) {
    const Words wrong{"--gamma", gamma};
    const std::string to_end = finite + gamma + "'\n";
    refuses_in_line(asked("optimum", wrong), 2, to_end);
    refuses_in_line(asked("optimum", wrong, "--front"), 2, to_end);
    refuses_in_line(asked("optimum", wrong, "--shapes 3"), 2, to_end);
    refuses_in_line(asked("optimum", wrong, "--iterations 2"), 2, to_end);
    refuses_in_line(asked("check", "--verifier token", wrong), 2, to_end);
    refuses_in_line(argv("score texts.jsonl", wrong), 2,
                    "from 1 to 16, or a range such as 1:12 or 1:8:2, not '" + gamma + "'\n");
  }
  refuses_in_line(argv("score texts.jsonl --gamma 1:17"), 2, "from 1 to 16, or a range");
  refuses_in_line(asked("advise", "--latency draft=1,target=2 --gamma 0"), 2, "or inf, not '0'\n");
}

TEST_CASE("the law of tokens may be asked for with iterations alone") {
  const Finished done =
      succeeds(asked("exact", "--verifier token --gamma 1 --iterations 2 --law --format json"));
  // One iteration of token verification on the toy pair keeps its token with probability 2/3.
  CHECK(done.json().at("results").at(0).at("iterations").at("law").at(0).at(2).at("exact") ==
        "2/3");
  refuses(asked("exact", "--verifier token --gamma 1 --law"), 2,
          "--law needs --horizon or --iterations");
}

TEST_CASE("a comparison says what does not go with it") {
  refuses(compared({"--verifier", "token"}), 2, "--compare names its verifiers");
  refuses(compared({"--estimator", "conditional"}), 2, "--compare pairs whole trials");
  refuses(compared({"--law"}), 2, "--compare takes no --law; leave it out");
  refuses(compared({"--iterations", "2"}), 2, "--compare takes no --iterations; leave it out");
  refuses(compared({"--latency", "draft=1"}), 2, "add --horizon, or leave out --latency");
  refuses(compared({"--variance"}), 2, "--compare takes no --variance; leave it out");
  refuses(compared({"--columns", "tv"}), 2, "--compare takes no --columns; leave it out");
  refuses(compared({}, "rrs(K=2),rrs( K = 2 )"), 2, "--compare names rrs(K=2) twice");
  refuses(compared({"--format", "rates"}), 2, "--compare has no --format rates");
  for (const char* verifiers : {"token", "token,block,token"}) {
    refuses(compared({}, verifiers), 2, "--compare takes two verifiers");
  }
  // A comma in quotes parts nothing.
  refuses(compared({}, "token,\"a,b\""), 3, "'\"a,b\"'");
  const Finished spaced = succeeds(compared({}, "token, block"));
  CHECK(spaced.out == speclab_run(compared({})).out);
}

TEST_CASE("a comparison that ends at its second pair keeps the first and says that it is partial") {
  const TemporaryFile file(
      R"({"format": "speclab-recorded", "version": 1, "vocabulary": 2, "rows": "probabilities"}
{"tokens": [0, 0], "draft": [[0.7, 0.3], [0.7, 0.3]], "target": [[0.4, 0.6], [0.5, 0.5], [0.5, 0.5]]}
)");
  const Finished done =
      speclab_run(compared({"--pair", "recorded(" + file.path() + ")", "--format", "json"}));
  CHECK(done.code == 3);
  CHECK_THAT(done.err, Containing("a comparison needs two prompts or more with iterations"));
  CHECK(done.json().at("results").size() == 1);
  CHECK(done.json().at("results").at(0).at("pair") == kToyPair);
  CHECK_THAT(done.json().at("partial").get<std::string>(), Containing("needs two prompts or more"));
}

TEST_CASE("sizes of batches are whole numbers of digits") {
  for (const std::string batch : {"", "0", "1x", "/", "1000001", "12345678"}) {
    refuses(asked("advise", "--latency draft=0.1,target=1 --batch", batch), 2,
            "--batch takes a whole number from 1 to 1000000, not '" + batch + "'");
  }
}

TEST_CASE("advice asks of a verifier without drafts once and of a batch where one is given") {
  const Finished done = succeeds(
      asked("advise",
            "--latency draft=0.1,target=1+0.01n --batch 8 --trials 128 --horizon 8 --gamma 2:3 "
            "--verifier autoregressive --verifier token --verifier token --format json"));
  const auto result = done.json().at("results").at(0);
  std::vector<nlohmann::json> names;
  for (const auto& row : result.at("table")) names.push_back(row.at("verifier"));
  CHECK(names == std::vector<nlohmann::json>{"autoregressive", "token", "token", nullptr});
  CHECK(result.at("loads").at(0).at("batch") == 8);
  CHECK(result.at("loads").at(0).at("waits") == false);
  CHECK(result.at("loads").at(1).at("waits") == true);
  CHECK(result.at("loads").size() == 6);
}

TEST_CASE("numbers of drafts go with bare names of verifiers that take them") {
  const auto advise = [](const std::string& verifier) {
    return asked("advise",
                 "--latency draft=0.1,target=1 --gamma 1 --trials 128 --drafts 3 --verifier",
                 verifier);
  };
  refuses(advise("token"), 2, "--drafts is for verifiers that take a number of drafts");
  refuses(advise("rrs(K=2)"), 2, "--drafts is for verifiers that take a number of drafts");
  refuses(advise("nobody"), 3, "unknown verifier 'nobody'");
  refuses(argv("prove --verifier nobody --drafts 2 --vocabulary 2 --gamma 1 --models iid"), 2,
          "--drafts goes with the bare name of a verifier of several drafts");
}

TEST_CASE("a front is of one class, of numbers of tokens and in fractions") {
  const auto front = [](const auto&... more) { return asked("optimum", more..., "--front"); };
  const Finished done = succeeds(front("--gamma 1 --class algorithm2 --format csv"));
  // Of one token: rejected with probability TV = 1/3, or taken as it is with the draft's law.
  CHECK(done.out ==
        "pair,tokens,rejections,tv\n"
        "\"bernoulli(draft=2/3,target=1/3)\",1,0,1/3\n"
        "\"bernoulli(draft=2/3,target=1/3)\",1,1/3,0\n");
  refuses(asked("optimum", "--gamma 1 --arithmetic double --coupling"), 2,
          "--certificate and --coupling are in fractions; leave out --arithmetic double");
}

TEST_CASE("two files that a command writes are two, by whatever names, and a device may be one") {
  const Scratch scratch;
  const auto prove = [&](const std::string& certificate, const std::string& output) {
    return argv("prove --verifier token --vocabulary 2 --gamma 1 --models iid --certificate",
                certificate, "--output", output);
  };
  const std::string file = scratch.write("file", "old");
  std::filesystem::create_symlink("file", scratch.file("link"));
  const std::string both = "name the same file; give two";
  refuses(prove(file, file), 2, both);
  refuses(prove(file, scratch.file("link")), 2, both);
  refuses(prove(scratch.file("new"), scratch.file("./new")), 2, both);
  CHECK(slurp(file) == "old");
  succeeds(prove("/dev/null", "/dev/null"));
  succeeds(prove(file, scratch.file("new")));
  CHECK_THAT(slurp(scratch.file("new")), Containing("proved for all pairs: 7 cells"));
  // What goes on from a file may be written to another.
  const std::string next = scratch.file("next");
  succeeds("prove --resume", file, "--certificate", next);
  CHECK(nlohmann::json::parse(slurp(next)).at("cells").size() == 7);
}

TEST_CASE("the cases of an audit are shown as a table or JSON, of uniforms too") {
  refuses(argv("audit --cases --format csv"), 2, "--cases is printed as table or json");
  const Finished cases = succeeds("audit --cases --mode uniforms --rule token");
  CHECK_THAT(cases.out, Containing("faults shown"));
}

TEST_CASE("checks are quick or thorough and a word without a value takes none") {
  refuses(argv("verify --claim sun2025.lemma1 --quick --thorough"), 2,
          "give --quick or --thorough, not both");
  refuses(argv("verify --quick=1"), 2, "--quick takes no value");
  const auto instances = [](const Words& more) {
    const Finished done = speclab_run("verify --claim sun2025.lemma4 --format json", more);
    return done.json().at("claims").at(0).at("instances").get<int>();
  };
  const int usual = instances({});
  CHECK(instances({"--quick"}) < usual);
  CHECK(instances({"--thorough"}) > usual);
}

TEST_CASE("formulas are listed with what each is and where it stands") {
  const Finished done = succeeds("list formulas --format csv");
  CHECK_THAT(done.out, Containing("formula,what it is,source\n"));
  CHECK_THAT(done.out, Containing("\ntv,\"TV(d, t) of the next token, averaged over the prompt"));
}

TEST_CASE("an experiment is run once at a time and under a name of its own") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmallExperiment);
  const std::string results = scratch.file("results");
  refuses(
      argv("run", file, scratch.write("other/small.toml", kSmallExperiment), "--results", results),
      3, "the experiment 'small' is named twice; its results would be written over");
  refuses(argv("run", scratch.write("small.expected.toml", kSmallExperiment), "--results", results),
          3, "a name that ends in .expected is that of another experiment's file of results");
  refuses(argv("run --results", results), 2, "name an experiment or its file");
  CHECK_FALSE(std::filesystem::exists(results));
  refuses(argv("run", file, "--results", file), 3, "cannot make the folder '");
}

}  // namespace speclab::asked_test
