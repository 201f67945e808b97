// Bad input, help, files and signals.
#include <filesystem>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"

namespace speclab::usage_test {
namespace {

Words exact(const std::string& pair, const auto&... more) {
  return argv("exact --pair", pair, "--verifier token --gamma 2", more...);
}

TEST_CASE("a wrong command line is one line and exit code 2") {
  refuses_in_line({}, 2, "give a command");
  refuses_in_line(argv("exakt"), 2, "did you mean 'exact'");
  refuses_in_line(argv("exact --pari", kToyPair), 2, "did you mean '--pair'");
  refuses_in_line(argv("exact --verifier token --gamma 2"), 2, "--pair is missing");
  refuses_in_line(argv("exact --pair", kToyPair, "--gamma 2"), 2, "--verifier is missing");
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier token"), 2, "--gamma is missing");
  for (const std::string gamma :
       {"0", "-1", "1.5", "two", "1:0", "0:3", "", "1e99", "1:2:3:4", "1:8:0"}) {
    refuses_in_line(argv("exact --pair", kToyPair, "--verifier token --gamma", gamma), 2,
                    "--gamma");
  }
  refuses_in_line(exact(kToyPair, "--format jsn"), 2, "did you mean 'json'");
  refuses_in_line(exact(kToyPair, "--arithmetic float"), 2, "--arithmetic takes rational, double");
  refuses_in_line(exact(kToyPair, "--horizon 0"), 2, "--horizon takes a whole number from 1");
  refuses_in_line(exact(kToyPair, "--horizon"), 2, "--horizon needs a value");
  refuses_in_line(exact(kToyPair, "--horizon 2 --horizon 3"), 2, "given twice");
  refuses_in_line(exact(kToyPair, "--law"), 2, "--law needs --horizon");
  refuses_in_line(exact(kToyPair, "extra"), 2, "unexpected argument 'extra'");
  refuses_in_line(exact(kToyPair, "--trials 10"), 2, "unknown option '--trials'");
  for (const std::string times :
       {"", "draft", "draft=x", "target=0", "draft=-1", "other=1", "draft=1,draft=2"}) {
    refuses_in_line(exact(kToyPair, "--latency", times), 2, "--latency: costs are times");
  }
  const Words task = argv("simulate --pair", kToyPair, "--verifier token --gamma 2");
  for (const auto& [option, value] :
       std::vector<std::pair<std::string, std::string>>{{"--trials", "1"},
                                                        {"--trials", "2e12"},
                                                        {"--trials", "2.5"},
                                                        {"--seed", "18446744073709551616"},
                                                        {"--seed", "-1"},
                                                        {"--threads", "0"}}) {
    refuses_in_line(argv(task, option, value), 2, option + " takes a whole number");
  }
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier token --gamma inf"), 2,
                  "add a horizon");
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier token,block --gamma 2"), 2,
                  "repeat it: --verifier token --verifier block");
  refuses_in_line({"exact", "--pair", kToyPair, "--verifier", "rrs(K=2), block", "--gamma", "2"}, 2,
                  "repeat it: --verifier 'rrs(K=2)' --verifier block");
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier token --gamma 1,2"), 2,
                  "repeat it: --gamma 1 --gamma 2");
  refuses_in_line(argv("optimum --pair", kToyPair, "--gamma 1 --drafts 1,2"), 2,
                  "repeat it: --drafts 1 --drafts 2");
  refuses_in_line(argv("verify --claim sun2024.lemma1,sun2024.lemma2"), 2,
                  "repeat it: --claim sun2024.lemma1 --claim sun2024.lemma2");
  refuses_in_line(argv("completion"), 2, "say which shell: bash or zsh");
  refuses_in_line(argv("completion fish"), 2, "bash or zsh, not 'fish'");
  refuses_in_line(argv("list papers --paper sun204"), 2, "did you mean 'sun2024'");
  refuses_in_line(argv("list commands --command exakt"), 2, "did you mean 'exact'");
  refuses_in_line(argv("list pairs --command exact"), 2, "--command is of");
  refuses_in_line(argv("list commands --paper sun2024"), 2, "--command NAME names one");
  refuses_in_line(argv("list"), 2, "say what to list");
  refuses_in_line(argv("list pair"), 2, "did you mean 'pairs'");
}

