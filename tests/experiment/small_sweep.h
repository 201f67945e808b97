#pragma once

#include <string>
#include <vector>

#include "experiment/expected.h"
#include "experiment/sweep.h"
#include "report/results.h"
#include "scratch.h"

// Experiments that tests run on the store of a folder.
namespace speclab::small_sweep {

struct Ran {
  std::string csv, expected;
  SweepCounts counts;
  std::vector<TaskRows> results;
};

/// Runs an experiment, as the command does.
inline Ran run(
    const Scratch& scratch, const std::string& text, SweepOptions options = {},
    const SweepProgress& progress = [](double, const std::string&) {}) {
  const Experiment experiment = read_experiment(scratch.write("small.toml", text));
  Bench bench;
  if (options.threads == 0) options.threads = 2;
  std::vector<SweepTask> tasks = expand(experiment, options, bench);
  Store store(scratch.file("results.sqlite"));
  Sweep sweep(store, options, progress);
  Ran ran;
  ran.results = sweep.run(experiment, std::move(tasks), bench);
  ran.counts = sweep.counts();
  ran.csv = results_csv(experiment, ran.results);
  ran.expected = expected_csv(experiment, check_entries(experiment, ran.results, options.quick));
  return ran;
}

}  // namespace speclab::small_sweep
