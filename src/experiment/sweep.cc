#include "experiment/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "answer/answer.h"
#include "answer/costs.h"
#include "answer/optima.h"
#include "base/error.h"
#include "base/random.h"
#include "experiment/derive.h"
#include "experiment/stored_trials.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Most pairs of an experiment whose rows and tables are kept.
constexpr std::size_t kMostPairs = 256;

/// Whether the first quantity kept is known to the precision asked for.
bool precise(const Answer& answer, const TaskGroup& group) {
  const Value* value = answer.find(group.keep.front());
  if (value == nullptr) {
    throw InputError("precision applies to '" + quantity(group.keep.front()).path() +
                     "', which is not in the result");
  }
  if (!value->estimate) return true;
  const double half = (value->estimate->high - value->estimate->low) / 2;
  return half <= *group.precision * std::abs(value->number);
}

/// The rows of the quantities that the task keeps.
std::vector<AnswerRow> kept(std::vector<AnswerRow> rows, const TaskGroup& group) {
  std::vector<std::string> paths;
  for (const QuantityId id : group.keep) paths.push_back(quantity(id).path());
  if (!group.keep.empty()) {
    std::erase_if(rows, [&](const AnswerRow& row) {
      return std::ranges::find(paths, row.quantity) == paths.end();
    });
  }
  rows.shrink_to_fit();  // a sweep keeps those of all its tasks
  return rows;
}

/// The answer with what the task computes from it.
Answer viewed(Answer answer, const TaskGroup& group, Optima& optima) {
  if (group.wants_optimum()) optima.add_share(answer);
  if (group.costs) add_costs(answer, *group.costs);
  return answer;
}

/// How the results of a task are stored.
AnswerKind stored_kind(TaskKind kind) {
  return kind == TaskKind::simulate ? AnswerKind::simulate
         : kind == TaskKind::exact  ? AnswerKind::exact
                                    : AnswerKind::closed_form;
}

bool is_recorded(const SweepTask& task) {
  return task.question && task.group->kind == TaskKind::simulate &&
         recording_of(*task.question->pair) != nullptr;
}

/// What the tasks ask of each recording.
std::map<PairPointer, ByRecording> recordings_of(const std::vector<SweepTask>& tasks, int threads) {
  std::map<PairPointer, RecordedRequest> requests;
  for (const SweepTask& task : tasks) {
    if (!is_recorded(task)) continue;
    const Question& question = *task.question;
    RecordedRequest& request = requests[question.pair];
    request.threads = threads;
    const bool known = std::any_of(
        request.verifiers.begin(), request.verifiers.end(),
        [&question](const Verifier& other) { return other.name == question.verifier.name; });
    if (!known) request.verifiers.push_back(question.verifier);
    if (std::ranges::find(request.gammas, question.lengths.gamma) == request.gammas.end()) {
      request.gammas.push_back(question.lengths.gamma);
    }
  }
  std::map<PairPointer, ByRecording> recordings;
  for (auto& [pair, request] : requests) {
    recordings[pair] = {std::make_shared<RecordedRuns>(std::move(request))};
  }
  return recordings;
}

}  // namespace

std::uint64_t tasks_digest(const Experiment& experiment, const std::vector<SweepTask>& tasks,
                           std::uint64_t before) {
  std::uint64_t digest = task_hash(fmt::format("{} {}\n", experiment.id, experiment.chunk), before);
  for (const SweepTask& task : tasks) {
    if (!task.question) continue;
    std::string text = task_key(*task.question, stored_kind(task.group->kind));
    for (const std::uint64_t trials : task.trials) text += fmt::format(" {}", trials);
    if (task.group->precision) {
      text +=
          fmt::format(" {} {}", static_cast<int>(task.group->keep.front()), *task.group->precision);
    }
    digest = task_hash(text + '\n', digest);
  }
  return digest;
}

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

