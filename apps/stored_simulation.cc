#include "stored_simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "experiment/stored_trials.h"
#include "experiment/sweep.h"
#include "progress.h"
#include "report/output.h"
#include "results_folder.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

std::string trials_key(const Question& question, const BySimulation& method) {
  const std::string key = task_key(question, AnswerKind::simulate);
  return method.estimator == Estimator::plain ? key : key + " estimator=conditional";
}

std::vector<Question> all_questions(const QuestionOptions& options) {
  std::vector<Question> questions;
  options.each_question(Arithmetic::floating,
                        [&](const Question& question) { questions.push_back(question); });
  return questions;
}

ShardRecord record_of(const std::vector<Question>& questions, const BySimulation& method,
                      Shard shard) {
  std::uint64_t digest = task_hash("simulate");
  for (const Question& question : questions) {
    digest = task_hash(trials_key(question, method) + '\n', digest);
  }
  return {shard, method.seed, shard_version(),
          fmt::format("simulate trials={} questions={} tasks={:016x}", method.trials,
                      questions.size(), digest)};
}

/// Ranges are kept while the trials go on, so that little is lost where the process is killed.
std::uint64_t chunk_of(std::uint64_t trials) {
  constexpr std::uint64_t kLeast = 8192, kMost = 64;
  return std::max(kLeast, trials / kMost);
}

void run_share(Store& store, const std::vector<Question>& questions, const BySimulation& method,
               const std::string& folder, Shard shard, Bench& bench) {
  const std::uint64_t first = shard.begin(method.trials), end = shard.end(method.trials);
  const double each = static_cast<double>(end - first);
  ProgressBar bar(each * static_cast<double>(questions.size()), "trials");
  std::uint64_t found = 0;
  double before = 0;
  for (const Question& question : questions) {
    BySimulation own = method;
    own.first_trial = first;
    StoredTrials trials(store, bench, question, own, trials_key(question, method));
    const bool whole = trials.reach(end, chunk_of(method.trials), [&](std::uint64_t done) {
      bar.show(before + static_cast<double>(done - first));
    });
    if (!whole) {
      throw Error(
          ExitCode::interrupted,
          "interrupted; what was finished is saved, and the same command goes on from there");
    }
    found += trials.found();
    before += each;
  }
  store.finish_shard();
  bar.hide();
  Output(std::nullopt)
      .write(fmt::format("simulate: shard {} of {} questions, {} trials ({} found); {}\n",
                         shard.text(), questions.size(), (end - first) * questions.size(), found,
                         shard_store(folder, shard)));
}

}  // namespace

ExitCode simulate_stored(const QuestionOptions& options, const BySimulation& method,
                         const std::string& folder, Shard shard, Bench& bench) {
  const std::vector<Question> questions = all_questions(options);
  make_folder(folder, "results");
  const auto store = open_results_store(folder, record_of(questions, method, shard));
  if (!shard.whole()) {
    run_share(*store, questions, method, folder, shard, bench);
    return ExitCode::done;
  }
  ProgressBar bar(static_cast<double>(method.trials) * static_cast<double>(questions.size()),
                  "trials");
  double before = 0;
  const auto ask = [&](const Question& question) {
    StoredTrials trials(*store, bench, question, method, trials_key(question, method));
    const bool whole =
        trials.reach(method.trials, chunk_of(method.trials),
                     [&](std::uint64_t done) { bar.show(before + static_cast<double>(done)); });
    before += static_cast<double>(method.trials);
    Tallied tallied = trials.all();
    tallied.interrupted = !whole;
    if (tallied.tally.trials < 2) check_interrupted();
    Answer answer = bench.estimate(question, method, tallied);
    // The time of what the store had is not known.
    if (trials.found() > 0) answer.run->seconds_to_permille.reset();
    return answer;
  };
  return run_questions(options, Arithmetic::floating, bench, ask, bar);
}

}  // namespace speclab
