#include <fmt/format.h>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/beyond.h"
#include "base/error.h"
#include "batches.h"
#include "command.h"
#include "option_values.h"
#include "progress.h"
#include "question_options.h"
#include "system/memory.h"

namespace speclab {
namespace {

/// By enumeration; or by closed forms alone where that takes too many sequences of decisions.
Answer answer_within(const Question& question, const ByEnumeration& method, Bench& bench,
                     double memory) {
  if (clearly_beyond(question, method.max_paths)) {
    const std::string reason =
        fmt::format("two drafted tokens of {} may be more than {:.3g} sequences of decisions",
                    question.pair->vocabulary(), method.max_paths);
    if (auto answer = answer_beyond(question, reason, memory)) return *answer;
  }
  try {
    return bench.answer(question, method);
  } catch (const LimitError& error) {
    if (auto answer = answer_beyond(question, error.what(), memory)) return *answer;
    throw;
  }
}

ExitCode run_exact(const Arguments& arguments) {
  constexpr std::uint64_t kMostPaths = 1'000'000'000'000'000;
  const auto max_memory = read_max_memory(arguments);
  Bench bench(max_memory);
  const double memory = most_memory(max_memory);
  const bool rational = read_choice(arguments, "arithmetic", {"rational", "double"}, 0) == 0;
  ByEnumeration method;
  method.max_paths =
      static_cast<double>(read_count(arguments, "max-paths", 1, kMostPaths, 100'000'000));
  method.threads = read_threads(arguments);
  method.iteration_law = true;
  const Arithmetic arithmetic = rational ? Arithmetic::rational : Arithmetic::floating;
  if (asks_batches(arguments)) return enumerate_batches(arguments, arithmetic, method, bench);
  const QuestionOptions options = read_question_options(arguments, bench);
  const auto all = static_cast<double>(options.combinations());
  ProgressBar bar(all > 1 ? all : 0, "combinations", Forecast::unknown);
  double done = 0;
  return run_questions(
      options, arithmetic, bench,
      [&](const Question& question) {
        bar.show(done++, question.verifier.name + ", gamma " + gamma_text(question.lengths.gamma));
        return answer_within(question, method, bench, memory);
      },
      bar);
}

}  // namespace

Command exact_command() {
  std::vector<Option> own{
      {"arithmetic", "A", "rational (default: fractions, no rounding) or double (faster)"},
      {"long-run", "",
       "the limits of acceptance length and rates as the horizon goes to infinity as well"},
      {"max-paths", "N",
       "refuse more sequences of decisions than this in an iteration (default 1e8; exit "
       "code 4), or give closed forms and bounds of the first one; the law of the T tokens "
       "is left out beyond it, or refused with --law"}};
  for (const Option& option : batch_options(true)) own.push_back(option);
  return {"exact",
          "the exact law of what a verifier does, with the closed forms that apply",
          "--pair SPEC --verifier SPEC --gamma G [--horizon T] [options]",
          "",
          question_options(own),
          {"speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --verifier "
           "block --gamma 2 --horizon 4",
           "speclab exact --pair 'markov(vocabulary=3,horizon=8,seed=10)' --verifier block --gamma "
           "1:4 --arithmetic double --format csv"},
          &run_exact};
}

}  // namespace speclab
