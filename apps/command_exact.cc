#include "answer/bench.h"
#include "command.h"
#include "option_values.h"
#include "progress.h"
#include "question_options.h"

namespace speclab {
namespace {

ExitCode run_exact(const Arguments& arguments) {
  constexpr std::uint64_t kMostPaths = 1'000'000'000'000'000;
  Bench bench(read_max_memory(arguments));
  const QuestionOptions options = read_question_options(arguments, bench);
  const bool rational = read_choice(arguments, "arithmetic", {"rational", "double"}, 0) == 0;
  ByEnumeration method;
  method.max_paths =
      static_cast<double>(read_count(arguments, "max-paths", 1, kMostPaths, 100'000'000));
  method.threads = read_threads(arguments);
  method.iteration_law = true;
  const auto all = static_cast<double>(options.combinations());
  ProgressBar bar(all > 1 ? all : 0, "combinations", Forecast::unknown);
  double done = 0;
  return run_questions(
      options, rational ? Arithmetic::rational : Arithmetic::floating, bench,
      [&](const Question& question) {
        bar.show(done++, question.verifier.name + ", gamma " + gamma_text(question.lengths.gamma));
        return bench.answer(question, method);
      },
      bar);
}

}  // namespace

Command exact_command() {
  return {
      "exact",
      "the exact law of what a verifier does, with the closed forms that apply",
      "--pair SPEC --verifier SPEC --gamma G [--horizon T] [options]",
      "",
      question_options(
          {{"arithmetic", "A", "rational (default: fractions, no rounding) or double (faster)"},
           {"long-run", "",
            "the limits of acceptance length and rates as the horizon goes to infinity as well"},
           {"max-paths", "N",
            "refuse more sequences of decisions than this in an iteration (default 1e8; exit "
            "code 4); the law of the T tokens is left out beyond it, or refused with --law"}}),
      {"speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --verifier "
       "block --gamma 2 --horizon 4",
       "speclab exact --pair 'markov(vocabulary=3,horizon=8,seed=10)' --verifier block --gamma "
       "1:4 --arithmetic double --format csv"},
      &run_exact};
}

}  // namespace speclab
