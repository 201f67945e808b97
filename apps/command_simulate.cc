#include <algorithm>
#include <utility>

#include "answer/advice.h"
#include "answer/bench.h"
#include "base/text.h"
#include "command.h"
#include "option_values.h"
#include "progress.h"
#include "question_options.h"
#include "report/advice.h"
#include "report/output.h"

namespace speclab {
namespace {

constexpr std::uint64_t kMostTrials = 1'000'000'000'000;

/// The two specs of "rrs(K=2),token": apart at the comma outside of brackets.
std::pair<std::string, std::string> read_compared(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] == ',' && depth == 0) return {text.substr(0, i), text.substr(i + 1)};
  }
  throw UsageError("--compare takes two verifiers, such as token,block; not '" + abbreviate(text) +
                   "'");
}

/// What is compared: the first iteration's accepted tokens, and of decodes the tokens a call and
/// the speedup.
struct Compared {
  std::string name;
  Rate first, second;
};

std::vector<Compared> compared_rates(const QuestionOptions& options, const Question& first,
                                     const Question& second) {
  const auto name = [](QuantityId id) { return std::string(quantity(id).path()); };
  if (!first.lengths.horizon) {
    return {{name(QuantityId::expected_accepted), accepted_rate(), accepted_rate()}};
  }
  std::vector<Compared> all{{name(QuantityId::acceptance_length), length_rate(), length_rate()}};
  if (options.costs) {
    all.push_back({name(QuantityId::decode_speedup), speed_rate(*options.costs, first),
                   speed_rate(*options.costs, second)});
  }
  return all;
}

ExitCode compare(const Arguments& arguments, const BySimulation& method, Bench& bench) {
  if (arguments.has("verifier"))
    throw UsageError("--compare names its verifiers; leave out --verifier");
  if (method.estimator != Estimator::plain) {
    throw UsageError("--compare pairs whole trials; leave out --estimator");
  }
  const QuestionOptions options = read_question_options(arguments, bench, false);
  const auto names = read_compared(*arguments.text("compare"));
  const Verifier verifiers[] = {make_verifier(names.first), make_verifier(names.second)};
  const auto clusters = static_cast<std::size_t>(std::max<std::uint64_t>(
      kLeastClusters, (method.trials + kClusterTrials - 1) / kClusterTrials));
  std::vector<PairComparison> all;
  for (const PairPointer& pair : options.pairs) {
    for (const Lengths& lengths : options.lengths) {
      std::vector<Cluster> counted[2];
      Question questions[2];
      for (int i = 0; i < 2; ++i) {
        questions[i] = {pair, verifiers[i], lengths, false, Arithmetic::floating};
        add_clusters(bench, questions[i], method, 0, clusters, counted[i]);
      }
      for (const Compared& rate : compared_rates(options, questions[0], questions[1])) {
        all.push_back({pair, verifiers[0].name, verifiers[1].name, gamma_text(lengths.gamma),
                       rate.name, rate_interval(counted[0], rate.first),
                       rate_interval(counted[1], rate.second),
                       paired_difference(counted[0], rate.first, counted[1], rate.second),
                       clusters * kClusterTrials, method.seed});
      }
    }
  }
  Output(options.output).write(comparisons_text(all, options.format));
  return ExitCode::done;
}

ExitCode run(const Arguments& arguments) {
  Bench bench(read_max_memory(arguments));
  BySimulation method;
  method.trials = read_count(arguments, "trials", 2, kMostTrials, method.trials);
  method.seed = read_seed(arguments);
  method.threads = read_threads(arguments);
  method.estimator =
      static_cast<Estimator>(read_choice(arguments, "estimator", {"plain", "conditional"}, 0));
  if (arguments.has("compare")) return compare(arguments, method, bench);
  const QuestionOptions options = read_question_options(arguments, bench);
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
                "expectations, a smaller variance"},
               {"compare", "A,B",
                "in place of --verifier: the difference of two verifiers over the same trials, its "
                "interval, and how many trials that saves"}}),
          {"speclab simulate --pair 'markov(vocabulary=7,horizon=50,seed=10)' --verifier token "
           "--gamma inf --horizon 50 --trials 20000",
           "speclab simulate --pair 'bernoulli(draft=2/3,target=1/3)' --verifier block --verifier "
           "greedy-block --gamma 1:3 --horizon 8 --trials 1e4 --format csv"},
          &run};
}

}  // namespace speclab
