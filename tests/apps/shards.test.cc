// Shards of run and simulate, as launchers start them, and what merge refuses.
#include <sqlite3.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "refused.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

const std::string kShardedSweep = R"toml(
title = "small"
source = "none"
chunk = 100
[[task]]
name = "runs"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = [2, 3]
horizon = 6
trials = [150, 1001]
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = "1:2"
[[expected]]
source = "by hand, 11/9"
task = "law"
verifier = "block"
gamma = 2
quantity = "iteration.expected_accepted"
value = "11/9"
)toml";

class ShardedSweep {
 public:
  ShardedSweep() : file_(scratch_.write("small.toml", kShardedSweep)) {
    succeeds(run("alone"));
    csv_ = slurp(path("alone/small.csv"));
  }
  [[nodiscard]] std::string path(const std::string& name) const { return scratch_.file(name); }
  [[nodiscard]] Words run(const std::string& folder, const auto&... more) const {
    return argv("run", file_, "--results", path(folder), "--threads 2", more...);
  }
  void run_shards(const std::string& folder, int of) const {
    for (int i = 1; i <= of; ++i) {
      succeeds(run(folder, "--shard", std::to_string(i) + "/" + std::to_string(of)));
    }
  }
  /// Checks that the whole of a folder finds all, and has the bytes of one process.
  void check_whole(const std::string& folder) const {
    const Finished whole = succeeds(run(folder));
    CHECK_THAT(whole.out, Containing("8 tasks (8 found), 4004 trials (4004 found)"));
    CHECK(slurp(path(folder + "/small.csv")) == csv_);
  }
  /// Checks that the folder's shards are refused with exit code 3 and one line.
  void check_refused(const std::string& folder, const std::string& why,
                     const std::vector<std::string>& more = {}) const {
    refuses_in_line(run(folder, more), 3, why);
    CHECK_FALSE(fs::exists(path(folder + "/small.csv")));
  }

 private:
  Scratch scratch_;
  std::string file_, csv_;
};

TEST_CASE("shards of a run add up to the bytes of one process") {
  const ShardedSweep sweep;
  for (const int of : {2, 3}) {
    const std::string folder = "shards-" + std::to_string(of);
    sweep.run_shards(folder, of);
    CHECK_FALSE(fs::exists(sweep.path(folder + "/results.sqlite")));
    CHECK_FALSE(fs::exists(sweep.path(folder + "/small.csv")));
    sweep.check_whole(folder);
    sweep.check_whole(folder);
  }
}

TEST_CASE("launchers and job arrays say which shard a process is") {
  const ShardedSweep sweep;
  const auto launch = [&](const std::string& folder, const auto& variables) {
    for (int i = 0; i < 3; ++i) {
      const Finished done = succeeds(variables(std::to_string(i)), sweep.run(folder));
      CHECK_THAT(done.out, Containing("shard " + std::to_string(i + 1) + "/3 of 8 tasks"));
    }
    sweep.check_whole(folder);
  };
  launch("openmpi", [](const std::string& i) {
    return Environment{{"OMPI_COMM_WORLD_RANK", i},
                       {"OMPI_COMM_WORLD_SIZE", "3"},
                       {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}};
  });
  launch("mpich", [](const std::string& i) {
    return Environment{{"PMI_RANK", i}, {"PMI_SIZE", "3"}};
  });
  launch("srun", [](const std::string& i) {
    return Environment{{"SLURM_PROCID", i}, {"SLURM_NTASKS", "3"}};
  });
  launch("array", [](const std::string& i) {
    return Environment{{"SLURM_JOB_ID", "77"},
                       {"SLURM_PROCID", "0"},
                       {"SLURM_NTASKS", "1"},
                       {"SLURM_ARRAY_TASK_ID", std::to_string(4 + 2 * std::stoi(i))},
                       {"SLURM_ARRAY_TASK_MIN", "4"},
                       {"SLURM_ARRAY_TASK_STEP", "2"},
                       {"SLURM_ARRAY_TASK_COUNT", "3"}};
  });
  // What is asked for goes before what a launcher says.
  const Environment second{{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}};
  CHECK_THAT(succeeds(second, sweep.run("whole", "--shard 1/1")).out,
             Containing("8 tasks (0 found)"));
  CHECK(speclab_run({{"PMI_RANK", "3"}, {"PMI_SIZE", "3"}}, sweep.run("none")).code == 2);
}

