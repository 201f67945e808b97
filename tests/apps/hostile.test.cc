// Limits of the system, signals and paths that cannot be used: each ends the program with one line
// and an exit code of its own.
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>

#include "apps/process.h"
#include "apps/small_experiment.h"
#include "catch.h"

namespace speclab::hostile_test {
namespace {

const Words kSimulate =
    argv("simulate --pair", kToyPair, "--verifier token --gamma 2 --trials 1000");

/// One line on standard error that holds `text`, and this exit code.
void ends(const std::vector<std::string>& words, const std::function<void()>& before, int code,
          const std::string& text) {
  const Finished done = Process(words, before).wait();
  INFO(done.err);
  CHECK(done.code == code);
  REQUIRE(done.err.starts_with("speclab: "));
  // On a slow machine notes of what it is at come first.
  const std::size_t last = done.err.rfind("speclab: ");
  CHECK((last == 0 || done.err.starts_with("speclab: after 2 s: ")));
  CHECK(std::count(done.err.begin() + static_cast<std::ptrdiff_t>(last), done.err.end(), '\n') ==
        1);
  CHECK_THAT(done.err, Containing(text));
}

/// Ends the process by a signal in the middle of its work.
Finished interrupt(Process& process, double worked = 2) {
  process.let_work(worked);
  process.send(SIGINT);
  return process.wait();
}

/// In the child: no longer the superuser, whom no permission binds.
void be_nobody() {
  if (getuid() == 0 && setuid(65534) != 0) _exit(126);
}

}  // namespace

TEST_CASE("threads that the system does not start are a limit and no verdict") {
  const auto one_process = [] {
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // looking for leaks takes a process of its own
    limit(RLIMIT_NPROC, 1);
    be_nobody();
  };
  ends(argv(kSimulate, "--threads 4"), one_process, 4, "of 4 threads");
  ends(argv("verify --claim sun2025 --quick --threads 3"), one_process, 4,
       "ask for fewer with --threads");
  if (!kSanitized) {
    ends(
        argv(kSimulate, "--threads 512"), [] { limit(RLIMIT_AS, 400'000'000); }, 4,
        "of 512 threads");
  }
  CHECK(Process(argv(kSimulate, "--threads 1"), one_process).wait().code == 0);
}

TEST_CASE("an absurd number of threads in the environment is named") {
  const auto many = [] { setenv("OMP_NUM_THREADS", "100000", 1); };
  ends(kSimulate, many, 2, "OMP_NUM_THREADS asks for 100000 threads");
  CHECK(Process(argv(kSimulate, "--threads 2"), many).wait().code == 0);
}

TEST_CASE("a file that may not grow is an error of the write") {
  const Scratch scratch;
  ends(
      argv("list claims --format json --output", scratch.file("claims.json")),
      [] { limit(RLIMIT_FSIZE, 1024); }, 3, "File too large");
  CHECK(scratch.files() == 0);
}

TEST_CASE("memory that runs out for exact fractions is said") {
  if (kSanitized) return;
  // Fractions of hundreds of thousands of digits.
  ends(
      argv("exact --pair bernoulli(draft=1e-4000,target=3e-4001) --verifier token --gamma 100 "
           "--threads 1"),
      [] { limit(RLIMIT_AS, 110'000'000); }, 70, "out of memory");
}

TEST_CASE("an empty list of rates is refused") {
  for (const std::string verifier : {"sprinter(fp=[],tp=1)", "sprinter-printed(fp=[],tp=1)"}) {
    ends(argv("exact --pair", kToyPair, "--verifier", verifier, "--gamma 2"), {}, 3,
         "fp=[] is empty; give at least one number");
  }
}

TEST_CASE("a report that was interrupted is marked") {
  const Scratch scratch;
  // Minutes of claims, of which the first take parts of a second.
  Process verify(argv("verify --format junit --output", scratch.file("v.xml")));
  CHECK(interrupt(verify, 2).code == 130);
  const std::string junit = slurp(scratch.file("v.xml"));
  CHECK_THAT(junit, Containing("errors=\"1\"") && Containing("partial: interrupted after"));
  const Words forever =
      argv("simulate --pair", kToyPair, "--verifier token --gamma 2 --trials 1e12 --format");
  for (const std::string format : {"table", "json", "csv", "markdown"}) {
    Process simulate(argv(forever, format));
    const Finished done = interrupt(simulate);
    CHECK(done.code == 130);
    CHECK_THAT(done.out, Containing("interrupted after"));
  }
}

TEST_CASE("what is wrong with a path is an input error and no fault of the program") {
  const Scratch scratch;
  const std::string loop = scratch.file("loop");
  std::filesystem::create_symlink(loop, loop);
  const std::string closed = scratch.write("closed/a.toml", kSmallExperiment);
  std::filesystem::permissions(std::filesystem::path(closed).parent_path(),
                               std::filesystem::perms::none);
  std::filesystem::permissions(scratch.file(""), std::filesystem::perms(0777));
  const auto refused = [&](const std::string& word, const std::string& folder) {
    const Finished done = Process(argv("run", word, "--results", folder), be_nobody).wait();
    INFO(done.err);
    CHECK(done.code == 3);
    CHECK(std::count(done.err.begin(), done.err.end(), '\n') == 1);
  };
  const std::string good = scratch.write("good.toml", kSmallExperiment);
  for (const std::string& wrong : {loop, std::string(300, 'x'), closed, scratch.file("none")}) {
    refused(wrong, scratch.file("results"));
    if (wrong != scratch.file("none")) refused(good, wrong + "/results");
  }
  refused("no\xff such", scratch.file("results"));
  std::filesystem::permissions(std::filesystem::path(closed).parent_path(),
                               std::filesystem::perms::owner_all);
  // A name that is not UTF-8 is no hindrance.
  const std::string odd = scratch.write("odd\xff.toml", kSmallExperiment);
  succeeds("run", odd, "--results", scratch.file("odd results\xfe"));
}

TEST_CASE("a folder of experiments that is not there is named") {
  const auto nowhere = [] { setenv("SPECLAB_EXPERIMENTS", "/nonexistent", 1); };
  ends(argv("run all"), nowhere, 3, "SPECLAB_EXPERIMENTS names '/nonexistent'");
  ends(argv("run yin2024-fig2"), nowhere, 3, "SPECLAB_EXPERIMENTS names '/nonexistent'");
  const Scratch scratch;
  ends(
      argv("run all"), [&] { setenv("SPECLAB_EXPERIMENTS", scratch.file("").c_str(), 1); }, 3,
      "no experiments are installed");
}

TEST_CASE("no command writes over a file that it names") {
  const Scratch scratch;
  const auto kept = [&](const std::string& file, const auto&... words) {
    const std::string before = slurp(file);
    ends(argv(words..., "--output", file), {}, 2, "--output would write over '" + file + "'");
    CHECK(slurp(file) == before);
  };
  const std::string costs = scratch.write("costs.csv", "n,time\n1,1\n2,1.1\n");
  kept(costs, "exact --pair", kToyPair, "--verifier token --gamma 1 --latency",
       "draft=0.1,target=@" + costs);
  const std::string pair = scratch.write("pair.json", R"({"vocabulary": 2, "kind": "iid",
      "draft": ["1/2", "1/2"], "target": ["1/4", "3/4"]})");
  kept(pair, "optimum --pair", "file(" + pair + ")", "--gamma 1");
  kept(pair, "advise --pair", "file(\"" + pair + "\")", "--latency draft=1,target=2");
  kept(pair, "prove --check", pair);
  kept(pair, "prove --resume", pair);
  kept(scratch.write("lines.svg", "pair\n"), "plot", scratch.file("lines.svg"));
}

