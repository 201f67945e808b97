#include <limits>
#include <map>
#include <memory>

#include "answer/conditional.h"
#include "command.h"
#include "progress.h"
#include "report/records.h"
#include "task_options.h"

namespace speclab {
namespace {

constexpr std::uint64_t kMostTrials = 1'000'000'000'000;
constexpr std::uint64_t kMostThreads = 1024;

struct SimulateOptions {
  std::uint64_t trials = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  Estimator estimator = Estimator::plain;
};

/// Seconds until E[tau]'s 95% half-width is a thousandth of it, at the speed and spread of the run.
std::optional<double> seconds_to_permille(const Tallied& tallied, const Estimate& accepted) {
  const double half_width = accepted.high - accepted.mean;
  if (!(accepted.mean > 0) || !(half_width > 0)) return std::nullopt;
  const double factor = half_width / (1e-3 * accepted.mean);
  return tallied.seconds * factor * factor;
}

class Task {
 public:
  Task(const TaskOptions& task, const SimulateOptions& own)
      : task_(task),
        own_(own),
        bar_(
            static_cast<double>(own.trials) *
                static_cast<double>(task.pairs.size() * task.verifiers.size() * task.gammas.size()),
            "trials") {}

  Record run(const Setting& setting, const Verifier& verifier) {
    auto& rows = rows_[setting.pair.get()];
    if (!rows) rows = std::make_shared<Rows<double>>(setting.pair);
    const SimulateRequest request{.lengths = {setting.gamma, setting.horizon, setting.iterations},
                                  .law = task_.law,
                                  .trials = own_.trials,
                                  .seed = own_.seed,
                                  .threads = own_.threads};
    const Tallied tallied = run_trials(own_.estimator, verifier, *rows, request, [&](std::uint64_t done) {
      bar_.show(static_cast<double>(finished_ + done));
    });
    finished_ += tallied.tally.trials;
    const Estimates estimates = estimate(own_.estimator, tallied.tally, *rows, request);
    const SimulationRun run{
        .trials = tallied.tally.trials,
        .seed = own_.seed,
        .threads = tallied.threads,
        .seconds = tallied.seconds,
        .estimator = std::string(estimator_name(own_.estimator)),
        .variance_ratio = estimates.variance_ratio,
        .seconds_to_permille = seconds_to_permille(tallied, estimates.expected_accepted),
        .table_bytes = rows->bytes(),
        .undefined_trials = tallied.tally.undefined_trials,
        .interrupted = tallied.interrupted};
    return simulated_record(verifier.name, setting, run, estimates, task_.law);
  }

 private:
  const TaskOptions& task_;
  const SimulateOptions& own_;
  ProgressBar bar_;
  std::uint64_t finished_ = 0;
  std::map<const Pair*, std::shared_ptr<Rows<double>>> rows_;
};

ExitCode run(const Arguments& arguments) {
  const TaskOptions options = read_task_options(arguments);
  SimulateOptions own;
  own.trials = read_count(arguments, "trials", 2, kMostTrials, 100'000);
  own.seed = read_count(arguments, "seed", 0, std::numeric_limits<std::uint64_t>::max(), own.seed);
  own.threads = static_cast<int>(read_count(arguments, "threads", 1, kMostThreads, 0));
  own.estimator =
      static_cast<Estimator>(read_choice(arguments, "estimator", {"plain", "conditional"}, 0));
  const auto task = std::make_unique<Task>(options, own);
  return run_combinations(options, Arithmetic::floating,
                          [&](const Setting& setting, const Verifier& verifier) {
                            return task->run(setting, verifier);
                          });
}

}  // namespace

Command simulate_command() {
  return {"simulate",
          "a Monte-Carlo estimate of every quantity, with its interval and the closed forms",
          "--pair SPEC --verifier SPEC --gamma G [--horizon T] --trials N [options]",
          "",
          task_options(
              {{"trials", "N", "from 2 to 1e12, also written as 1e6 (default 100000)"},
               {"seed", "S",
                "a whole number below 2^64 (default 1); it and the number of trials "
                "decide the result"},
               {"estimator", "plain|conditional",
                "conditional: sample the drafts and enumerate the coins of one iteration; the same "
                "expectations, a smaller variance"},
               {"threads", "N", "default: as many as the machine has; the result is the same"}}),
          {"speclab simulate --pair 'markov(vocabulary=7,horizon=50,seed=10)' --verifier token "
           "--gamma inf --horizon 50 --trials 20000",
           "speclab simulate --pair 'bernoulli(draft=2/3,target=1/3)' --verifier block --verifier "
           "greedy-block --gamma 1:3 --horizon 8 --trials 1e4 --format csv"},
          &run};
}

}  // namespace speclab
