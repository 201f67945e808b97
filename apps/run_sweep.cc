#include "run_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/interrupt.h"
#include "exact/exact.h"
#include "report/number.h"
#include "report/records.h"
#include "simulate/simulate.h"
#include "theory/formulas.h"

namespace speclab {
namespace {

using nlohmann::json;

Setting setting_of(const SweepTask& task) {
  Setting setting;
  setting.pair = task.pair;
  setting.verifier = task.spec;
  setting.gamma = *task.place.gamma;
  setting.horizon = task.place.horizon;
  setting.iterations = task.group->iterations;
  setting.arithmetic = task.group->arithmetic;
  setting.latency = task.group->latency;
  return setting;
}

template <class Real>
Record exact_task(const SweepTask& task, const Rows<Real>& rows) {
  const Setting setting = setting_of(task);
  const ExactRequest request{.lengths = {setting.gamma, setting.horizon, setting.iterations},
                             .max_paths = task.group->max_paths};
  return exact_record(task.verifier->name, setting, run_exact<Real>(*task.verifier, rows, request),
                      false);
}

std::vector<ResultRow> formula_task(const SweepTask& task) {
  const FormulaSetting setting{task.pair, *task.place.gamma,
                               task.group->arithmetic == Arithmetic::rational};
  std::vector<ResultRow> rows;
  for (const FormulaValue& value : evaluate_formula(task.place.verifier, setting).values) {
    ResultRow row;
    row.quantity = value.quantity;
    row.value = value.value;
    row.exact = fraction_text(value.exact).value_or("");
    rows.push_back(std::move(row));
  }
  return rows;
}

ResultRow number_row(std::string quantity, double value, std::string index = "") {
  ResultRow row;
  row.quantity = std::move(quantity);
  row.index = std::move(index);
  row.value = value;
  return row;
}

/// The ROC curve, the area under it and the rates of a training (see training_values).
std::vector<ResultRow> training_rows(const TrainingReport& report) {
  std::vector<ResultRow> rows;
  for (const TrainingValue& value : training_values(report)) {
    rows.push_back(number_row(std::string(value.quantity), value.value,
                              value.index ? std::to_string(*value.index) : ""));
  }
  return rows;
}

std::string predictions_text(const std::vector<Prediction>& predictions) {
  json list = json::array();
  for (const Prediction& prediction : predictions) {
    list.push_back({prediction.claim, prediction.quantity, prediction.value,
                    static_cast<int>(prediction.relation)});
  }
  return list.dump();
}

std::vector<Prediction> read_predictions(const std::string& text) {
  std::vector<Prediction> predictions;
  for (const json& entry : json::parse(text)) {
    Prediction prediction;
    prediction.claim = entry.at(0).get<std::string>();
    prediction.quantity = entry.at(1).get<std::string>();
    prediction.value = entry.at(2).get<double>();
    prediction.relation = static_cast<Relation>(entry.at(3).get<int>());
    predictions.push_back(std::move(prediction));
  }
  return predictions;
}

/// Whether the first quantity kept is known to the precision asked for.
bool precise(const Record& record, const TaskGroup& group) {
  const Value* value = record.find(group.keep.front());
  if (value == nullptr) {
    throw InputError("precision speaks of '" + group.keep.front() +
                     "', which is no single quantity of the result");
  }
  if (!value->estimate) return true;
  const double half = (value->estimate->high - value->estimate->low) / 2;
  return half <= *group.precision * std::abs(value->number);
}

/// A task's trials, from the store or by running them, in order from trial 0.
class Trials {
 public:
  Trials(Store& store, const SweepTask& task, const SweepOptions& options, const Rows<double>& rows,
         const SimulateRequest& request)
      : store_(store),
        task_(task),
        options_(options),
        rows_(rows),
        request_(request),
        known_(store.chunks(task.id, options.seed)) {}

  /// Runs up to `end` trials, none of them again.
  /// @returns false where a signal came first
  bool reach(std::uint64_t end, const std::function<void(std::uint64_t)>& progress) {
    while (tally_.trials < end) {
      const TrialRangeDone* best = nullptr;
      for (const TrialRangeDone& range : known_) {
        if (range.first == tally_.trials && range.count <= end - tally_.trials &&
            (best == nullptr || range.count > best->count)) {
          best = &range;
        }
      }
      if (best != nullptr) {
        tally_ += store_.tally(task_.id, options_.seed, *best);
        found_ += best->count;
        continue;
      }
      if (interrupted()) return false;
      SimulateRequest request = request_;
      request.first_trial = tally_.trials;
      request.trials = end - tally_.trials;
      const Tallied made = run_trials(*task_.verifier, rows_, request,
                                      [&](std::uint64_t done) { progress(tally_.trials + done); });
      if (made.tally.trials > 0) {
        const TrialRangeDone range{tally_.trials, made.tally.trials};
        store_.put_chunk(task_.id, options_.seed, range, made.tally);
        tally_ += made.tally;
      }
      if (made.interrupted) return false;
    }
    return true;
  }

  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] std::uint64_t found() const { return found_; }

 private:
  Store& store_;
  const SweepTask& task_;
  const SweepOptions& options_;
  const Rows<double>& rows_;
  const SimulateRequest& request_;
  std::vector<TrialRangeDone> known_;
  Tally tally_;
  std::uint64_t found_ = 0;
};

[[noreturn]] void stop() {
  throw Error(ExitCode::interrupted,
              "interrupted; what was finished is saved, and the same command goes on from there");
}

}  // namespace