TEST_CASE("bad input is one line and exit code 3") {
  const Scratch scratch;
  refuses_in_line(exact("bernuli(draft=1/2,target=1/2)"), 3, "did you mean 'bernoulli'");
  refuses_in_line(exact("bernoulli(draft=1/2)"), 3, "target is missing");
  refuses_in_line(exact("bernoulli(draft=3/2,target=1/2)"), 3, "draft=3/2 is out of range");
  refuses_in_line(exact("iid(draft=[0.5,0.499],target=[1/2,1/2])"), 3, "sums to 999/1000");
  refuses_in_line(exact("bernoulli(draft=-1/3,target=1/2)"), 3, "draft=-1/3 is out of range");
  refuses_in_line(exact("bernoulli(draft=1/0,target=1/2)"), 3, "'1/0' divides by zero");
  refuses_in_line(exact("zipf(vocabulary=0,draft=1,target=1)"), 3,
                  "vocabulary=0 must be a whole number");
  refuses_in_line(exact("markov(vocabulary=3,horizon=5)", "--horizon 6"), 3, "a horizon of 6");
  refuses_in_line(exact("ngram(text=" + scratch.file("none") + ")"), 3, "No such file");
  refuses_in_line(exact("ngram(text=" + scratch.write("empty", "") + ")"), 3,
                  "is empty; give a text file");
  refuses_in_line(exact("ngram(text=" + scratch.write("binary", std::string("a\0b\xff", 4)) + ")"),
                  3, "byte 1 is NUL, so it is binary");
  refuses_in_line(exact("file(" + scratch.write("cut.json", "{\"vocabulary\": 2, \"ki") + ")"), 3,
                  "cut.json' is not valid JSON");
  refuses_in_line(exact("file(" + scratch.write("row.json", R"({"vocabulary": 2, "kind": "chain",
      "draft": [["1/2", "1/2"], ["1"]], "target": [["1/2", "1/2"], ["1/2", "1/2"]]})") +
                        ")"),
                  3, "row.json': draft, row 1 has 1 entries");
  refuses_in_line(exact(std::string(100'000, 'a')), 3, "100000 bytes long");
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier blok --gamma 1"), 3,
                  "did you mean 'block'");
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier rrs(K=0) --gamma 1"), 3,
                  "K=0 must be a whole number");
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier rrs(k=2) --gamma 1"), 3,
                  "the parameter is K, not k");
  refuses_in_line(exact("bernoulli(Draft=1/2,target=1/2)"), 3, "the parameter is draft, not Draft");
  refuses_in_line(exact("bernoulli(2/3,1/3)"), 3,
                  "every value needs its name; write bernoulli(draft=, target=), such as "
                  "bernoulli(draft=2/3,target=1/3)");
  refuses_in_line(argv("exact --pair", kToyPair, "--verifier rrs(2) --gamma 1"), 3,
                  "the value 2 has no name; write K=2");
  refuses_in_line(exact("file(" + scratch.write("blank.json", " \n") + ")"), 3,
                  "blank.json' is empty; write a pair there, such as {\"vocabulary\": 2");
}

TEST_CASE("rows and tables over the limit of memory are refused before they are made") {
  std::vector<std::string> task = argv(
      "simulate --pair markov(vocabulary=7,horizon=50,seed=10) --verifier token --gamma 2 "
      "--horizon 50 --trials 100");
  const auto within = [](const std::string& bytes, const Words& words) {
    return argv(words, "--max-memory", bytes);
  };
  std::vector<std::string> all_at_once = task;
  all_at_once.front() = "exact";
  all_at_once.resize(all_at_once.size() - 2);
  refuses_in_line(within("100K", all_at_once), 4, "states: 357, ");
  refuses_in_line(within("102400", all_at_once), 4,
                  "over the limit of 100 KiB; lower the horizon or the vocabulary, "
                  "or allow more memory (max-memory)");
  refuses_in_line(within("100", exact(kToyPair)), 4, "states: 1, ");
  // Trials keep half of the limit and need what one iteration reads beside it.
  refuses_in_line(within("16K", task), 4, "over the limit of 16 KiB");
  refuses_in_line(within("100", task), 4, "over the limit of 100 bytes");
  task = argv(task, "--threads 2 --format csv");
  CHECK(speclab_run(within("100K", task)).out == speclab_run(task).out);
  for (const std::string bytes : {"1M", "1G", "1T", "1e6"}) {
    succeeds(within(bytes, task));
  }
  for (const std::string bytes : {"", "0", "M", "2X", "-1", "1.5", "2m", "99999999999T"}) {
    refuses_in_line(within(bytes, task), 2,
                    "--max-memory takes bytes from 1 to 2^60, such as 500M or 2G");
  }
}

