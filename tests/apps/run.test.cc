#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

#include "occurrences.h"
#include "refused.h"

namespace speclab::run_test {
namespace {

/// A few tasks of every kind that needs no file, with many small chunks.
const std::string kSmall = R"toml(
title = "small"
source = "none"
chunk = 64
[[task]]
name = "runs"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "slot-block(K={K})"]
gamma = [2, 3]
horizon = 6
trials = [100, 1500]
quick-trials = 100
[task.vary]
K = [1, 2]
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = "1:2"
[[derived]]
name = "gain"
quantity = "iteration.expected_accepted"
operation = "difference"
of = {task = "law", verifier = "block"}
over = {task = "law", verifier = "token"}
[[expected]]
source = "by hand, 11/9 - 10/9"
task = "gain"
gamma = 2
quantity = "iteration.expected_accepted"
value = "1/9"
)toml";

std::string run_small(const std::string& file, const std::string& folder, const auto&... more) {
  return succeeds("run", file, "--results", folder, "--threads 2", more...).out;
}

std::string without_last_column_of(const std::string& text, char separator) {
  return text.substr(0, text.find(separator));
}

}  // namespace

TEST_CASE("killed 50 times at random moments, a sweep ends with the bytes of an undisturbed one") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmall);
  // How long a run takes from nothing, and one that finds all, on this machine now.
  std::array<std::chrono::microseconds, 2> lasts{};
  for (auto& each : lasts) {
    const auto began = std::chrono::steady_clock::now();
    run_small(file, scratch.file("whole"));
    each = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 began);
  }
  const std::string whole = slurp(scratch.file("whole/small.csv"));
  std::mt19937 random(20240229);
  int killed = 0;
  for (int i = 0; i < 50; ++i) {
    Process process(argv("run", file, "--results", scratch.file("torn"), "--threads 2"));
    std::this_thread::sleep_for(std::chrono::microseconds(
        static_cast<std::int64_t>(random()) % lasts[static_cast<std::size_t>(i) % 2].count()));
    process.send(SIGKILL);
    if (process.wait().code == 1000 + SIGKILL) ++killed;
    // Now and then it begins again, so that all moments of a run are met.
    if (i % 4 == 3 && i < 44) std::filesystem::remove_all(scratch.file("torn"));
  }
  CHECK(killed >= 25);
  run_small(file, scratch.file("torn"));
  CHECK(slurp(scratch.file("torn/small.csv")) == whole);
}

TEST_CASE("what is on record is not run again, and more trials count none twice") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmall);
  run_small(file, scratch.file("whole"));
  const std::string whole = slurp(scratch.file("whole/small.csv"));
  const std::string again = run_small(file, scratch.file("whole"));
  CHECK(again.find("10 tasks (10 found), 9000 trials (9000 found)") != std::string::npos);
  CHECK(slurp(scratch.file("whole/small.csv")) == whole);
  // 100 trials of each task first, then all. The six are all different: token names no K.
  run_small(file, scratch.file("grown"), "--quick");
  const std::string grown = run_small(file, scratch.file("grown"));
  CHECK(grown.find("9000 trials (600 found)") != std::string::npos);
  CHECK(slurp(scratch.file("grown/small.csv")) == whole);
  // And fewer again: what more trials left behind is no hindrance.
  const std::string fewer = run_small(file, scratch.file("grown"), "--quick");
  CHECK(fewer.find("600 trials (600 found)") != std::string::npos);
  // Another seed is another result, and the first is still there.
  run_small(file, scratch.file("grown"), "--seed 2");
  CHECK(slurp(scratch.file("grown/small.csv")) != whole);
  CHECK(run_small(file, scratch.file("grown")).find("(9000 found)") != std::string::npos);
  CHECK(slurp(scratch.file("grown/small.csv")) == whole);
}

TEST_CASE("two processes on one results file do not hinder each other") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmall);
  run_small(file, scratch.file("whole"));
  Process one(argv("run", file, "--results", scratch.file("both"), "--threads 1"));
  Process two(argv("run", file, "--results", scratch.file("both"), "--threads 2"));
  const Finished first = one.wait(), second = two.wait();
  INFO(first.err << second.err);
  CHECK(first.code == 0);
  CHECK(second.code == 0);
  CHECK(slurp(scratch.file("both/small.csv")) == slurp(scratch.file("whole/small.csv")));
}