TEST_CASE("processes that share a machine train within their share of its memory") {
  const Scratch scratch;
  const std::string file = scratch.write("trained.toml", R"toml(
title = "trained"
source = "none"
[[task]]
name = "roc"
kind = "train"
pair = "bernoulli(draft=2/3,target=1/3)"
lambda = "1"
samples = 5000
)toml");
  const auto run = [&](const std::string& processes) {
    return speclab_run({{"OMPI_COMM_WORLD_RANK", "0"},
                        {"OMPI_COMM_WORLD_SIZE", "2"},
                        {"OMPI_COMM_WORLD_LOCAL_SIZE", processes}},
                       "run", file, "--results", scratch.file(processes));
  };
  CHECK(run("2").code == 0);
  const Finished done = run("100000000");
  CHECK(done.code == 4);
  CHECK_THAT(done.err, Containing("5000 samples may take "));
}

TEST_CASE("a whole whose shards are lost, doubled, foreign or unfinished is refused") {
  const ShardedSweep sweep;
  sweep.run_shards("shards", 3);
  const auto store = [&](const std::string& name) { return sweep.path("shards/results." + name); };
  const std::string second = store("shard-2-of-3.sqlite");
  fs::rename(second, sweep.path("second"));
  sweep.check_refused("shards", "shard 2 of 3 is missing beside");
  fs::copy_file(store("shard-1-of-3.sqlite"), second);
  sweep.check_refused("shards", "shard-2-of-3.sqlite' are both shard 1/3");
  fs::remove(second);
  succeeds(sweep.run("other", "--seed 5 --shard 2/3"));
  fs::copy_file(sweep.path("other/results.shard-2-of-3.sqlite"), second);
  sweep.check_refused("shards",
                      "shard-2-of-3.sqlite' is a shard of another run than this one: "
                      "seed 5 rather than 1");
  fs::remove(second);
  succeeds(sweep.run("less", "--trials 500 --shard 2/3"));
  fs::copy_file(sweep.path("less/results.shard-2-of-3.sqlite"), second);
  sweep.check_refused("shards", "shard-2-of-3.sqlite' is a shard of another run");
  fs::remove(second);
  succeeds(sweep.run("four", "--shard 2/4"));
  fs::copy_file(sweep.path("four/results.shard-2-of-4.sqlite"), store("shard-2-of-4.sqlite"));
  sweep.check_refused("shards", "are not of one run: 4 shards rather than 3");
  fs::remove(store("shard-2-of-4.sqlite"));
  sweep.check_refused("shards", "shard 2 of 3 is missing beside");
  fs::rename(sweep.path("second"), second);
  sweep.check_refused("shards", "seed 1 rather than 2", {"--seed", "2"});
  sweep.check_whole("shards");
  // A shard's store is not used for another run.
  CHECK(speclab_run(sweep.run("shards", "--seed 2 --shard 2/3")).code == 3);
}

