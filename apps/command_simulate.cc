#include <fmt/format.h>

#include <algorithm>

#include "answer/answer.h"
#include "answer/bench.h"
#include "batches.h"
#include "command.h"
#include "compare_verifiers.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "question_options.h"
#include "shard_option.h"
#include "stored_simulation.h"
#include "system/launched.h"

namespace speclab {
namespace {

bool is_recorded(const PairPointer& pair) { return recording_of(*pair) != nullptr; }

/// A recording has its own iterations: nothing is drawn, and no decode goes on from them.
void check_recorded(const Arguments& arguments) {
  if (arguments.has("latency")) {
    throw UsageError(
        "--latency is for whole decodes, which a recording does not contain; speclab advise takes "
        "the times of its iterations");
  }
  refuse_any(arguments, {"trials", "seed", "estimator"},
             "--{} says how to draw, and a recording has its own drafts; leave it out");
}

/// Whether all of the recordings can answer for a verifier.
bool all_answer(const QuestionOptions& options, const Verifier& verifier) {
  return std::all_of(options.pairs.begin(), options.pairs.end(), [&](const PairPointer& pair) {
    return why_not_recorded(verifier, recording_of(*pair)->shape()).empty();
  });
}

/// Options that keep trials have no meaning for a recording.
void check_unstored(const Arguments& arguments, const char* why) {
  refuse_any(arguments, {"results", "shard"},
             fmt::format("--{{}} keeps drawn trials, and {}; leave it out", why));
}

/// Says where several processes were started that share no work.
void tell_unshared() {
  try {
    const auto process = launched();
    if (!process || process->number > 0) return;
    print_note(
        fmt::format("{} processes were started ({}), and each runs all trials; --results DIR "
                    "divides them",
                    process->processes, process->variable));
  } catch (const UsageError&) {  // nobody asked
  }
}

RecordedRequest recorded_request(const Arguments& arguments, const QuestionOptions& options) {
  RecordedRequest request;
  request.verifiers = options.verifiers;
  for (const Lengths& lengths : options.lengths) request.gammas.push_back(lengths.gamma);
  request.threads = read_threads(arguments);
  request.max_memory = read_max_memory(arguments);
  return request;
}

ExitCode run_simulate(const Arguments& arguments) {
  Bench bench(read_max_memory(arguments));
  BySimulation method;
  method.trials = read_count(arguments, "trials", 2, kTrialsLimit, method.trials);
  method.seed = read_seed(arguments);
  method.threads = read_threads(arguments);
  method.estimator =
      static_cast<Estimator>(read_choice(arguments, "estimator", {"plain", "conditional"}, 0));
  if (asks_batches(arguments)) return simulate_batches(arguments, method, bench);
  if (arguments.has("compare")) {
    check_unstored(arguments, "--compare keeps none");
    return compare_verifiers(arguments, method, bench);
  }
  const auto folder = arguments.text("results");
  if (arguments.has("shard") && !folder) {
    throw UsageError("--shard needs --results DIR, the folder in which the shards' results meet");
  }
  const Shard shard = folder ? read_shard(arguments) : Shard{};
  if (!folder) tell_unshared();
  QuestionOptions options = read_question_options(arguments, bench);
  const auto recorded = std::find_if(options.pairs.begin(), options.pairs.end(), &is_recorded);
  if (recorded != options.pairs.end()) {
    check_recorded(arguments);
    check_unstored(arguments, "a recording has its own");
  }
  if (folder) return simulate_stored(options, method, *folder, shard, bench);
  const bool alone = std::all_of(options.pairs.begin(), options.pairs.end(), &is_recorded);
  if (alone) {
    leave_out(arguments, options, "left out, as the recording cannot answer for them",
              [&](const Verifier& verifier) { return all_answer(options, verifier); });
  }
  const double steps =
      alone ? static_cast<double>(recording_of(**recorded)->shape().prompts)
            : static_cast<double>(method.trials) * static_cast<double>(options.combinations());
  ProgressBar bar(steps, alone ? "prompts" : "trials");
  std::uint64_t finished = 0;
  std::size_t asked = 0;
  const ByRecording recordings{
      std::make_shared<RecordedRuns>(recorded_request(arguments, options), [&](std::int64_t done) {
        if (alone) bar.show(static_cast<double>(done));
      })};
  return run_questions(
      options, Arithmetic::floating, bench,
      [&](const Question& question) {
        if (is_recorded(question.pair)) return bench.answer(question, recordings);
        const std::string note =
            fmt::format("{} of {}: {}, gamma {}", ++asked, options.combinations(),
                        question.verifier.name, gamma_text(question.lengths.gamma));
        Answer answer = bench.answer(question, method, [&](std::uint64_t done) {
          bar.show(static_cast<double>(finished + done), note);
        });
        finished += answer.run->trials;
        return answer;
      },
      bar);
}

}  // namespace

Command simulate_command() {
  std::vector<Option> own{
      {"trials", "N", "from 2 to 1e12, also written as 1e6 (default 100000)"},
      {"seed", "S",
       "a whole number below 2^64 (default 1); it and the number of trials "
       "decide the result"},
      {"estimator", "plain|conditional",
       "conditional: sample the drafts and enumerate the coins of one iteration; the same "
       "expectations, a smaller variance"},
      {"results", "DIR",
       "keep the trials in DIR/results.sqlite, and run none that are there; what shards "
       "left there is added up"},
      shard_option(),
      {"compare", "A,B",
       "in place of --verifier: the difference of two verifiers over the same trials, its "
       "interval, and how many trials pairing and control variates save; in clusters of 64"}};
  for (const Option& option : batch_options(false)) own.push_back(option);
  return {"simulate",
          "a Monte-Carlo estimate of every quantity, with its interval and the closed forms",
          "--pair SPEC --verifier SPEC --gamma G [--horizon T] --trials N [options]",
          "",
          question_options(own),
          {"speclab simulate --pair 'markov(vocabulary=7,horizon=50,seed=10)' --verifier token "
           "--gamma inf --horizon 50 --trials 20000",
           "speclab simulate --pair 'bernoulli(draft=2/3,target=1/3)' --verifier block --verifier "
           "greedy-block --gamma 1:3 --horizon 8 --trials 1e4 --format csv"},
          &run_simulate};
}

}  // namespace speclab
