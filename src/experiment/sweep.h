#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment/expand.h"
#include "experiment/store.h"

namespace speclab {

/// The text under which a question's results are kept: its key, how it is answered, and the digest
/// of every file that its pair and verifier were made from. Trials and seed are told beside it.
/// What is computed from an answer, such as costs, is no part of it.
std::string task_key(const Question& question, AnswerKind kind);

/// How much of a sweep was done and how much was found.
struct SweepCounts {
  std::size_t tasks = 0;
  std::size_t found = 0;  ///< tasks of which all was in the store
  std::uint64_t trials = 0;
  std::uint64_t trials_found = 0;
};

/// Called now and then with the trials done so far and what is being done.
using SweepProgress = std::function<void(double trials, const std::string& note)>;

/// Runs what the store does not hold, and returns the results of all tasks and derived quantities,
/// in order.
///
/// Trials run in chunks that end at the multiples of experiment.chunk and at the numbers of trials
/// asked for; a chain of chunks on record, disjoint and without a gap from trial 0 on, is never run
/// again. A tally depends on its range of trials alone, so every chain gives the same result.
/// @throws Error with ExitCode::interrupted after a signal; what was finished is in the store
class Sweep {
 public:
  Sweep(Store& store, const SweepOptions& options, SweepProgress progress)
      : store_(store), options_(options), progress_(std::move(progress)) {}

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
  void simulate(const Experiment& experiment, const SweepTask& task, Bench& bench,
                std::vector<TaskRows>& results);

  Store& store_;
  const SweepOptions& options_;
  SweepProgress progress_;
  SweepCounts counts_;
  std::string note_;
  double done_before_ = 0;  ///< trials of the tasks before this one
};

}  // namespace speclab
