// Shards of a sweep: together they are the whole, and what is not of them is refused by name.
#include "experiment/shard.h"

#include <filesystem>

#include "base/error.h"
#include "catch.h"
#include "experiment/document.h"
#include "experiment/forge.h"
#include "experiment/stored_trials.h"
#include "experiment/sweep.h"
#include "report/report.h"
#include "scratch.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

/// Tasks of every kind, with ranges that no number of shards divides.
const std::string kTasksOfEveryKind = R"toml(
title = "a sweep"
source = "none"
chunk = 64
[[task]]
name = "runs"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = 2
horizon = 4
trials = [50, 301]
[[task]]
name = "precise"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = "block"
gamma = 3
horizon = 4
trials = 2000
precision = 0.2
keep = ["iteration.expected_accepted"]
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = "1:2"
[[task]]
name = "forms"
kind = "predict"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = "token"
gamma = 2
horizon = 8
)toml";

class Sharded {
 public:
  Sharded()
      : experiment_(read_experiment(scratch_.write("sweep.toml", kTasksOfEveryKind))),
        tasks_(expand(experiment_, {}, bench_)) {}

  [[nodiscard]] ShardRecord record(Shard shard, std::uint64_t seed = 1) const {
    return {shard, seed, kResultsVersion, "run sweep"};
  }
  [[nodiscard]] std::string folder() const { return scratch_.file(""); }

  /// Runs a shard into its store. @returns the trials that were run
  std::uint64_t run(Shard shard, std::uint64_t seed = 1) {
    Store store(shard_store(folder(), shard));
    store.begin_shard(record(shard, seed));
    const std::uint64_t trials = sweep(store, shard, seed).trials;
    store.finish_shard();
    return trials;
  }
  void run_all(int of) {
    for (int i = 1; i <= of; ++i) run({i, of});
  }
  /// The results of a store, and how much of them was found there.
  std::pair<std::string, SweepCounts> whole(Store& store) {
    SweepOptions options;
    options.threads = 1;
    Sweep sweep(store, options, [](double, const std::string&) {});
    std::string csv =
        render(results_document(experiment_, sweep.run(experiment_, tasks_, bench_)), Format::csv);
    return {csv, sweep.counts()};
  }
  void remove_stores() const {
    for (const std::string& file : shard_stores(folder())) fs::remove(file);
  }
  void refuses(const std::string& why) const {
    CHECK_THROWS_WITH(ShardSet(shard_stores(folder())), Containing(why));
  }
  [[nodiscard]] std::string file(const std::string& name) const { return scratch_.file(name); }

 private:
  SweepCounts sweep(Store& store, Shard shard, std::uint64_t seed) {
    SweepOptions options;
    options.shard = shard;
    options.seed = seed;
    options.threads = 1;
    Sweep sweep(store, options, [](double, const std::string&) {});
    CHECK(sweep.run(experiment_, tasks_, bench_).empty());
    return sweep.counts();
  }

  Scratch scratch_;
  Bench bench_;
  Experiment experiment_;
  std::vector<SweepTask> tasks_;
};

TEST_CASE("the ranges of all shards are the trials, each once") {
  for (const std::uint64_t trials : {0ULL, 1ULL, 2ULL, 7ULL, 301ULL, 1'000'000'000'000ULL}) {
    for (const int of : {1, 2, 3, 7, 1000, kMostShards}) {
      std::uint64_t next = 0;
      for (int i = 1; i <= of; ++i) {
        const Shard shard{i, of};
        REQUIRE(shard.begin(trials) == next);
        next = shard.end(trials);
        REQUIRE(next - shard.begin(trials) <= trials / static_cast<std::uint64_t>(of) + 1);
      }
      CHECK(next == trials);
    }
  }
}

TEST_CASE("every item is dealt to one shard") {
  for (const int of : {1, 2, 5}) {
    for (std::size_t item = 0; item < 20; ++item) {
      int has = 0;
      for (int i = 1; i <= of; ++i) has += Shard{i, of}.has(item) ? 1 : 0;
      CHECK(has == 1);
    }
  }
}

TEST_CASE("shards add up to the bytes of one process, which runs nothing again") {
  Sharded work;
  Store alone(work.file("alone.sqlite"));
  const auto [csv, counts] = work.whole(alone);
  for (const int of : {2, 3, 7}) {
    CAPTURE(of);
    std::uint64_t trials = 0;
    for (int i = 1; i <= of; ++i) trials += work.run({i, of});
    CHECK(trials == counts.trials);
    const ShardSet set(shard_stores(work.folder()));
    CHECK(set.size() == static_cast<std::size_t>(of));
    Store whole(work.file("whole-" + std::to_string(of) + ".sqlite"));
    CHECK(set.add_to(whole).trials == counts.trials);
    const auto [sum, found] = work.whole(whole);
    CHECK(sum == csv);
    CHECK(found.trials_found == found.trials);
    CHECK(found.found == found.tasks);
    // Once more: what is there stays.
    set.add_to(whole);
    CHECK(work.whole(whole).first == csv);
    work.remove_stores();
  }
}

