#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/bench.h"
#include "experiment/experiment.h"
#include "experiment/shard.h"

namespace speclab {

/// Options of a run, for all its experiments.
struct SweepOptions {
  bool quick = false;
  std::uint64_t seed = 1;
  int threads = 0;
  std::optional<std::uint64_t> most_trials;  ///< no task runs more
  Shard shard;                               ///< the part of the work that is done
  std::string text;                          ///< the value of {text}
  std::string folder;                        ///< of results; rates files go there
  /// Writes a file as a whole: rates files, which later tasks read.
  std::function<void(const std::string& path, const std::string& content)> write_file;
};

/// One combination of an experiment. A formula and a training are computed when it is made, since
/// their names come with their values. The others have a question.
struct SweepTask {
  const TaskGroup* group = nullptr;
  TaskPlace place;
  std::optional<Question> question;   ///< of exact, simulate and predict
  std::vector<std::uint64_t> trials;  ///< results after each; increasing
  std::vector<AnswerRow> rows;        ///< of a formula or a training
  std::string rates_file;             ///< of a training
};

/// Every combination, in the order of the file: groups, variables by name, pairs, verifiers,
/// gammas, horizons. Their number is counted first.
/// @throws InputError naming the group's line; LimitError with the number; Error when interrupted
std::vector<SweepTask> expand(const Experiment& experiment, const SweepOptions& options,
                              Bench& bench);

/// Trials that the tasks may take, at most.
double most_trials(const std::vector<SweepTask>& tasks);

/// Refuses an entry that can choose no row of what these tasks will give, before any is run: no
/// task with such columns, a quantity that they do not have, an index beyond it, an unknown claim;
/// an audit whose names mean nothing; a table's row at which a prediction has no results. Entries
/// about tasks that a quick run leaves out are not looked at.
/// @throws InputError naming the entry's line
void check_selectors(const Experiment& experiment, const std::vector<SweepTask>& tasks, bool quick);

}  // namespace speclab
