// What a shard does of a sweep.
#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "experiment/chunks.h"
#include "experiment/stored_trials.h"
#include "experiment/sweep.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

AnswerKind kept_kind(TaskKind kind) {
  return kind == TaskKind::simulate ? AnswerKind::simulate
         : kind == TaskKind::exact  ? AnswerKind::exact
                                    : AnswerKind::closed_form;
}

}  // namespace

std::uint64_t tasks_digest(const Experiment& experiment, const std::vector<SweepTask>& tasks,
                           std::uint64_t before) {
  std::uint64_t digest = task_hash(fmt::format("{} {}\n", experiment.id, experiment.chunk), before);
  for (const SweepTask& task : tasks) {
    if (!task.question) continue;
    std::string text = task_key(*task.question, kept_kind(task.group->kind));
    for (const std::uint64_t trials : task.trials) text += fmt::format(" {}", trials);
    if (task.group->precision) {
      text +=
          fmt::format(" {} {}", static_cast<int>(task.group->keep.front()), *task.group->precision);
    }
    digest = task_hash(text + '\n', digest);
  }
  return digest;
}

void Sweep::run_share(const Experiment& experiment, const SweepTask& task, Bench& bench) {
  if (!task.question) return;
  const bool mine = options_.shard.has(next_task_++);
  const TaskGroup& group = *task.group;
  const Question& question = *task.question;
  if (group.kind == TaskKind::simulate) {
    std::vector<TaskRows> unused;
    // How far such a task goes is known from its first trials on only.
    if (group.precision) {
      if (mine) simulate(experiment, task, bench, unused);
      return;
    }
    if (mine) answered(question, ByClosedForm{}, AnswerKind::closed_form, bench);
    return run_range(experiment, task, bench);
  }
  if (!mine) return;
  if (group.kind == TaskKind::exact) {
    answered(question, ByEnumeration{group.max_paths, options_.threads}, AnswerKind::exact, bench);
  } else {
    answered(question, ByClosedForm{}, AnswerKind::closed_form, bench);
  }
}

void Sweep::run_range(const Experiment& experiment, const SweepTask& task, Bench& bench) {
  const std::uint64_t all = task.trials.back();
  BySimulation method{.seed = options_.seed, .threads = options_.threads};
  method.first_trial = options_.shard.begin(all);
  const std::uint64_t last = options_.shard.end(all);
  StoredTrials trials(store_, bench, *task.question, method,
                      task_key(*task.question, AnswerKind::simulate));
  const auto progress = [&](std::uint64_t done) {
    progress_(done_before_ + static_cast<double>(done - method.first_trial), note_);
  };
  // Ranges end where those of the whole end, so that they are parts of them.
  while (trials.done() < last) {
    const std::uint64_t wanted =
        *std::upper_bound(task.trials.begin(), task.trials.end(), trials.done());
    const std::uint64_t end = chunk_end(trials.done(), experiment.chunk, wanted);
    if (!trials.reach(std::min(end, last), progress)) stop_interrupted();
  }
  counts_.trials += trials.all().tally.trials;
  counts_.trials_found += trials.found();
  done_before_ += static_cast<double>(last - method.first_trial);
  progress_(done_before_, note_);
}

}  // namespace speclab