TEST_CASE("no command writes over a file that it reads, however the file is named") {
  const Scratch scratch;
  const auto kept = [&](const std::string& file, const std::string& option, const auto&... words) {
    const std::string before = slurp(scratch.file(file));
    ends(
        argv(words..., option, file), [&] { enter(scratch); }, 2,
        option + " would write over '" + file +
            "', which the command reads; write to another place");
    CHECK(slurp(scratch.file(file)) == before);
  };
  // Without a dot or a slash a name is no path at first sight. What the files hold is wrong, and
  // not looked at.
  for (const std::string file :
       {"text", "recording", "law", "table", "tables", "rates", "lines.svg"}) {
    CHECK(!scratch.write(file, "?").empty());
  }
  CHECK(!scratch.write("hdf5", "\x89HDF\r\n\x1a\n").empty());
  const Words exact = argv("exact --gamma 1 --verifier token --pair");
  kept("text", "--output", exact, "ngram(text=text)");
  kept("recording", "--output", exact, "recorded(recording)");
  kept("hdf5", "--output", exact, "recorded(\"hdf5\")");
  kept("law", "--output", exact, "file(law,temperature=1)");
  kept("table", "--output", exact, kToyPair, "--latency draft=0.1,target=@table");
  kept("tables", "--output", exact, kToyPair, "--verifier rule(file=tables)");
  kept("rates", "--output", exact, kToyPair, "--verifier sprinter(rates=rates)");
  kept("text", "--output", "advise --pair ngram(text=text) --latency target=1");
  kept("text", "--output", "verify --pair ngram(text=text)");
  kept("text", "--output", "optimum --pair ngram(text=text) --gamma 1");
  kept("text", "--output", "train --pair ngram(text=text) --lambda 1");
  kept("text", "--rates", "train --pair ngram(text=text) --lambda 1");
  kept("law", "--output", "prove --check law");
  kept("lines.svg", "--output", "plot lines.svg");
  kept("rates", "--output", "simulate --pair", kToyPair,
       "--gamma 1 --trials 640 --compare token,sprinter(rates=rates)");
  CHECK(!scratch.write("plugin", "?").empty());
  kept("plugin", "--output", "list verifiers --plugin plugin");
}