TEST_CASE(
    "a limit is exit code 4 with the count and the option, and what was finished is printed") {
  refuses_in_line(exact(kToyPair, "--max-paths 2"), 4, "allow more paths (max-paths)");
  // Those after a refused one are run nevertheless.
  const Finished done = speclab_run(
      "exact --pair", kToyPair,
      "--verifier path-block(K=2) --gamma 2 --gamma 1000 --gamma 2000 --gamma 3 --format json");
  CHECK(done.code == 4);
  CHECK(done.json()["results"].size() == 2);
  CHECK(done.json()["results"][1]["gamma"] == 3);
  CHECK_THAT(done.err, Containing("gamma 1000: about"));
  CHECK_THAT(done.err, Containing("1 more of 4 combinations"));
}

TEST_CASE("a joint law beyond the limit is null in JSON with a note, and refused with --law") {
  const auto more = [](const std::string& format) {
    return succeeds(exact(kToyPair, "--horizon 40 --format", format));
  };
  const auto result = more("json").json()["results"][0];
  CHECK(result["output"]["tv_to_target"].is_null());
  CHECK(result["decode"]["target_calls"]["value"] > 10);
  CHECK_THAT(result["notes"].dump(), Containing("the joint law of 40 tokens"));
  CHECK_THAT(more("table").out, Containing("note: output.tv_to_target: the joint law of 40"));
  const Finished csv = more("csv");
  CHECK(csv.out.find(",exact,output.tv_to_target") == std::string::npos);
  CHECK(csv.out.find(",closed-form,output.tv_to_target") != std::string::npos);
  CHECK_THAT(csv.out, Containing("decode.position_rates"));
  refuses_in_line(exact(kToyPair, "--horizon 40 --law"), 4, "max-paths");
}

TEST_CASE("the long run is asked for by name and shown in every format") {
  const Finished json = speclab_run(exact(kToyPair, "--long-run --format json"));
  const auto found = json.json()["results"][0]["long_run"];
  CHECK(found["acceptance_length"]["exact"] == "19/9");  // 1 + 2/3 + 4/9
  CHECK(found["acceptance_rate"]["exact"] == "5/9");
  CHECK(found["position_rates"].size() == 2);
  CHECK(found["rejection_rate"]["exact"] == "5/19");
  CHECK_THAT(speclab_run(exact(kToyPair, "--long-run")).out, Containing("long run"));
  CHECK_THAT(speclab_run(exact(kToyPair, "--long-run --format csv")).out,
             Containing("long_run.rejection_rate,,"));
  CHECK(!speclab_run(exact(kToyPair, "--format json")).json()["results"][0].contains("long_run"));
  refuses_in_line(
      argv("exact --pair", kToyPair, "--verifier token --gamma inf --horizon 3 --long-run"), 2,
      "finite gamma");
}

TEST_CASE("a file named by --output is replaced as a whole, and checked before the work") {
  const Scratch scratch;
  const std::string file = scratch.write("result.json", "old");
  const Finished done = succeeds(exact(kToyPair, "--format json --output", file));
  CHECK(done.out.empty());
  CHECK(nlohmann::json::parse(slurp(file))["results"].size() == 1);
  CHECK(scratch.files() == 1);
  // The work would take days: the refusal comes first.
  const Words forever =
      argv("simulate --pair", kToyPair, "--verifier token --gamma 8 --trials 1e12 --output");
  for (const std::string& place :
       {scratch.file("none/result"), scratch.file(""), std::string("/dev/null/x")}) {
    refuses_in_line(argv(forever, place), 3, "cannot write");
  }
  CHECK(scratch.files() == 1);
  // A failed run leaves the old file alone.
  CHECK(scratch.write("result.json", "old") == file);
  CHECK(speclab_run(exact(kToyPair, "--max-paths 2 --output", file)).code == 4);
  CHECK(slurp(file) == "old");
}

