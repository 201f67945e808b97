#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiment/expand.h"
#include "experiment/store.h"

namespace speclab {

/// How much of a sweep was done and how much was found.
struct SweepCounts {
  std::size_t tasks = 0;
  std::size_t found = 0;  ///< tasks of which all was in the store
  std::uint64_t trials = 0;
  std::uint64_t trials_found = 0;
};

/// Called now and then with the trials done so far and what is being done.
using SweepProgress = std::function<void(double trials, const std::string& note)>;

/// Adds all that the results of an experiment's tasks depend on to a digest, which distinguishes
/// the shards of different work. @param before  the digest of the experiments before it
std::uint64_t tasks_digest(const Experiment& experiment, const std::vector<SweepTask>& tasks,
                           std::uint64_t before);

/// Runs what the store does not hold, and returns the results of all tasks and derived quantities,
/// in order.
///
/// Trials run in chunks that end at the multiples of experiment.chunk and at the numbers of trials
/// asked for; stored chunks that follow one another without a gap from trial 0 on are never run
/// again. A tally depends on its range of trials alone, so every chain of chunks gives the same
/// result.
///
/// A shard (SweepOptions::shard) puts its share of the answers and trials into the store and
/// returns nothing: its range of the trials of each simulated task, and every n-th one of the other
/// tasks and of those that end at a precision.
/// @throws Error with ExitCode::interrupted after a signal; what was finished is in the store
class Sweep {
 public:
  /// @param tasks_before  of the experiments before it: tasks are numbered through all of them
  Sweep(Store& store, const SweepOptions& options, SweepProgress progress,
        std::size_t tasks_before = 0)
      : store_(store),
        options_(options),
        progress_(std::move(progress)),
        next_task_(tasks_before) {}

  std::vector<TaskRows> run(const Experiment& experiment, std::vector<SweepTask> tasks,
                            Bench& bench);
  [[nodiscard]] const SweepCounts& counts() const { return counts_; }

 private:
  void run_tasks(const Experiment& experiment, std::vector<SweepTask>& tasks, Bench& bench,
                 std::vector<TaskRows>& results);
  void run_task(const Experiment& experiment, const SweepTask& task, Bench& bench,
                std::vector<TaskRows>& results);
  struct Found {
    Answer answer;
    bool in_store;
  };
  /// An answer without trials: from the store, or kept there.
  Found answered(const Question& question, const AnswerMethod& method, AnswerKind kind,
                 Bench& bench);
  /// @param mine  whether the shard has the task: else it runs its range of the trials alone
  void simulate(const Experiment& experiment, const SweepTask& task, bool mine, Bench& bench,
                std::vector<TaskRows>& results);
  /// A task about a recording or scored texts: nothing is drawn, and nothing is stored.
  void read_recording(const SweepTask& task, Bench& bench, std::vector<TaskRows>& results);

  Store& store_;
  const SweepOptions& options_;
  SweepProgress progress_;
  SweepCounts counts_;
  std::size_t next_task_;
  std::string note_;
  double done_before_ = 0;  ///< trials of the tasks before this one
  /// By pair: what all tasks ask of it, so that its file is read once.
  std::map<PairPointer, ByRecording> recorded_;
};

}  // namespace speclab
