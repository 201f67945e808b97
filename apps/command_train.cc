#include <fmt/format.h>

#include "answer/documents/training.h"
#include "command.h"
#include "model/registry.h"
#include "option_values.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"

namespace speclab {
namespace {

Training training_options(const Arguments& arguments) {
  require(arguments, "pair", "'bernoulli(draft=2/3,target=1/3)'");
  require(arguments, "lambda", "1");
  Training training;
  training.lambda = read_rational(arguments, "lambda", "a number or a fraction of 0 or more",
                                  [](const Rational& value) { return value >= 0; })
                        .value_or(training.lambda);
  training.tau = read_rational(arguments, "tau", "a number or a fraction from 0 to 1",
                               [](const Rational& value) { return value >= 0 && value <= 1; })
                     .value_or(training.tau);
  training.samples = static_cast<int>(read_count(arguments, "samples", 2, kMostTrainingSamples,
                                                 static_cast<std::uint64_t>(training.samples)));
  training.length = static_cast<int>(read_count(arguments, "length", 1, kLongestRollout,
                                                static_cast<std::uint64_t>(training.length)));
  training.seed = read_count(arguments, "seed", 0, kLargestTrainingSeed, training.seed);
  training.prefixes =
      static_cast<Prefixes>(read_choice(arguments, "prefixes", prefixes_names(), 0));
  return training;
}

ExitCode run_train(const Arguments& arguments) {
  const Training training = training_options(arguments);
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  std::optional<Output> file;
  if (const auto path = arguments.text("rates")) file.emplace(*path);
  const PairPointer pair = make_pair(*arguments.text("pair"));
  std::optional<ProgressBar> bar(std::in_place, 0, "");
  bar->show(0, "training");
  const Trained trained = train(pair, training);
  const TrainingReport report = report_training(pair, training, trained);
  bar.reset();
  if (file) file->write(rates_file_text(pair, training, trained, report));
  output.write(render(training_document(pair, training, report), format));
  return ExitCode::done;
}

}  // namespace

Command train_command() {
  return {"train",
          "trains a low-complexity verifier for a pair and writes the rates file that "
          "sprinter(rates=FILE) reads",
          "--pair SPEC --lambda L [--rates FILE] [options]",
          "",
          {{"pair", "SPEC", "draft and target models (speclab list pairs)"},
           {"lambda", "L", "a drafted token is acceptable where draft / target is at most L"},
           {"tau", "T", "a token passes where its score is at least T, from 0 to 1 (default 1/2)"},
           {"samples", "N", "tokens to train on, and as many held out to measure (default 4096)"},
           {"length", "N", "longest rollout of the draft, in tokens (default 64)"},
           {"seed", "S", "a whole number below 2^32 (default 1); it decides the result"},
           {"prefixes", "KIND",
            "contexts of the tokens: draft (default), continuations by the draft; or equal, in "
            "equal parts the prompt alone and continuations by draft, target or either"},
           {"rates", "FILE", "write the rates file there; replaced as a whole", /*repeated=*/false,
            /*written=*/true},
           kFormatOption,
           output_option("write the report there instead of standard output")},
          {"speclab train --pair 'zipf(vocabulary=64,draft=1,target=1.5,seed=1)' --lambda 1.2",
           "speclab train --pair 'markov(vocabulary=7,horizon=50,seed=10)' --lambda 1 --tau 0.4 "
           "--format csv"},
          &run_train};
}

}  // namespace speclab