void Sweep::simulate(const Experiment& experiment, const SweepTask& task, bool mine, Bench& bench,
                     std::vector<TaskRows>& results) {
  const Question& question = *task.question;
  const TaskGroup& group = *task.group;
  // How far a task with a precision goes is known from its first trials on only: it is not divided.
  const Shard shard = group.precision ? Shard() : options_.shard;
  const std::uint64_t first = shard.begin(task.trials.back()), end = shard.end(task.trials.back());
  const BySimulation method{
      .first_trial = first, .seed = options_.seed, .threads = options_.threads};
  // The closed forms of a simulated task are stored too: they may take longer than its trials.
  std::vector<Prediction> forms;
  if (mine) {
    forms = answered(question, ByClosedForm{}, AnswerKind::closed_form, bench).answer.predictions;
  }
  StoredTrials trials(store_, bench, question, method, task_key(question, AnswerKind::simulate));
  Optima optima(bench);
  const auto answer_now = [&] {
    return viewed(bench.estimate(question, method, trials.all(), &forms), group, optima);
  };
  const auto progress = [&](std::uint64_t done) {
    progress_(done_before_ + static_cast<double>(done - first), note_);
  };
  bool enough = false;
  for (const std::uint64_t wanted : task.trials) {
    const std::uint64_t last = std::min(wanted, end);
    while (!enough && trials.done() < last) {
      const std::uint64_t chunk = (trials.done() / experiment.chunk + 1) * experiment.chunk;
      if (!trials.reach(group.precision ? std::min(chunk, last) : last, experiment.chunk, progress))
        stop_interrupted();
      enough =
          group.precision && trials.done() % experiment.chunk == 0 && precise(answer_now(), group);
    }
    if (!options_.shard.whole()) continue;
    if (enough && wanted > trials.done() && wanted != task.trials.back()) continue;
    results.push_back({task.place, kept(rows_of(answer_now()), group)});
    results.back().place.trials = trials.done();
    if (enough) break;
  }
  const std::uint64_t done = trials.all().tally.trials;
  counts_.trials += done;
  counts_.trials_found += trials.found();
  if (trials.found() == done) ++counts_.found;
  done_before_ += static_cast<double>(end - first);
  progress_(done_before_, note_);
}

void Sweep::read_recording(const SweepTask& task, Bench& bench, std::vector<TaskRows>& results) {
  const TaskGroup& group = *task.group;
  Answer answer = bench.answer(*task.question, recorded_.at(task.question->pair));
  const std::uint64_t iterations = answer.run->trials;
  Optima optima(bench);
  results.push_back({task.place, kept(rows_of(viewed(std::move(answer), group, optima)), group)});
  results.back().place.trials = iterations;
  results.back().place.seed.reset();
}

void Sweep::run_task(const Experiment& experiment, const SweepTask& task, Bench& bench,
                     std::vector<TaskRows>& results) {
  ++counts_.tasks;
  const TaskGroup& group = *task.group;
  const bool whole = options_.shard.whole();
  if (!task.question) {
    if (whole) results.push_back({task.place, kept(task.rows, group)});
    return;
  }
  if (is_recorded(task)) {
    if (whole) read_recording(task, bench, results);
    return;
  }
  const bool mine = options_.shard.has(next_task_++);
  if (group.kind == TaskKind::simulate) {
    if (mine || !group.precision) simulate(experiment, task, mine, bench, results);
    return;
  }
  if (!mine) return;
  const AnswerKind kind = stored_kind(group.kind);
  const AnswerMethod method = kind == AnswerKind::exact
                                  ? AnswerMethod(ByEnumeration{group.max_paths, options_.threads})
                                  : ByClosedForm{};
  Found found = answered(*task.question, method, kind, bench);
  if (found.in_store) ++counts_.found;
  if (!whole) return;
  Optima optima(bench);
  results.push_back(
      {task.place, kept(rows_of(viewed(std::move(found.answer), group, optima)), group)});
}

void Sweep::run_tasks(const Experiment& experiment, std::vector<SweepTask>& tasks, Bench& bench,
                      std::vector<TaskRows>& results) {
  std::unordered_set<const Pair*> pairs;
  recorded_ = recordings_of(tasks, options_.threads);
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
  for (std::size_t i = 0; i < experiment.own_tables; ++i) {
    for (TaskRows& rows : table_rows(experiment.tables[i])) results.push_back(std::move(rows));
  }
  results.reserve(results.size() + tasks.size());
  store_.soon([&] { run_tasks(experiment, tasks, bench, results); });
  if (!options_.shard.whole()) return {};
  return derive(experiment, std::move(results), options_.quick);
}

}  // namespace speclab