std::vector<ResultRow> Sweep::answered(const SweepTask& task,
                                       const std::function<std::vector<ResultRow>()>& compute) {
  if (const auto known = store_.answer(task.id)) {
    ++counts_.found;
    return read_rows(*known);
  }
  if (interrupted()) stop();
  const std::vector<ResultRow> rows = compute();
  store_.put_answer(task.id, rows_text(rows));
  return rows;
}

void Sweep::simulate(const Experiment& experiment, const SweepTask& task, Pairs& pairs,
                     std::vector<TaskRows>& results) {
  const auto rows = pairs.doubles(task.pair);
  Setting setting = setting_of(task);
  // The closed forms of a simulated task are kept too: they may take longer than its trials.
  const std::string asked = "predictions of " + task.id;
  auto known = store_.answer(asked);
  if (!known) {
    known = predictions_text(predict(setting));
    store_.put_answer(asked, *known);
  }
  const std::vector<Prediction> predictions = read_predictions(*known);
  setting.max_work = 0;
  const SimulateRequest request{.lengths = {setting.gamma, setting.horizon, setting.iterations},
                                .seed = options_.seed,
                                .threads = options_.threads};
  Trials trials(store_, task, options_, *rows, request);
  const auto record_now = [&] {
    const Tally& tally = trials.tally();
    SimulationRun run;
    run.trials = tally.trials;
    run.seed = options_.seed;
    run.undefined_trials = tally.undefined_trials;
    Record record =
        simulated_record(task.verifier->name, setting, run, estimate(tally, *rows, request), false);
    record.comparisons.clear();
    for (const Prediction& prediction : predictions) {
      record.comparisons.push_back(compare(record, prediction));
    }
    return record;
  };
  const auto add = [&](const Record& record) {
    TaskRows made = task.place;
    made.trials = record.run->trials;
    made.seed = options_.seed;
    made.rows = record_rows(record);
    made.rows.push_back(
        number_row("undefined_trials", static_cast<double>(record.run->undefined_trials)));
    add_tails(made.rows);
    // Of an estimated law the tails are counts too, with exact binomial intervals.
    std::uint64_t tail = 0;
    std::vector<ResultRow> tails;
    for (std::size_t i = trials.tally().accepted.size(); i-- > 0;) {
      tail += trials.tally().accepted[i];
      const Estimate e = proportion_estimate(tail, trials.tally().trials);
      ResultRow row = number_row("iteration.accepted_tail", e.mean, std::to_string(i));
      row.standard_error = e.standard_error;
      row.low = e.low;
      row.high = e.high;
      tails.push_back(std::move(row));
    }
    made.rows.insert(made.rows.end(), tails.rbegin(), tails.rend());
    keep_rows(made.rows, task.group->keep);
    results.push_back(std::move(made));
  };
  const auto progress = [&](std::uint64_t done) {
    bar_->show(done_before_ + static_cast<double>(done), note_);
  };
  bool enough = false;
  for (const std::uint64_t wanted : task.trials) {
    while (!enough && trials.tally().trials < wanted) {
      const std::uint64_t next = (trials.tally().trials / experiment.chunk + 1) * experiment.chunk;
      if (!trials.reach(std::min(next, wanted), progress)) stop();
      enough = task.group->precision && trials.tally().trials % experiment.chunk == 0 &&
               precise(record_now(), *task.group);
    }
    if (enough && wanted > trials.tally().trials && wanted != task.trials.back()) continue;
    add(record_now());
    if (enough) break;
  }
  counts_.trials += trials.tally().trials;
  counts_.trials_found += trials.found();
  if (trials.found() == trials.tally().trials) ++counts_.found;
  done_before_ += static_cast<double>(task.trials.back());
  bar_->show(done_before_, note_);
}

void Sweep::run_task(const Experiment& experiment, const SweepTask& task, Pairs& pairs,
                     std::vector<TaskRows>& results) {
  ++counts_.tasks;
  if (task.group->kind == TaskKind::simulate) return simulate(experiment, task, pairs, results);
  TaskRows made = task.place;
  made.rows = answered(task, [&]() -> std::vector<ResultRow> {
    switch (task.group->kind) {
      case TaskKind::exact:
        return record_rows(task.group->arithmetic == Arithmetic::rational
                               ? exact_task<Rational>(task, *pairs.rationals(task.pair))
                               : exact_task<double>(task, *pairs.doubles(task.pair)));
      case TaskKind::predict: {
        std::vector<ResultRow> rows;
        for (const Prediction& prediction : predict(setting_of(task))) {
          rows.push_back(prediction_row(prediction));
        }
        return rows;
      }
      case TaskKind::formula:
        return formula_task(task);
      case TaskKind::train:
        return training_rows(*task.training);
      case TaskKind::simulate:
        break;
    }
    return {};
  });
  add_tails(made.rows);
  keep_rows(made.rows, task.group->keep);
  results.push_back(std::move(made));
}

std::vector<TaskRows> Sweep::run(const Experiment& experiment, const std::vector<SweepTask>& tasks,
                                 Pairs& pairs, ProgressBar& bar) {
  bar_ = &bar;
  std::vector<TaskRows> results;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    note_ = fmt::format("{}, task {} of {}", experiment.id, i + 1, tasks.size());
    bar.show(done_before_, note_);
    try {
      run_task(experiment, tasks[i], pairs, results);
    } catch (const Error& error) {
      if (error.code() == ExitCode::interrupted) throw;
      throw Error(error.code(), fmt::format("{}:{}: {}: {}", experiment.path, tasks[i].group->line,
                                            tasks[i].id, error.what()));
    }
  }
  return derive(experiment, std::move(results), options_.quick);
}

}  // namespace speclab