TEST_CASE("a word is no file") {
  const Scratch scratch;
  const auto there = [&] { enter(scratch); };
  for (int i = 0; i < 2; ++i) {
    CHECK(Process(argv("list pairs --output pairs"), there).wait().code == 0);
  }
}

TEST_CASE("no output goes through a dangling link or over a file that is read") {
  const Scratch scratch;
  std::filesystem::create_symlink(scratch.file("none"), scratch.file("link"));
  const Words ask = argv("exact --verifier token --gamma 1 --pair");
  ends(argv(ask, kToyPair, "--output", scratch.file("link")), {}, 3,
       "it is a link to a file that is not there");
  const std::string law = R"({"vocabulary": 2, "kind": "iid", "draft": ["1/2", "1/2"],
                              "target": ["1/4", "3/4"]})";
  const std::string pair = scratch.write("pair.json", law);
  std::filesystem::create_symlink(pair, scratch.file("other"));
  for (const std::string& output : {pair, scratch.file("other")}) {
    ends(argv(ask, "file(" + pair + ")", "--output", output), {}, 2, "--output would write over");
  }
  CHECK(slurp(pair) == law);
}

TEST_CASE("a results file that another process holds is waited for until a signal comes") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmallExperiment);
  succeeds("run", file, "--results", scratch.file("r"));
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(scratch.file("r/results.sqlite").c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) == SQLITE_OK);
  Process waits(argv("run", file, "--results", scratch.file("r")));
  waits.let_wait();
  waits.send(SIGINT);
  CHECK(waits.wait().code == 130);
  sqlite3_close(other);
}

TEST_CASE("a disk that is full loses nothing and the message asks nobody to remove anything") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmallExperiment);
  const Words words = argv("run", file, "--results", scratch.file("r"));
  const auto kept = [&](const std::function<void()>& before, const std::string& why) {
    const Finished done = Process(words, before).wait();
    INFO(done.err);
    CHECK(done.code == 3);
    CHECK_THAT(done.err, Containing(why));
    CHECK_THAT(done.err, Containing("run again: what was finished is kept"));
    CHECK(done.err.find("remove") == std::string::npos);
  };
  kept([] { limit(RLIMIT_FSIZE, 1024); }, "see to its disk");
  // A disk of one's own takes root and a name space of mounts.
  std::filesystem::create_directory(scratch.file("r"));
  const auto small_disk = [&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", scratch.file("r").c_str(), "tmpfs", 0, "size=8k") != 0) {
      _exit(99);
    }
  };
  if (Process(argv("--version"), small_disk).wait().code == 0) {
    kept(small_disk, "free some space on its disk");
  }
  succeeds(words);
}

TEST_CASE("results that may only be read are shown again") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSmallExperiment);
  succeeds("run", file, "--results", scratch.file("r"));
  const std::string csv = slurp(scratch.file("r/small.csv"));
  namespace fs = std::filesystem;
  fs::permissions(scratch.file(""), fs::perms(0755));
  for (const auto& each : fs::directory_iterator(scratch.file("r"))) {
    fs::permissions(each.path(), fs::perms(0444));
  }
  fs::permissions(scratch.file("r"), fs::perms(0555));
  const Finished again =
      Process(argv("run", file, "--results", scratch.file("r")), be_nobody).wait();
  INFO(again.err);
  CHECK(again.code == 0);
  CHECK_THAT(again.out, Containing("1 tasks (1 found)"));
  // What is not there cannot be kept there.
  ends(argv("run", scratch.write("more.toml", kSmallExperiment + "horizon = 4\n"), "--results",
            scratch.file("r")),
       be_nobody, 3, "may only be read, and does not hold all that is asked for");
  fs::permissions(scratch.file("r"), fs::perms(0755));
  CHECK(slurp(scratch.file("r/small.csv")) == csv);
}

}  // namespace speclab::hostile_test
