#include "batches.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/batch.h"
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
  for (const BatchSplitInfo& row : kBatchSplits) names.emplace_back(row.name);
  const auto text = arguments.text("batch-split");
  std::vector<BatchSplit> splits;
  for (const std::string& word : !text || *text == "all" ? names : at_commas(*text)) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      throw UsageError(fmt::format("--batch-split takes some of {}, or all alone; not '{}'",
                                   fmt::join(names, ", "), abbreviate(word)));
    }
    const auto split = static_cast<BatchSplit>(found - names.begin());
    if (std::find(splits.begin(), splits.end(), split) == splits.end()) splits.push_back(split);
  }
  return splits;
}

/// What is asked of batches, whatever the method.
struct BatchQuestions {
  QuestionOptions options;
  std::vector<BatchSplit> splits;
  BatchSetting setting;  ///< but for the draft length and the split

  [[nodiscard]] std::size_t count() const { return options.combinations() * splits.size(); }

  /// Every pair, verifier and draft length, and the splits of each.
  template <class Visit>
  void each(const Visit& visit) const {
    BatchSetting of = setting;
    options.each_question(Arithmetic::floating, [&](const Question& question) {
      of.gamma = question.lengths.gamma;
      for (const BatchSplit split : splits) {
        of.split = split;
        visit(question.pair, question.verifier, of);
      }
    });
  }
};

/// @param most  requests
BatchQuestions read_batches(const Arguments& arguments, std::uint64_t most, Bench& bench) {
  require(arguments, "batch", "2");
  require(arguments, "batch-budget", "4");
  if (!arguments.has("horizon")) {
    throw UsageError("--batch decodes whole requests; add --horizon T");
  }
  BatchQuestions asked{read_question_options(arguments, bench), read_splits(arguments), {}};
  if (asked.options.rates) throw UsageError("--batch has no --format rates");
  for (const PairPointer& pair : asked.options.pairs) {
    if (recording_of(*pair) == nullptr) continue;
    throw UsageError("--batch draws decodes, which a recording does not contain");
  }
  leave_out(arguments, asked.options, "left out, as they verify no single chain of drafts",
            &decodes_batches);
  asked.setting.horizon = asked.options.lengths.front().horizon.value();
  asked.setting.requests = static_cast<int>(read_count(arguments, "batch", 1, most, 1));
  asked.setting.budget =
      static_cast<int>(read_count(arguments, "batch-budget", 0, kLargestLength, 0));
  asked.each([&](const auto& pair, const Verifier& verifier, const BatchSetting&) {
    if (const std::string why = why_no_batch(verifier, *pair); !why.empty()) throw InputError(why);
  });
  return asked;
}

/// Asks, and writes what was found, or a part of it.
template <class Ask>
ExitCode write_batches(const BatchQuestions& asked, const Ask& ask) {
  std::vector<BatchResult> all;
  const Output output(asked.options.output);
  write_whole_or_part(
      output, asked.options.format, all, [&] { ask(all); }, batches_document);
  return ExitCode::done;
}

}  // namespace

std::vector<Option> batch_options(bool two) {
  return {
      two ? Option{"batch", "2",
                   "decodes of two requests side by side that share a budget of verified tokens, "
                   "with the distance of their first tokens from the target's law"}
          : Option{"batch", "B",
                   "decodes of B requests side by side that share a budget of verified tokens, "
                   "with the distance of their first tokens from the target's law"},
      {"batch-budget", "N",
       "with --batch: drafted tokens that are verified in a step; those of the largest scores, "
       "a token after those before it"},
      {"batch-split", "NAMES",
       "with --batch: the scores; of even (position), own (product of d(x), which sees the "
       "drafts and is biased), top (of max d), known (of sum min(d, t)), survival (of "
       "min(1, t/d) before the token, and sum min(d, t)), adaptive (position, in drafts of a "
       "length that grows by 2 and falls by 1) and roc (position, in drafts that end after a token "
       "below a threshold that follows the ROC curve of earlier ones) some, or all (default)"}};
}

bool asks_batches(const Arguments& arguments) {
  const std::vector<Option> own = batch_options(false);
  return std::any_of(own.begin(), own.end(),
                     [&](const Option& option) { return arguments.has(option.name); });
}

ExitCode simulate_batches(const Arguments& arguments, const BySimulation& method, Bench& bench) {
  refuse_with(arguments, "batch",
              {"compare", "results", "shard", "estimator", "iterations", "law", "variance",
               "latency", "columns", "sort", "fractions"});
  const BatchQuestions asked = read_batches(arguments, kMostRequests, bench);
  return write_batches(asked, [&](std::vector<BatchResult>& all) {
    ProgressBar bar(static_cast<double>(method.trials) * static_cast<double>(asked.count()),
                    "trials");
    double done = 0;
    asked.each([&](const auto& pair, const Verifier& verifier, const BatchSetting& of) {
      const BatchRequest request{
          .setting = of, .trials = method.trials, .seed = method.seed, .threads = method.threads};
      all.push_back(simulate_batch(pair, verifier, request, bench, [&](std::uint64_t finished) {
        bar.show(done + static_cast<double>(finished), verifier.name);
      }));
      const Provenance& run = all.back().run.value();
      done += static_cast<double>(run.trials);
      if (!run.interrupted) return;
      throw Error(ExitCode::interrupted, fmt::format("interrupted after {} trials", run.trials));
    });
  });
}

ExitCode enumerate_batches(const Arguments& arguments, Arithmetic arithmetic,
                           const ByEnumeration& method, Bench& bench) {
  refuse_with(arguments, "batch",
              {"long-run", "iterations", "law", "variance", "latency", "columns", "sort",
               "fractions", "threads"});
  const BatchQuestions asked = read_batches(arguments, kMostRequests, bench);
  if (asked.setting.requests != 2) {
    throw UsageError(fmt::format("--batch of exact is 2, not {}; simulate takes any number",
                                 asked.setting.requests));
  }
  return write_batches(asked, [&](std::vector<BatchResult>& all) {
    const auto count = static_cast<double>(asked.count());
    ProgressBar bar(count > 1 ? count : 0, "combinations", Forecast::unknown);
    asked.each([&](const auto& pair, const Verifier& verifier, const BatchSetting& of) {
      bar.show(static_cast<double>(all.size()), verifier.name);
      all.push_back(enumerate_batch(pair, verifier, of, arithmetic, method, bench));
    });
  });
}

}  // namespace speclab