TEST_CASE("a shard that is run again finds what it has") {
  Sharded work;
  const Shard shard{2, 3};
  const std::uint64_t trials = work.run(shard);
  Store store(shard_store(work.folder(), shard));
  CHECK(store.shard()->finished);
  CHECK(trials > 0);
  CHECK(work.run(shard) == trials);
  CHECK_THROWS_WITH(store.begin_shard(work.record(shard, 2)),
                    Containing("is a shard of another run: seed 1 rather than 2"));
  CHECK_THROWS_WITH(store.begin_shard(work.record({1, 3})),
                    Containing("shard 2/3 rather than 1/3"));
}

TEST_CASE("a missing shard is refused by its number") {
  Sharded work;
  work.run_all(5);
  fs::remove(shard_store(work.folder(), {4, 5}));
  work.refuses("shard 4 of 5 is missing beside");
  fs::remove(shard_store(work.folder(), {2, 5}));
  fs::remove(shard_store(work.folder(), {1, 5}));
  work.refuses("shards 1, 2 and 4 of 5 are missing beside");
}

TEST_CASE("a shard that is there twice is refused with both names") {
  Sharded work;
  work.run_all(3);
  fs::copy_file(shard_store(work.folder(), {2, 3}), work.file("results.shard-1-of-4.sqlite"));
  work.refuses("results.shard-1-of-4.sqlite' are both shard 2/3; leave one of them out");
}

TEST_CASE("a shard of another seed, version, work or number of parts is refused") {
  Sharded work;
  work.run_all(2);
  const std::string second = shard_store(work.folder(), {2, 2});
  const auto becomes = [&](ShardRecord record) {
    fs::remove(second);
    Store store(second);
    store.begin_shard(record);
    store.finish_shard();
  };
  becomes(work.record({2, 2}, 7));
  work.refuses("results.shard-2-of-2.sqlite' is a shard of another run than");
  work.refuses("seed 7 rather than 1");
  ShardRecord other = work.record({2, 2});
  other.version = "0.1";
  becomes(other);
  work.refuses("version 0.1 rather than " + std::string(kResultsVersion));
  other.version = std::string(kResultsVersion) + " of speclab 1.0.0 (commit 0123456789ab)";
  becomes(other);
  work.refuses("of speclab 1.0.0 (commit 0123456789ab) rather than");
  other = work.record({2, 2});
  other.work = "run another";
  becomes(other);
  work.refuses("'run another' rather than 'run sweep'");
  becomes(work.record({2, 3}));
  work.refuses("are not of one run: 3 shards rather than 2");
  becomes(work.record({2, 2}));
  const ShardRecord expected{Shard(), 1, kResultsVersion, "run this"};
  CHECK_THROWS_WITH(
      ShardSet(shard_stores(work.folder()), &expected),
      Containing("is a shard of another run than this one: 'run sweep' rather than 'run this'"));
}

TEST_CASE("the build is a part of a shard's version") {
  CHECK(shard_version() == kResultsVersion);
  set_build("speclab 1.0.0 (commit 0123456789ab)");
  const std::string version = shard_version();
  set_build("");
  CHECK(version == std::string(kResultsVersion) + " of speclab 1.0.0 (commit 0123456789ab)");
}

TEST_CASE("a shard that is not finished, and a store of no shard, are refused") {
  Sharded work;
  work.run({1, 2});
  {
    Store store(shard_store(work.folder(), {2, 2}));
    store.begin_shard(work.record({2, 2}));
  }
  work.refuses("shard 2/2 in ");
  work.refuses("is not finished; run it to its end");
  { const Store whole(whole_store(work.folder())); }
  CHECK_THROWS_WITH(ShardSet({whole_store(work.folder())}),
                    Containing("is a store of whole results and no shard's"));
  CHECK_THROWS_WITH(ShardSet({work.file("none.sqlite")}), Containing("there is no shard's store"));
  CHECK_THROWS_AS(ShardSet({}), InputError);
}

TEST_CASE("a shard's damaged rows, and rows that differ, are refused") {
  Sharded work;
  work.run_all(2);
  const std::string first = shard_store(work.folder(), {1, 2});
  Store whole(work.file("whole.sqlite"));
  ShardSet(shard_stores(work.folder())).add_to(whole);
  forge(work.file("whole.sqlite"), "UPDATE chunk SET checksum = checksum + 1 WHERE first = 0");
  CHECK_THROWS_WITH(ShardSet(shard_stores(work.folder())).add_to(whole),
                    Containing("holds another result of"));
  forge(first, "UPDATE answer SET body = body || ' '");
  Store another(work.file("another.sqlite"));
  CHECK_THROWS_WITH(ShardSet(shard_stores(work.folder())).add_to(another),
                    Containing("holds a damaged row of answer"));
  forge(first, "UPDATE shard SET finished = 1, seed = 3");
  work.refuses("has a damaged row about its shard");
}

}  // namespace
}  // namespace speclab
