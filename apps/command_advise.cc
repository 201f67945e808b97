#include <fmt/format.h>

#include <algorithm>

#include "answer/documents/advice.h"
#include "base/spec.h"
#include "command.h"
#include "model/lengths.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "report/output.h"
#include "report/partial.h"

namespace speclab {
namespace {

constexpr std::uint64_t kMostTrialsAdvised = 1'000'000'000;
constexpr int kDefaultHorizon = 256;
constexpr int kUsualLongest = 8;  ///< the longest draft that is asked about by itself

/// The verifiers asked about: a spec as it is, or, where it leaves out its number of drafts, with
/// each of --drafts.
std::vector<Verifier> read_candidates(const Arguments& arguments) {
  std::vector<std::string> texts = read_each(arguments, "verifier");
  if (texts.empty()) texts = {"token", "block"};
  std::vector<int> drafts = read_numbers(arguments, "drafts", 1000);
  std::vector<Verifier> verifiers;
  // Given twice it would be a candidate that ties with itself.
  const auto add = [&verifiers](Verifier verifier) {
    const bool known =
        std::any_of(verifiers.begin(), verifiers.end(),
                    [&verifier](const Verifier& other) { return other.name == verifier.name; });
    if (!known) verifiers.push_back(std::move(verifier));
  };
  bool used = drafts.empty();
  for (const std::string& text : texts) {
    const Spec spec = parse_spec(text);
    const VerifierRow* row = find_verifier(spec.name);
    const bool counts = row != nullptr && !row->drafts.empty() && spec.arguments.empty();
    if (!counts || drafts.empty()) {
      add(make_verifier(text));
      continue;
    }
    used = true;
    for (const int count : drafts) {
      add(make_verifier(fmt::format("{}({}={})", spec.name, row->drafts, count)));
    }
  }
  if (!used) {
    throw UsageError(
        "--drafts is for verifiers that take a number of drafts; add one, such as --verifier rrs");
  }
  return verifiers;
}

AdviceRequest request_of(const Arguments& arguments, const PairPointer& pair,
                         const std::vector<Verifier>& verifiers, const std::vector<int>& gammas,
                         const CostModel& costs) {
  AdviceRequest request;
  request.costs = costs;
  request.most_trials =
      read_count(arguments, "trials", 2 * kClusterTrials, kMostTrialsAdvised, 100'000);
  request.seed = read_seed(arguments);
  request.threads = read_threads(arguments);
  const bool recorded = recording_of(*pair) != nullptr;
  if (recorded && (arguments.has("horizon") || arguments.has("trials"))) {
    throw UsageError("a recording has its own iterations; leave out --horizon and --trials");
  }
  const int longest = std::min(kDefaultHorizon, pair->length().value_or(kDefaultHorizon));
  const int horizon = static_cast<int>(
      read_count(arguments, "horizon", 1, kLargestLength, static_cast<std::uint64_t>(longest)));
  for (const Verifier& verifier : verifiers) {
    const bool any_length = verifier.info->drafting == Drafting::none;
    for (const int gamma : gammas) {
      const auto tokens = recorded ? std::nullopt : std::optional(horizon);
      request.questions.push_back({.pair = pair,
                                   .verifier = verifier,
                                   .lengths = {.gamma = gamma, .horizon = tokens},
                                   .arithmetic = Arithmetic::floating});
      if (any_length) break;
    }
  }
  request.loads = usual_loads(request.costs, read_numbers(arguments, "batch", 1'000'000));
  return request;
}

ExitCode run_advise(const Arguments& arguments) {
  require(arguments, "pair", "'bernoulli(draft=2/3,target=1/3)'");
  require(arguments, "latency", "draft=0.1,target=1");
  const std::vector<int> gammas = read_ascending_gammas(arguments, kUsualLongest);
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  const std::vector<Verifier> verifiers = read_candidates(arguments);
  Bench bench(read_max_memory(arguments));
  const CostModel costs = *read_latency(arguments);
  std::vector<PairAdvice> all;
  // Whatever is wrong with any of the pairs is reported before the work on the first.
  std::vector<std::pair<PairPointer, AdviceRequest>> requests;
  for (const std::string& text : read_each(arguments, "pair")) {
    const PairPointer pair = bench.pair(text);
    requests.emplace_back(pair, request_of(arguments, pair, verifiers, gammas, costs));
    check_advice(requests.back().second);
  }
  const auto advise_all = [&] {
    for (const auto& [pair, request] : requests) {
      const double trials =
          static_cast<double>(request.most_trials) * static_cast<double>(request.questions.size());
      ProgressBar bar(recording_of(*pair) != nullptr ? 0 : trials, "trials");
      const auto show = [&](std::uint64_t done) { bar.show(static_cast<double>(done)); };
      Advice advice =
          recording_of(*pair) != nullptr ? advise_recorded(request) : advise(bench, request, show);
      all.push_back({pair, request.questions.front().lengths.horizon, *arguments.text("latency"),
                     std::move(advice)});
    }
  };
  if (arguments.text("latency")->find("target=") == std::string::npos) {
    print_note(
        "--latency names no target: target=1 is taken, the same for any number of positions, which "
        "favours long drafts; write target=1+0.02n where the time grows with them");
  }
  write_whole_or_part(output, format, all, advise_all, advice_document);
  return ExitCode::done;
}

}  // namespace

Command advise_command() {
  return {
      "advise",
      "which verifier, draft length and number of drafts decodes fastest at given costs, or "
      "that none is worth it",
      "--pair SPEC --latency TIMES [--verifier SPEC] [--gamma G] [--drafts K] [options]",
      "",
      {{"pair", "SPEC", "draft and target models (speclab list pairs)", true},
       {"latency", "TIMES",
        "draft=A,target=B and more, as simulate takes it: target=20+0.1n or @FILE by its "
        "positions n, so that longer and more drafts are not free"},
       {"verifier", "SPEC", "a candidate (default token and block)", true},
       {"gamma", "G", "draft lengths (default 1:8)", true},
       {"drafts", "K", "drafts of the candidates that leave their number out", true},
       {"horizon", "T", "tokens of a decode (default 256, or the pair's length)"},
       {"batch", "N",
        "also the choice when N sequences are decoded side by side: each replaced when it ends, "
        "and all waiting for the slowest",
        true},
       {"trials", "N",
        "the most decodes of a candidate, in clusters of 64 (default 100000, at least 128)"},
       {"seed", "S", "a whole number below 2^64 (default 1)"},
       kThreadsOption,
       kMaxMemoryOption,
       kFormatOption,
       output_option()},
      {"speclab advise --pair 'bernoulli(draft=2/3,target=1/3)' --latency "
       "draft=0.1,target=1+0.02n --gamma 1:6",
       "speclab advise --pair 'zipf(vocabulary=20,draft=1.2,target=1)' --verifier token "
       "--verifier rrs --drafts 2 --drafts 3 --gamma 1:4 --latency draft=1+0.1n,target=10+0.2n"},
      &run_advise};
}

}  // namespace speclab
