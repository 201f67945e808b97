#include "answer/bench.h"
#include "command.h"
#include "option_values.h"
#include "progress.h"
#include "question_options.h"

namespace speclab {
namespace {

constexpr std::uint64_t kMostTrials = 1'000'000'000'000;

ExitCode run(const Arguments& arguments) {
  Bench bench(read_max_memory(arguments));
  const QuestionOptions options = read_question_options(arguments, bench);
  BySimulation method;
  method.trials = read_count(arguments, "trials", 2, kMostTrials, method.trials);
  method.seed = read_seed(arguments);
  method.threads = read_threads(arguments);
  method.estimator =
      static_cast<Estimator>(read_choice(arguments, "estimator", {"plain", "conditional"}, 0));
  ProgressBar bar(static_cast<double>(method.trials) * static_cast<double>(options.combinations()),
                  "trials");
  std::uint64_t finished = 0;
  return run_questions(options, Arithmetic::floating, bench, [&](const Question& question) {
    Answer answer = bench.answer(question, method, [&](std::uint64_t done) {
      bar.show(static_cast<double>(finished + done));
    });
    finished += answer.run->trials;
    return answer;
  });
}

}  // namespace

Command simulate_command() {
  return {"simulate",
          "a Monte-Carlo estimate of every quantity, with its interval and the closed forms",
          "--pair SPEC --verifier SPEC --gamma G [--horizon T] --trials N [options]",
          "",
          question_options(
              {{"trials", "N", "from 2 to 1e12, also written as 1e6 (default 100000)"},
               {"seed", "S",
                "a whole number below 2^64 (default 1); it and the number of trials "
                "decide the result"},
               {"estimator", "plain|conditional",
                "conditional: sample the drafts and enumerate the coins of one iteration; the same "
                "expectations, a smaller variance"}}),
          {"speclab simulate --pair 'markov(vocabulary=7,horizon=50,seed=10)' --verifier token "
           "--gamma inf --horizon 50 --trials 20000",
           "speclab simulate --pair 'bernoulli(draft=2/3,target=1/3)' --verifier block --verifier "
           "greedy-block --gamma 1:3 --horizon 8 --trials 1e4 --format csv"},
          &run};
}

}  // namespace speclab