TEST_CASE("a simulation of a sweep is that of `simulate`, trial for trial") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmall);
  run_small(file, scratch.file("out"));
  const auto json = speclab_run(
                        "simulate --pair bernoulli(draft=1/3,target=2/3) --verifier token "
                        "--gamma 2 --horizon 6 --trials 1500 --format json")
                        .json();
  const std::string mean = json["results"][0]["decode"]["rejections"]["mean"].dump();
  CHECK(slurp(scratch.file("out/small.csv"))
            .find(",token,2,6,,double,simulate,decode.rejections,," + mean + ",") !=
        std::string::npos);
}

TEST_CASE("adaptive stopping ends at the same chunk, whatever was killed") {
  const Scratch scratch;
  const std::string file = scratch.write("adaptive.toml", R"toml(
title = "adaptive"
source = "none"
chunk = 128
[[task]]
name = "runs"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = "token"
gamma = 4
horizon = 8
trials = 100000
precision = 0.02
keep = "decode.rejections"
)toml");
  run_small(file, scratch.file("whole"));
  const std::string whole = slurp(scratch.file("whole/adaptive.csv"));
  const std::string row = whole.substr(whole.find('\n') + 1);
  const auto at = row.find(",1,");  // the seed follows the trials
  REQUIRE(at != std::string::npos);
  const int trials = std::stoi(row.substr(row.rfind(',', at - 1) + 1));
  CHECK(trials % 128 == 0);
  CHECK(trials > 128);
  CHECK(trials < 100000);
  run_small(file, scratch.file("parts"), "--trials 300");
  run_small(file, scratch.file("parts"));
  CHECK(slurp(scratch.file("parts/adaptive.csv")) == whole);
}

TEST_CASE("a sweep writes its results, what was expected, and a manifest apart from both") {
  const Scratch scratch;
  run_small(scratch.write("small.toml", kSmall), scratch.file("out"));
  const std::string text = slurp(scratch.file("out/small.csv"));
  CHECK(text.find("small,gain,,\"bernoulli(draft=1/3,target=2/3)\",block,2,,,rational,derived,"
                  "iteration.expected_accepted,,0.1111111111111111,1/9,") != std::string::npos);
  const std::string expected = slurp(scratch.file("out/small.expected.csv"));
  CHECK(without_last_column_of(expected, '\n') ==
        "experiment,line,source,task,pair,verifier,vary,gamma,horizon,iterations,quantity,index,"
        "claim,relation,along,printed,tolerance,ours,exact,stderr,verdict,detail,explanation,kind");
  CHECK(occurrences(expected, ",reproduced,") == 1);
  const auto manifest = nlohmann::json::parse(slurp(scratch.file("out/manifest.json")));
  for (const char* key : {"version", "seed", "host", "threads", "seconds", "experiments"}) {
    CHECK(manifest.contains(key));
  }
}

TEST_CASE("the folder of results has one name, and its old one still works and is named") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmall);
  const Finished old = succeeds("run", file, "--quick --output", scratch.file("old"));
  CHECK(old.err.find("write --results") != std::string::npos);
  CHECK(std::filesystem::exists(scratch.file("old/small.csv")));
  refuses(argv("run", file, "--results", scratch.file("a"), "--output", scratch.file("b")), 2,
          "both name the folder of results");
}

