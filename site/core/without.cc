// What the program does without what a browser lacks: a refusal with the reason, or one after
// another what other machines do side by side.
#include <exception>

#include "answer/interpreters.h"
#include "answer/proofs.h"
#include "base/error.h"
#include "base/split.h"
#include "experiment/experiment.h"
#include "experiment/shard.h"
#include "guards.h"
#include "progress.h"
#include "recorded/scored/score.h"
#include "recorded/scored/source.h"
#include "simulate/step_lanes.h"
#include "stored_simulation.h"
#include "system/in_child.h"
#include "system/interrupt.h"
#include "system/processor.h"
#include "system/thread_pool.h"
#include "verifiers/plugin.h"

namespace speclab {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw LimitError(what + " is not in the program that runs in a browser; run speclab itself");
}

}  // namespace

Guards::Guards() = default;
Guards::~Guards() = default;
void suspect_plugin(const std::string&) {}
std::string suspected_plugins() { return ""; }
void check_threads(int) {}

ProgressBar::ProgressBar(double, std::string, Forecast) {}
ProgressBar::~ProgressBar() = default;
void ProgressBar::show(double, const std::string&) {}
void ProgressBar::expect(double) {}
void ProgressBar::hide() {}
void remove_progress() {}

bool has_instructions(Instructions wanted) { return wanted == Instructions::scalar; }
Instructions allowed_instructions() { return Instructions::scalar; }
std::string fault_in_child(const std::function<void()>&) { return ""; }
std::string plugin_digest(std::string_view) { return ""; }
void load_plugin(const std::string&) { refuse("a plugin"); }

std::shared_ptr<StepLanes> StepLanes::make(const TrialPlan&) { return nullptr; }
void StepLanes::run(std::uint64_t, std::uint64_t, Tally&) {}  // of none

bool run_tasks(int, const std::function<std::optional<PoolTask>()>& next) {
  while (std::optional<PoolTask> task = next()) {
    task->work();
    task->done();
  }
  return true;
}

Answer interpret(const Plan&, const ByRecording&, const Progress&) { refuse("a recording"); }

ScoreResult score_texts(const std::vector<std::string>&, const ScoreRequest&,
                        const std::function<void(std::int64_t)>&) {
  refuse("a score");
}
std::unique_ptr<TextSource> open_texts(const std::string&, const TextFields&) {
  refuse("a file of scored texts");
}

void set_build(const std::string&) {}
Experiment read_experiment(const std::string&) { refuse("an experiment"); }
// Papers name experiments: their ids are known, their files are not there.
std::vector<std::string> experiment_files() {
  const auto names = split(SPECLAB_EXPERIMENTS, " ");
  return {names.begin(), names.end()};
}
ExitCode simulate_stored(const QuestionOptions&, const BySimulation&, const std::string&, Shard,
                         Bench&) {
  refuse("a store of results");
}

TheoremAnswer prove(const TheoremQuestion&, std::uint64_t) {
  refuse("a proof for all pairs of a size (Z3)");
}

}  // namespace speclab
