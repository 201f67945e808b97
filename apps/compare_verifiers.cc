#include "compare_verifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "answer/documents/advice.h"
#include "base/text.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "question_options.h"
#include "report/output.h"
#include "report/partial.h"

namespace speclab {
namespace {

/// What is compared: the first iteration's accepted tokens, and of decodes the tokens a call and
/// the speedup.
struct ComparedRate {
  std::string name;
  Rate first, second;
};

std::vector<ComparedRate> compared_rates(const QuestionOptions& options, const Question& first,
                                         const Question& second) {
  const auto name = [](QuantityId id) { return std::string(quantity(id).path()); };
  const bool recorded = recording_of(*first.pair) != nullptr;
  const auto length = recorded ? QuantityId::expected_tokens : QuantityId::acceptance_length;
  if (!first.lengths.horizon && !recorded) {
    return {{name(QuantityId::expected_accepted), accepted_rate(), accepted_rate()}};
  }
  std::vector<ComparedRate> all{{name(length), length_rate(), length_rate()}};
  if (options.costs) {  // which need a horizon, so that nothing is recorded
    Latencies latencies(*options.costs);
    all.push_back({name(QuantityId::decode_speedup), speed_rate(latencies, first),
                   speed_rate(latencies, second)});
  }
  return all;
}

/// What both counted over the same trials, or over the prompts of a recording.
void count_clusters(Bench& bench, const BySimulation& method, const Question (&questions)[2],
                    std::vector<Cluster> (&counted)[2]) {
  if (recording_of(*questions[0].pair) != nullptr) {
    RecordedRequest request;
    request.verifiers = {questions[0].verifier, questions[1].verifier};
    request.gammas = {questions[0].lengths.gamma};
    request.threads = method.threads;
    const RecordedResults found = run_recorded(questions[0].pair, request);
    for (int i = 0; i < 2; ++i)
      counted[i] = clusters_of(found.results.at(static_cast<std::size_t>(i)));
    return;
  }
  const auto clusters = static_cast<std::size_t>(std::max<std::uint64_t>(
      kLeastClusters, (method.trials + kClusterTrials - 1) / kClusterTrials));
  for (int i = 0; i < 2; ++i) {
    add_clusters(bench, questions[i], questions, method, 0, clusters, counted[i]);
  }
}

void check_options(const Arguments& arguments, const BySimulation& method) {
  if (arguments.has("verifier"))
    throw UsageError("--compare names its verifiers; leave out --verifier");
  if (method.estimator != Estimator::plain) {
    throw UsageError("--compare pairs whole trials; leave out --estimator");
  }
  refuse_with(arguments, "compare",
              {"law", "iterations", "variance", "columns", "sort", "fractions"});
}

/// Refuses a horizon and a latency for a recording, which has no whole decodes, and a latency
/// without a horizon.
void check_decodes(const Arguments& arguments, const QuestionOptions& options) {
  const bool recorded =
      std::any_of(options.pairs.begin(), options.pairs.end(),
                  [](const PairPointer& pair) { return recording_of(*pair) != nullptr; });
  for (const char* option : {"horizon", "latency"}) {
    if (!recorded || !arguments.has(option)) continue;
    throw UsageError(
        fmt::format("a recording has single iterations, no decodes; leave out --{}", option));
  }
  if (arguments.has("latency") && !arguments.has("horizon")) {
    throw UsageError(
        "--compare reports a speedup of whole decodes; add --horizon, or leave out --latency");
  }
}

/// Says of which verifier trials had an undefined draw.
void tell_undefined(std::span<const Verifier> verifiers,
                    std::span<const std::vector<Cluster>> counted) {
  for (std::size_t i = 0; i < verifiers.size(); ++i) {
    const std::string undefined = undefined_text(verifiers[i].name, counted[i]);
    if (!undefined.empty()) print_note(undefined);
  }
}

}  // namespace

ExitCode compare_verifiers(const Arguments& arguments, const BySimulation& method, Bench& bench) {
  check_options(arguments, method);
  const QuestionOptions options = read_question_options(arguments, bench, false);
  if (options.rates) throw UsageError("--compare has no --format rates");
  check_decodes(arguments, options);
  const std::string text = *arguments.text("compare");
  const std::vector<std::string> names = at_commas(text);
  if (names.size() != 2) {
    throw UsageError("--compare takes two verifiers, such as token,block; not '" +
                     abbreviate(text) + "'");
  }
  const Verifier verifiers[] = {make_verifier(names[0]), make_verifier(names[1])};
  if (verifiers[0].name == verifiers[1].name) {
    throw UsageError("--compare names " + verifiers[0].name + " twice; give two verifiers");
  }
  std::vector<PairComparison> all;
  const auto compare_all = [&] {
    ProgressBar bar(0, "");
    for (const PairPointer& pair : options.pairs) {
      for (const Lengths& lengths : options.lengths) {
        const bool recorded = recording_of(*pair) != nullptr;
        std::vector<Cluster> counted[2];
        bar.show(0, text + ", gamma " + gamma_text(lengths.gamma));
        Question questions[2];
        for (int i = 0; i < 2; ++i) {
          questions[i] = {.pair = pair,
                          .verifier = verifiers[i],
                          .lengths = lengths,
                          .arithmetic = Arithmetic::floating};
        }
        count_clusters(bench, method, questions, counted);
        if (counted[0].size() < kLeastClusters) {
          throw InputError(pair->name() +
                           ": a comparison needs two prompts or more with iterations");
        }
        tell_undefined(verifiers, counted);
        double counts = 0;
        for (const Cluster& cluster : counted[0]) counts += cluster.trials;
        const auto trials = static_cast<std::uint64_t>(counts);
        const auto seed = recorded ? std::nullopt : std::optional(method.seed);
        for (const ComparedRate& rate : compared_rates(options, questions[0], questions[1])) {
          all.push_back(
              {pair, verifiers[0].name, verifiers[1].name, lengths.gamma, rate.name,
               rate_interval(counted[0], rate.first), rate_interval(counted[1], rate.second),
               paired_difference(counted[0], rate.first, counted[1], rate.second), trials, seed});
        }
      }
    }
  };
  const Output output(options.output);
  write_whole_or_part(output, options.format, all, compare_all, comparisons_document);
  return ExitCode::done;
}

}  // namespace speclab
