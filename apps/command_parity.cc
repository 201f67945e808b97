#include <fmt/format.h>

#include <cmath>

#include "audit/parity/document.h"
#include "command.h"
#include "option_values.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"
#include "shard_option.h"

namespace speclab {
namespace {

/// Permutations establish no smaller one.
constexpr double kLeastLevel = 1e-4;

ParityOptions parity_options(const Arguments& arguments) {
  ParityOptions options;
  options.decoding = static_cast<ParityOptions::Decoding>(
      read_choice(arguments, "decoding", {"auto", "greedy", "sampled"}, 0));
  options.false_alarm = read_probability(arguments, "false-alarm", options.false_alarm);
  options.tv = read_probability(arguments, "tv", options.tv);
  options.power = read_probability(arguments, "power", options.power);
  if (const auto look = read_part(arguments, "look")) {
    options.look = look->number;
    options.looks = look->of;
  }
  options.prefix = static_cast<int>(read_count(arguments, "prefix", 1, 4096, 32));
  const auto margin = read_rational(
      arguments, "margin", "a number from 0 on",
      [](const Rational& each) { return each >= 0 && std::isfinite(to_double(each)); });
  if (margin) options.margin = to_double(*margin);
  options.seed = read_seed(arguments);
  options.threads = read_threads(arguments);
  if (options.false_alarm / options.looks < kLeastLevel) {
    throw UsageError(
        fmt::format("--false-alarm is {} a look at least: permutations establish no "
                    "smaller p-value",
                    kLeastLevel));
  }
  return options;
}

ExitCode run_parity(const Arguments& arguments) {
  const Format format = read_test_format(arguments);
  const ParityOptions options = parity_options(arguments);
  const std::vector<std::string>& files = arguments.words();
  if (files.size() != 2) {
    throw UsageError(
        "parity takes two files of outputs, with speculation and without: speclab parity on.jsonl "
        "off.jsonl");
  }
  const Output output(arguments.text("output"));
  ParityReport report;
  {
    ProgressBar bar(0, "");
    bar.show(0, "reading");
    const ServedSamples samples = read_served(files[0], files[1]);
    report =
        compare_served(samples, options, [&bar](const std::string& what) { bar.show(0, what); });
  }
  output.write(render(parity_document(report, options), format));
  return report.passed ? ExitCode::done : ExitCode::verdict_differs;
}

}  // namespace

Command parity_command() {
  return {
      "parity",
      "whether a served model gives the same outputs with speculation and without: a two-sample "
      "test of its samples, or of greedy outputs token by token",
      "ON.jsonl OFF.jsonl [options]",
      "FILE",
      {{"decoding", "D",
        "auto (default): greedy where every prompt has one output on each side; greedy, or "
        "sampled"},
       {"false-alarm", "X",
        "the probability that equal servers are found to differ, over all looks (default 0.01)"},
       {"look", "K/N",
        "while samples are collected: this is the K-th of N planned looks, each of which spends an "
        "equal part of the false alarm (default 1/1)"},
       {"tv", "X",
        "the total variation distance of the faults whose power is stated (default 0.01)"},
       {"power", "X",
        "the power that these faults are to be seen with; how many more samples that takes is "
        "printed (default 0.95)"},
       {"prefix", "L", "tokens of the longest prefix that is compared (default 32)"},
       {"margin", "X",
        "of greedy outputs: a first difference where the two largest logits are no further apart "
        "is a tie of rounding (default 0: none)"},
       {"seed", "S", "of permutations and simulations (default 1)"},
       kThreadsOption,
       kTestFormatOption,
       output_option()},
      {"printf '{\"prompt\": \"a\", \"tokens\": [1, 2, 3]}\\n' | tee /tmp/on.jsonl "
       ">/tmp/off.jsonl; "
       "speclab parity /tmp/on.jsonl /tmp/off.jsonl",
       "for i in 1 2 3 4 5 6; do printf '{\"prompt\": \"a\", \"text\": \"yes\"}\\n{\"prompt\": "
       "\"a\", \"text\": \"no\"}\\n'; done | tee /tmp/on.jsonl >/tmp/off.jsonl; speclab parity "
       "/tmp/on.jsonl /tmp/off.jsonl --format json"},
      &run_parity,
      /*many_words=*/true};
}

}  // namespace speclab
