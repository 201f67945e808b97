#include "simulate_batches.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/documents/batch.h"
#include "base/text.h"
#include "option_values.h"
#include "progress.h"
#include "question_options.h"
#include "report/output.h"
#include "report/partial.h"

namespace speclab {
namespace {

std::vector<BatchSplit> read_splits(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const BatchSplitInfo& row : batch_splits()) names.emplace_back(row.name);
  const auto text = arguments.text("batch-split");
  std::vector<BatchSplit> splits;
  for (const std::string& word : !text || *text == "all" ? names : at_commas(*text)) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      throw UsageError(fmt::format("--batch-split takes {} or all; not '{}'",
                                   fmt::join(names, ", "), abbreviate(word)));
    }
    splits.push_back(static_cast<BatchSplit>(found - names.begin()));
  }
  return splits;
}

void check_batch_options(const Arguments& arguments) {
  require(arguments, "batch", "8");
  require(arguments, "batch-budget", "16");
  if (!arguments.has("horizon")) {
    throw UsageError("--batch decodes whole requests; add --horizon T");
  }
  refuse_with(arguments, "batch",
              {"compare", "results", "shard", "estimator", "iterations", "law", "variance",
               "latency", "columns", "sort", "fractions"});
}

/// Every pair, verifier and draft length, and the splits of each.
template <class Visit>
void each_batch(const QuestionOptions& options, const std::vector<BatchSplit>& splits,
                BatchRequest request, const Visit& visit) {
  for (const PairPointer& pair : options.pairs) {
    for (const Verifier& verifier : options.verifiers) {
      for (const Lengths& lengths : options.lengths) {
        request.gamma = lengths.gamma;
        for (const BatchSplit split : splits) {
          request.split = split;
          visit(pair, verifier, request);
        }
      }
    }
  }
}

}  // namespace

std::vector<Option> batch_options() {
  return {
      {"batch", "B",
       "decodes of B requests side by side that share a budget of verified tokens, with the "
       "distance of their first tokens from the target's law"},
      {"batch-budget", "N",
       "with --batch: drafted tokens that are verified in a step; those of the largest scores, "
       "a token after those before it"},
      {"batch-split", "NAMES",
       "with --batch: the scores; of even (position), own (product of d(x), which sees the "
       "drafts and is biased), top (of max d), known (of sum min(d, t)), survival (of "
       "min(1, t/d) before the token, and sum min(d, t)) and adaptive (position, in drafts of a "
       "length that grows by 2 and falls by 1) some, or all (default)"}};
}

bool asks_batches(const Arguments& arguments) {
  const std::vector<Option> own = batch_options();
  return std::any_of(own.begin(), own.end(),
                     [&](const Option& option) { return arguments.has(option.name); });
}

ExitCode simulate_batches(const Arguments& arguments, const BySimulation& method, Bench& bench) {
  check_batch_options(arguments);
  Planner planner(read_max_memory(arguments));
  QuestionOptions options = read_question_options(arguments, bench);
  if (options.rates) throw UsageError("--batch has no --format rates");
  for (const PairPointer& pair : options.pairs) {
    if (recording_of(*pair) == nullptr) continue;
    throw UsageError("--batch draws decodes, which a recording does not contain");
  }
  leave_out(arguments, options, "left out, as they verify no single chain of drafts",
            &decodes_batches);
  const std::vector<BatchSplit> splits = read_splits(arguments);
  BatchRequest request;
  request.horizon = options.lengths.front().horizon.value();
  request.requests = static_cast<int>(read_count(arguments, "batch", 1, kMostRequests, 1));
  request.budget = static_cast<int>(read_count(arguments, "batch-budget", 0, kLargestLength, 0));
  request.trials = method.trials;
  request.seed = method.seed;
  request.threads = method.threads;
  double trials = 0;
  each_batch(options, splits, request, [&](const auto& pair, const Verifier& verifier, auto&) {
    if (const std::string why = why_no_batch(verifier, *pair); !why.empty()) throw InputError(why);
    trials += static_cast<double>(request.trials);
  });
  std::vector<BatchResult> all;
  const auto ask = [&] {
    ProgressBar bar(trials, "trials");
    double done = 0;
    each_batch(
        options, splits, request,
        [&](const auto& pair, const Verifier& verifier, const BatchRequest& of) {
          all.push_back(simulate_batch(pair, verifier, of, planner, [&](std::uint64_t finished) {
            bar.show(done + static_cast<double>(finished), verifier.name);
          }));
          done += static_cast<double>(all.back().trials);
          if (!all.back().interrupted) return;
          throw Error(ExitCode::interrupted,
                      fmt::format("interrupted after {} trials", all.back().trials));
        });
  };
  const Output output(options.output);
  write_whole_or_part(output, options.format, ask,
                      [&] { return all.empty() ? Document() : batches_document(all); });
  return ExitCode::done;
}

}  // namespace speclab
