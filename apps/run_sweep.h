#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/rows.h"
#include "progress.h"
#include "run_experiment.h"
#include "run_rows.h"
#include "run_store.h"
#include "train/classifier.h"
#include "verifiers/registry.h"

namespace speclab {

struct SweepOptions {
  bool quick = false;
  std::uint64_t seed = 1;
  int threads = 0;
  std::optional<std::uint64_t> most_trials;  ///< no task runs more
  std::string text;                          ///< what {text} stands for
  std::string folder;                        ///< where rates files go; made when it is needed
};

/// One combination of an experiment.
struct SweepTask {
  /// What the results depend on, in canonical form, without seed, trials and version: the kind, the
  /// combination, and a hash of the files that its pair is made of.
  std::string id;
  const TaskGroup* group = nullptr;
  TaskRows place;  ///< without rows
  PairPointer pair;
  /// But of a formula and a training. Its name has {rates:NAME}'s file without the folder, so that
  /// no result depends on where results go; `spec` has the whole path.
  std::optional<Verifier> verifier;
  Spec spec;
  std::optional<TrainingReport> training;  ///< of a training, which expand() does
  std::string rates_file;                  ///< of a training
  std::vector<std::uint64_t> trials;       ///< results after each; increasing
};

/// Pairs by spec text and their rows; kept while an experiment runs.
class Pairs {
 public:
  PairPointer pair(const std::string& text);
  std::shared_ptr<Rows<double>> doubles(const PairPointer& pair);
  std::shared_ptr<Rows<Rational>> rationals(const PairPointer& pair);
  /// " content=HASH" for a spec text that names a file, or "".
  std::string content(const std::string& text);

 private:
  std::map<std::string, PairPointer> pairs_;
  std::map<std::string, std::string> contents_;
  std::map<const Pair*, std::shared_ptr<Rows<double>>> doubles_;
  std::map<const Pair*, std::shared_ptr<Rows<Rational>>> rationals_;
};

/// Every combination, in the order of the file: groups, variables by name, pairs, verifiers,
/// gammas, horizons. Trains what is to be trained, and writes its rates files.
/// @throws InputError naming the group's line
std::vector<SweepTask> expand(const Experiment& experiment, const SweepOptions& options,
                              Pairs& pairs);

/// How much of a sweep was done and how much was found.
struct SweepCounts {
  std::size_t tasks = 0;
  std::size_t found = 0;  ///< tasks that needed no work
  std::uint64_t trials = 0;
  std::uint64_t trials_found = 0;
};

/// Runs what the store does not hold, and returns the results of all tasks and derived quantities,
/// in order.
///
/// Trials run in chunks that end at the multiples of experiment.chunk and at the numbers of trials
/// asked for; a chain of chunks on record, disjoint and without a gap from trial 0 on, is never run
/// again. A tally depends on its range of trials alone, so every chain gives the same result.
/// @throws Error with ExitCode::interrupted after a signal; what was finished is in the store
class Sweep {
 public:
  Sweep(Store& store, const SweepOptions& options) : store_(store), options_(options) {}

  std::vector<TaskRows> run(const Experiment& experiment, const std::vector<SweepTask>& tasks,
                            Pairs& pairs, ProgressBar& bar);
  [[nodiscard]] const SweepCounts& counts() const { return counts_; }
  /// The bar already stands at this many trials, of other experiments.
  void start_at(double trials) { done_before_ = trials; }

 private:
  void run_task(const Experiment& experiment, const SweepTask& task, Pairs& pairs,
                std::vector<TaskRows>& results);
  std::vector<ResultRow> answered(const SweepTask& task,
                                  const std::function<std::vector<ResultRow>()>& compute);
  void simulate(const Experiment& experiment, const SweepTask& task, Pairs& pairs,
                std::vector<TaskRows>& results);

  Store& store_;
  const SweepOptions& options_;
  SweepCounts counts_;
  ProgressBar* bar_ = nullptr;
  std::string note_;
  double done_before_ = 0;  ///< trials of the tasks before this one
};

/// Trials that the tasks may take, at most.
double most_trials(const std::vector<SweepTask>& tasks);

}  // namespace speclab