TEST_CASE("a signal ends a simulation with the trials that are done") {
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(
        argv("simulate --pair", kToyPair,
             "--verifier token --verifier block --gamma 4 --trials 1e12 --format json"));
    process.let_work(1.5);
    process.send(signal);
    process.send(
        signal);  // at once: the same request, as `timeout` sends it to a process and to its group
    const Finished done = process.wait();
    CHECK(done.code == 130);
    const auto results = done.json()["results"];
    REQUIRE(results.size() == 1);  // the second combination was not started
    const auto trials = results[0]["trials"].get<std::uint64_t>();
    CHECK(trials >= 2);
    CHECK(results[0]["interrupted"] == true);
    CHECK_THAT(done.err, Containing("interrupted after " + std::to_string(trials) + " trials"));
    // The finished trials are the first ones, whatever the threads.
    const auto again =
        speclab_run("simulate --pair", kToyPair, "--verifier token --gamma 4 --trials",
                    std::to_string(trials), "--format json");
    CHECK(again.json()["results"][0]["iteration"]["expected_accepted"] ==
          results[0]["iteration"]["expected_accepted"]);
  }
}

TEST_CASE("a signal ends an exact law promptly and keeps the combinations that are done") {
  Process process(argv("exact --pair", kToyPair,
                       "--verifier token --verifier slot-block(K=2) --gamma 2 --gamma 24 "
                       "--max-paths 1e15 --format json"));
  process.let_work(1.5);
  process.send(SIGINT);
  const Finished done = process.wait();
  CHECK(done.code == 130);
  CHECK(!done.json()["results"].empty());
  CHECK_THAT(done.err, Containing("interrupted"));
}

TEST_CASE("help, version, and every command's two examples work") {
  CHECK(speclab_run("--version").out.starts_with("speclab "));
  const Finished help = succeeds("--help");
  const auto commands = speclab_run("list commands --format json").json()["commands"];
  std::vector<std::string> names;
  for (const auto& row : commands) {
    if (row["option"] == "") names.push_back(row["command"]);
  }
  REQUIRE(names.size() >= 3);
  std::string texts = help.out;
  for (const std::string& name : names) {
    CHECK_THAT(help.out, Containing("  " + name));
    CHECK(speclab_run("help", name).out == speclab_run(name, "--help").out);
    const Finished one = succeeds(name, "--help");
    CHECK(speclab_run(name, "-h").out == one.out);
    for (const auto& row : commands) {
      const std::string option = row["option"];
      if (row["command"] == name) CHECK_THAT(one.out, Containing(option));
    }
    texts += one.out;
  }
  // Those of merge add up two shards. Shards of another build, as an earlier run left them, are
  // refused.
  std::filesystem::remove_all("shards");
  for (const char* shard : {"1/2", "2/2"}) {
    succeeds("simulate --pair", kToyPair,
             "--verifier token --gamma 2 --trials 100 --results shards --shard", shard);
  }
  std::istringstream lines(texts);
  std::string line;
  std::size_t examples = 0;
  for (bool inside = false; std::getline(lines, line);) {
    if (line == "examples:") {
      inside = true;
    } else if (!line.starts_with("  ")) {
      inside = false;
    } else if (inside) {
      ++examples;
      const std::string binary = SPECLAB_BINARY;
      const std::string folder = binary.substr(0, binary.rfind('/'));
      const std::string command =
          "PATH='" + folder + "':$PATH; (" + line.substr(2) + ") >/dev/null 2>&1";
      INFO(line);
      if (line.find("speclab plot") != std::string::npos && !draws_plots()) continue;
      CHECK(std::system(command.c_str()) == 0);
    }
  }
  CHECK(examples == 2 * (names.size() + 1));
}

TEST_CASE("a reader that goes away is no failure, and a full disk is") {
  const std::string start = "'" + std::string(SPECLAB_BINARY) + "' list pairs";
  CHECK(std::system(("bash -c \"set -o pipefail; " + start + " | true\"").c_str()) == 0);
  const int full = std::system((start + " >/dev/full 2>/dev/null").c_str());
  CHECK(WEXITSTATUS(full) == 3);
}

}  // namespace
}  // namespace speclab::usage_test