TEST_CASE("a bad experiment file is one line with its place and the fix") {
  const Scratch scratch;
  const std::string head = "title = \"t\"\nsource = \"s\"\n";
  const std::string task =
      "[[task]]\nname = \"a\"\nkind = \"exact\"\npair = \"uniform(draft=2,target=1)\"\n";
  struct Case {
    std::string text, message;
  };
  const std::vector<Case> cases{
      {"", "bad.toml:1: the file is empty"},
      {"title = ", "bad.toml:1: "},
      {"title = 3\nsource = \"s\"\n", "bad.toml:1: title is a string in quotes"},
      {head, "bad.toml:1: an experiment has at least one [[task]] or [[table]]"},
      {head + task + "verifer = \"token\"\ngamma = 1\n",
       "bad.toml:7: unknown key 'verifer' in [[task]]; did you mean 'verifier'?"},
      {head + task + "verifier = \"token\"\ngamma = \"2:1\"\n", "bad.toml:8: gamma is a number, a"},
      {head + task + "verifier = \"token\"\ngamma = true\n", "bad.toml:8: gamma is a whole number"},
      {head + task + "verifier = \"tokn\"\ngamma = 1\n", "did you mean 'token'?"},
      {head + task + "verifier = \"token\"\ngamma = 1\nhorizon = []\n",
       "bad.toml:9: horizon is an"},
      {head + "[[task]]\nname = \"a\"\nkind = \"exakt\"\n", "bad.toml:5: kind is one of"},
      {head + task + "verifier = \"kseq(K={L})\"\ngamma = 1\n[task.vary]\nK = [1]\n",
       "bad.toml:3: 'kseq(K={L})': no variable 'L'"},
      {head + task +
           "verifier = \"token\"\ngamma = 1\n[[expected]]\nsource = \"x\"\ntask = \"b\"\n"
           "quantity = \"iteration.tail\"\nvalue = 1\n",
       "bad.toml:9: there is no task 'b'"},
      {head + task +
           "verifier = \"token\"\ngamma = 1\n[[expected]]\nsource = \"x\"\ntask = \"a\"\n"
           "quantity = \"decode.tokens\"\nvalue = 1\n",
       "bad.toml:9: [[expected]] chooses no row"}};
  for (const Case& bad : cases) {
    const std::string file = scratch.write("bad.toml", bad.text);
    INFO(bad.text);
    refuses_in_line(argv("run", file, "--results", scratch.file("out")), 3, bad.message);
  }
  refuses_in_line(argv("run", scratch.file("none.toml")), 3, "none.toml': No such file");
  CHECK(speclab_run("run").code == 2);
  refuses_in_line(argv("run yin2024-fig22"), 3, "did you mean 'yin2024-fig2");
  std::filesystem::create_directory(scratch.file("out"));  // a bad file made none
  const std::string database = scratch.write("out/results.sqlite", std::string(4096, 'x'));
  const std::string good = scratch.write("small.toml", kSmall);
  refuses_in_line(argv("run", good, "--results", scratch.file("out")), 3,
                  "results.sqlite' cannot be used: file is not a database");
}

TEST_CASE("what is not reproduced, or explained and reproduced, ends with exit code 1") {
  const Scratch scratch;
  std::string text = kSmall;
  text.replace(text.find("value = \"1/9\""), 13, "value = 0.25");
  const Finished done =
      speclab_run("run", scratch.write("small.toml", text), "--results", scratch.file("out"));
  CHECK(done.code == 1);
  CHECK(done.err.find("not reproduced, and not explained: 1/9 equals 0.25") != std::string::npos);
  const Finished explained =
      succeeds("run", scratch.write("small.toml", text + "explanation = \"a misprint\"\n"),
               "--results", scratch.file("out"));
  CHECK(slurp(scratch.file("out/small.expected.csv")).find(",not reproduced (explained),") !=
        std::string::npos);
  const Finished after_all = speclab_run(
      "run", scratch.write("small.toml", std::string(kSmall) + "explanation = \"a misprint\"\n"),
      "--results", scratch.file("out"));
  CHECK(after_all.code == 1);
  CHECK(after_all.err.find(
            "unexpectedly reproduced, though the file explains why it would not be: 1/9") !=
        std::string::npos);
}

TEST_CASE("every experiment runs, and nothing that it expects fails (long)") {
  const Scratch scratch;
  const auto listed = speclab_run("list experiments --format json").json();
  const std::size_t experiments = listed["experiments"].size();
  CHECK(experiments >= 16);
  const Finished done = speclab_run("run all --quick --trials 200 --results", scratch.file("out"));
  INFO(done.out << done.err);
  CHECK(done.code == 0);
  CHECK(occurrences(done.out, ", 0 not reproduced") == experiments);
  CHECK(occurrences(done.out, "unexpectedly reproduced") == 0);
  for (const auto& row : listed["experiments"]) {
    const std::string csv =
        slurp(scratch.file("out/" + row["experiment"].get<std::string>() + ".csv"));
    CHECK(occurrences(csv, "\n") > 5);
    CHECK(csv.find("nan") == std::string::npos);
  }
}

}  // namespace speclab::run_test