/// The ranges of trials that a store holds; 0 where it is not made yet or is being written.
int kept_ranges(const std::string& file) {
  sqlite3* store = nullptr;
  int ranges = 0;
  if (sqlite3_open_v2(file.c_str(), &store, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    const auto read = [](void* count, int, char** cells, char**) {
      *static_cast<int*>(count) = std::atoi(cells[0]);
      return 0;
    };
    sqlite3_exec(store, "SELECT count(*) FROM chunk", read, &ranges, nullptr);
  }
  sqlite3_close(store);
  return ranges;
}

TEST_CASE("a shard that a signal stops goes on, and is refused until it is finished") {
  const Scratch scratch;
  const std::string folder = scratch.file("simulated");
  const auto words = [&](const auto&... more) {
    return argv(
        "simulate --pair zipf(vocabulary=50,draft=1.2,target=1) --verifier block --gamma 4 "
        "--horizon 64 --trials 300000 --threads 1 --results",
        folder, more...);
  };
  succeeds(words("--shard 2/2"));
  Process first(words("--shard 1/2"));
  first.let_reach([&] { return kept_ranges(folder + "/results.shard-1-of-2.sqlite") >= 1; });
  first.send(SIGINT);
  const Finished stopped = first.wait();
  CHECK(stopped.code == 130);
  CHECK_THAT(stopped.err, Containing("what was finished is saved"));
  const Finished early = speclab_run(words());
  CHECK(early.code == 3);
  CHECK_THAT(early.err, Containing("shard 1/2 in ") && Containing("is not finished"));
  const Finished on = succeeds(words("--shard 1/2"));
  CHECK_THAT(on.out, Containing("150000 trials (") && !Containing("(0 found)"));
  succeeds(words());
}

TEST_CASE("merge adds up stores from anywhere, and refuses what is no whole") {
  const ShardedSweep sweep;
  for (const char* shard : {"1/2", "2/2"}) {
    succeeds(sweep.run(std::string("machine-") + shard[0], "--shard", shard));
  }
  const std::string first = sweep.path("machine-1/results.shard-1-of-2.sqlite");
  const std::string second = sweep.path("machine-2/results.shard-2-of-2.sqlite");
  const auto merge = [&](const Words& stores) {
    return argv("merge --output", sweep.path("both.sqlite"), stores);
  };
  for (const auto& [stores, why] :
       {std::pair{std::vector{first}, "shard 2 of 2 is missing"},
        {std::vector{first, second, first}, "are both shard 1/2"},
        {std::vector{first, sweep.path("alone/results.sqlite")}, "store of whole results"},
        {std::vector{first, sweep.path("none")}, "there is no shard's store"}}) {
    refuses(merge(stores), 3, why);
    CHECK_FALSE(fs::exists(sweep.path("both.sqlite")));
  }
  CHECK(speclab_run("merge").code == 2);
  CHECK(speclab_run("merge", first, "--output", first).code == 2);
  const Finished done = succeeds(merge({second, first}));
  CHECK_THAT(done.out, Containing("2 shards of 'run small tasks=") && Containing("4004 trials"));
  fs::create_directory(sweep.path("both"));
  fs::rename(sweep.path("both.sqlite"), sweep.path("both/results.sqlite"));
  sweep.check_whole("both");
}

/// The results of simulate without the time, threads and tables of the process.
nlohmann::json estimates(const std::string& text) {
  nlohmann::json node = nlohmann::json::parse(text);
  for (auto& result : node["results"]) {
    for (const char* name : {"seconds", "threads", "table_bytes"}) result.erase(name);
    result["estimator"].erase("seconds_to_0.1_percent");
  }
  return node["results"];
}

TEST_CASE("shards of a simulation add up to the numbers of one process") {
  const Scratch scratch;
  for (const char* estimator : {"plain", "conditional"}) {
    const Words question = argv(
        "simulate --pair bernoulli(draft=1/3,target=2/3) --verifier token --verifier block "
        "--gamma 2 --trials 20001 --seed 9 --estimator",
        estimator);
    const auto alone = estimates(succeeds(question, "--format json").out);
    const std::string folder = scratch.file(estimator);
    succeeds(question, "--results", folder, "--shard 1/3");
    succeeds(question, "--results", folder, "--shard 3/3");
    refuses(argv(question, "--results", folder), 3, "shard 2 of 3 is missing");
    const Finished by_launcher =
        succeeds({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "3"}}, question,
                 "--results", folder);
    CHECK_THAT(by_launcher.out, Containing("shard 2/3 of 2 questions, 13334 trials (0 found)"));
    CHECK(estimates(succeeds(question, "--results", folder, "--format json").out) == alone);
    refuses(argv(question, "--results", folder, "--law --horizon 2"), 3,
            "is a shard of another run than this one");
  }
}

TEST_CASE("a simulation without a folder of results is no shard") {
  const Words words = argv(
      "simulate --pair bernoulli(draft=1/3,target=2/3) --verifier token --gamma 2 --trials 100");
  CHECK(speclab_run(words, "--shard 1/2").code == 2);
  const Finished first = succeeds({{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}}, words);
  CHECK_THAT(first.err, Containing("3 processes were started (PMI_RANK)"));
  CHECK(speclab_run({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}}, words).err.empty());
  for (const char* shard : {"0/2", "3/2", "1", "1/", "/2", "a/b", "1/2/3", "-1/2", "1/1000000"}) {
    CHECK(speclab_run(words, "--shard", shard, "--results unused").code == 2);
  }
  CHECK_FALSE(fs::exists("unused"));
}

}  // namespace
}  // namespace speclab
