// One call of the system fails: an allocation, a write, a flush to the disk, the start of a thread;
// or the time of day is wrong, or a file of another process is in the way.
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "apps/process.h"
#include "catch.h"

namespace speclab::faults_test {
namespace {

const std::string kSweep = R"toml(
title = "small"
source = "none"
chunk = 64
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = 2
horizon = 3
[[task]]
name = "drawn"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = "token"
gamma = 2
horizon = 3
trials = 256
)toml";

/// A run of the sweep in a folder, in which a call of a kind fails: number n, none where n is 0.
Finished run(const std::string& file, const std::string& folder, const std::string& kind, long n,
             const std::string& count) {
  return speclab_run({{"LD_PRELOAD", SPECLAB_INJECT},
                      {"SPECLAB_FAIL", kind + ":" + std::to_string(n)},
                      {"SPECLAB_COUNT", count}},
                     "run", file, "--results", folder, "--threads 2");
}

/// Of 1 .. count at most `most`, the first and the last among them, the rest evenly spread.
std::set<long> spread(long count, long most) {
  std::set<long> chosen;
  for (long i = 0; i < most; ++i) chosen.insert(1 + i * (count - 1) / std::max(1L, most - 1));
  return chosen;
}

void check_kind(const std::string& kind, long most) {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSweep), count = scratch.file("count");
  const Finished whole = run(file, scratch.file("whole"), kind, 0, count);
  REQUIRE(whole.code == 0);
  const std::string csv = slurp(scratch.file("whole/small.csv"));
  const long calls = std::stol(slurp(count));
  REQUIRE(calls > 0);
  long failed = 0;
  for (const long n : spread(calls, most)) {
    const std::string folder = scratch.file("r" + std::to_string(n));
    const Finished done = run(file, folder, kind, n, count);
    INFO(kind << " " << n << " of " << calls << ": " << done.code << "\n" << done.err);
    // 1 would be a verdict that differs, and more than 1000 a signal.
    const std::set<int> ends{0, 3, 4, 70};
    CHECK(ends.contains(done.code));
    if (done.code != 0) {
      ++failed;
      CHECK_THAT(done.err, Containing("speclab: "));
    }
    // Nothing is lost, and nothing wrong was kept.
    succeeds("run", file, "--results", folder);
    CHECK(slurp(folder + "/small.csv") == csv);
  }
  // The calls do fail: a program that never notices is not tested.
  CHECK(failed > 0);
}

TEST_CASE("an allocation that fails ends in one line and loses nothing (long)") {
  check_kind("malloc", 40);
}

TEST_CASE("a write that fails ends in one line and loses nothing") { check_kind("write", 25); }

TEST_CASE("a flush to the disk that fails ends in one line and loses nothing") {
  check_kind("fsync", 20);
}

TEST_CASE("a library that aborts ends in one line and loses nothing") { check_kind("abort", 5); }

TEST_CASE("a thread that does not start ends in one line and loses nothing") {
  check_kind("thread", 10);
}

TEST_CASE("a clock that jumps by weeks changes nothing") {
  const Scratch scratch;
  const std::string file = scratch.write("small.toml", kSweep), count = scratch.file("count");
  succeeds("run", file, "--results", scratch.file("right"));
  const Finished jumping = run(file, scratch.file("jumping"), "clock", 1, count);
  INFO(jumping.err);
  CHECK(jumping.code == 0);
  CHECK(std::stol(slurp(count)) > 0);  // looks at the time of day
  CHECK(slurp(scratch.file("jumping/small.csv")) == slurp(scratch.file("right/small.csv")));
}

TEST_CASE("what a killed process of the same number left of OpenMP ends no other") {
  const Finished done =
      Process(
          argv("simulate --pair", kToyPair, "--verifier token --gamma 2 --trials 1000 --threads 2"),
          [] {
            std::ofstream("/dev/shm/__KMP_REGISTERED_LIB_" + std::to_string(getpid()) + "_" +
                          std::to_string(getuid()));
          })
          .wait();
  INFO(done.err);
  CHECK(done.code == 0);
}

TEST_CASE("shared memory that may not be written to is named") {
  // A read-only one takes root and a name space of mounts.
  const auto read_only = [] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", "/dev/shm", "tmpfs", MS_RDONLY, nullptr) != 0) {
      _exit(99);
    }
  };
  if (Process(argv("--version"), read_only).wait().code != 0) return;
  const Finished done =
      Process(argv("simulate --pair", kToyPair, "--verifier token --gamma 2 --trials 1000"),
              read_only)
          .wait();
  INFO(done.err);
  // OpenMP of another compiler needs none.
  if (done.code == 0) return;
  CHECK(done.code == 4);
  CHECK_THAT(done.err, Containing("cannot make a file in /dev/shm; mount it so that it can be"));
}

}  // namespace
}  // namespace speclab::faults_test
