#include "experiment/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "answer/costs.h"
#include "answer/optima.h"
#include "base/error.h"
#include "experiment/chunks.h"
#include "experiment/derive.h"
#include "experiment/stored_trials.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Pairs of which rows and tables are kept, one experiment's.
constexpr std::size_t kMostPairs = 256;

/// Whether the first quantity kept is known to the precision asked for.
bool precise(const Answer& answer, const TaskGroup& group) {
  const Value* value = answer.find(group.keep.front());
  if (value == nullptr) {
    throw InputError("precision speaks of '" + quantity(group.keep.front()).path() +
                     "', which the result does not tell");
  }
  if (!value->estimate) return true;
  const double half = (value->estimate->high - value->estimate->low) / 2;
  return half <= *group.precision * std::abs(value->number);
}

/// The rows of the quantities that the task keeps.
std::vector<AnswerRow> kept(std::vector<AnswerRow> rows, const TaskGroup& group) {
  const auto dropped = [&](const AnswerRow& row) {
    return std::none_of(group.keep.begin(), group.keep.end(),
                        [&](QuantityId id) { return quantity(id).path() == row.quantity; });
  };
  if (!group.keep.empty()) std::erase_if(rows, dropped);
  rows.shrink_to_fit();  // a sweep keeps those of all its tasks
  return rows;
}

/// The answer with what the task computes from it.
Answer viewed(Answer answer, const TaskGroup& group, Optima& optima) {
  if (group.wants_optimum()) optima.add_share(answer);
  if (group.costs) add_costs(answer, *group.costs);
  return answer;
}

}  // namespace

Sweep::Found Sweep::answered(const Question& question, const AnswerMethod& method, AnswerKind kind,
                             Bench& bench) {
  const std::string key = task_key(question, kind);
  if (const auto known = store_.answer(key)) {
    try {
      Answer answer = read_answer(question, kind, *known);
      check_answer(answer);
      return {std::move(answer), true};
    } catch (const InputError& error) {
      store_.refuse_answer(key, *known, error.what());
    }
  }
  check_interrupted();
  Answer answer = bench.answer(question, method);
  store_.put_answer(key, answer_text(answer));
  return {std::move(answer), false};
}

void Sweep::simulate(const Experiment& experiment, const SweepTask& task, Bench& bench,
                     std::vector<TaskRows>& results) {
  const Question& question = *task.question;
  const TaskGroup& group = *task.group;
  const BySimulation method{.seed = options_.seed, .threads = options_.threads};
  // The closed forms of a simulated task are kept too: they may take longer than its trials.
  const std::vector<Prediction> forms =
      answered(question, ByClosedForm{}, AnswerKind::closed_form, bench).answer.predictions;
  StoredTrials trials(store_, bench, question, method, task_key(question, AnswerKind::simulate));
  Optima optima(bench);
  const auto answer_now = [&] {
    return viewed(bench.estimate(question, method, trials.all(), forms), group, optima);
  };
  const auto progress = [&](std::uint64_t done) {
    progress_(done_before_ + static_cast<double>(done), note_);
  };
  bool enough = false;
  for (const std::uint64_t wanted : task.trials) {
    while (!enough && trials.done() < wanted) {
      if (!trials.reach(chunk_end(trials.done(), experiment.chunk, wanted), progress))
        stop_interrupted();
      enough =
          group.precision && trials.done() % experiment.chunk == 0 && precise(answer_now(), group);
    }
    if (enough && wanted > trials.done() && wanted != task.trials.back()) continue;
    results.push_back({task.place, kept(rows_of(answer_now()), group)});
    results.back().place.trials = trials.done();
    if (enough) break;
  }
  counts_.trials += trials.done();
  counts_.trials_found += trials.found();
  if (trials.found() == trials.done()) ++counts_.found;
  done_before_ += static_cast<double>(task.trials.back());
  progress_(done_before_, note_);
}

void Sweep::run_task(const Experiment& experiment, const SweepTask& task, Bench& bench,
                     std::vector<TaskRows>& results) {
  ++counts_.tasks;
  const TaskGroup& group = *task.group;
  if (!options_.shard.whole()) return run_share(experiment, task, bench);
  if (group.kind == TaskKind::simulate) return simulate(experiment, task, bench, results);
  if (!task.question) {
    results.push_back({task.place, kept(task.rows, group)});
    return;
  }
  const bool exact = group.kind == TaskKind::exact;
  const AnswerMethod method =
      exact ? AnswerMethod(ByEnumeration{group.max_paths, options_.threads}) : ByClosedForm{};
  Found found =
      answered(*task.question, method, exact ? AnswerKind::exact : AnswerKind::closed_form, bench);
  if (found.in_store) ++counts_.found;
  Optima optima(bench);
  results.push_back(
      {task.place, kept(rows_of(viewed(std::move(found.answer), group, optima)), group)});
}

void Sweep::run_tasks(const Experiment& experiment, std::vector<SweepTask>& tasks, Bench& bench,
                      std::vector<TaskRows>& results) {
  std::unordered_set<const Pair*> pairs;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    check_interrupted();
    note_ = fmt::format("{}, task {} of {}", experiment.id, i + 1, tasks.size());
    progress_(done_before_, note_);
    if (tasks[i].question) pairs.insert(tasks[i].question->pair.get());
    if (pairs.size() > kMostPairs) {
      pairs.clear();
      bench.clear();
    }
    try {
      run_task(experiment, tasks[i], bench, results);
    } catch (const Error& error) {
      if (error.code() == ExitCode::interrupted) throw;
      const TaskPlace& place = tasks[i].place;
      throw Error(error.code(), fmt::format("{}{}, pair {}, verifier {}, gamma {}: {}",
                                            line_text(experiment, tasks[i].group->line), place.task,
                                            place.pair, place.verifier, place.gamma, error.what()));
    }
    tasks[i] = {};
  }
}

std::vector<TaskRows> Sweep::run(const Experiment& experiment, std::vector<SweepTask> tasks,
                                 Bench& bench) {
  std::vector<TaskRows> results;
  if (!options_.shard.whole()) {
    store_.soon([&] { run_tasks(experiment, tasks, bench, results); });
    return results;
  }
  for (std::size_t i = 0; i < experiment.own_tables; ++i) {
    for (TaskRows& rows : table_rows(experiment.tables[i])) results.push_back(std::move(rows));
  }
  results.reserve(results.size() + tasks.size());
  store_.soon([&] { run_tasks(experiment, tasks, bench, results); });
  return derive(experiment, std::move(results), options_.quick);
}

}  // namespace speclab
