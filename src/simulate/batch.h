#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/rows.h"
#include "simulate/interval.h"
#include "simulate/joint_means.h"
#include "simulate/simulate.h"
#include "verifiers/registry.h"

namespace speclab {

// A batch: requests of one pair, decoded side by side, that share a budget of verified tokens
// (after DSpark, arXiv 2607.05147, and adaptive verification of engines). In each step every
// unfinished request drafts up to gamma tokens, and the budget goes to the drafted tokens with the
// largest scores, a token after those before it, ties to the earlier request. A request is verified
// with the draft length that it got; without a draft it emits one token of the target.

/// The score of a drafted token: how the budget is split.
enum class BatchSplit {
  even,      ///< by its position alone, the first tokens first
  own,       ///< product of d(x) over the draft up to it, its own included
  top,       ///< product of max d over the contexts of the draft up to it
  known,     ///< product of sum min(d, t) over the contexts of the draft up to it
  survival,  ///< product of min(1, t/d) of the tokens before it, times sum min(d, t) at its context
  /// As even, of drafts of a length that each request adapts: gamma tokens at first, after a draft
  /// of which every verified token was accepted two more, after any other one fewer; 1 to gamma.
  adaptive,
};

struct BatchSplitInfo {
  BatchSplit split;
  std::string_view name;
  /// Whether a token's score depends on the token: what is left out is then no sample of the draft,
  /// and the output is biased (claim speclab.batch.own-confidence).
  bool anticipates;
};

/// All splits, in the order of the enumeration.
std::span<const BatchSplitInfo> batch_splits();

/// The most requests of a batch.
inline constexpr int kMostRequests = 1024;

/// What to simulate. A trial is a decode of the whole batch.
struct BatchRequest {
  int gamma = 1;  ///< most tokens that a request drafts in a step, or kUnbounded
  int horizon = 1;
  int requests = 2;  ///< 1 .. kMostRequests
  int budget = 0;    ///< drafted tokens that are verified in a step, over all requests
  BatchSplit split = BatchSplit::even;
  std::uint64_t first_trial = 0;
  std::uint64_t trials = 2;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: as many as the machine gives; the result is the same
};

/// Whole numbers of trials that add up.
struct BatchTally {
  /// Of one batch: tokens emitted, steps over all requests, steps until the last request is done,
  /// tokens verified.
  enum { tokens, request_steps, steps, verified, kCounts };

  std::uint64_t trials = 0;
  std::uint64_t undefined_trials = 0;  ///< in which a draw was undefined (0/0) and ended a request
  std::array<WideCount, kCounts> sums{};
  std::array<std::array<WideCount, kCounts>, kCounts> products{};
  std::vector<std::vector<std::uint64_t>> outputs;  ///< [request]: by (start, first tokens), base V
  std::vector<std::uint64_t> joint;  ///< by the cells of all requests, the first one's foremost

  BatchTally& operator+=(const BatchTally& other);
  bool operator==(const BatchTally&) const = default;
};

struct BatchTallied {
  BatchTally tally;
  int threads = 1;
  double seconds = 0;
  bool interrupted = false;  ///< after a finished round of trials
};

/// Whether a verifier decodes batches: a draft length for each iteration needs a verifier of one
/// chain of drafts from the draft's law.
bool decodes_batches(const Verifier& verifier);

/// Why a verifier decodes no batch of a pair, which must not be one that `resets`; or "".
std::string why_no_batch(const Verifier& verifier, const Pair& pair);

/// Runs the trials. Their streams are keyed by seed, pair, trial, request and step, so that splits,
/// budgets and verifiers share their draws. The tally is the same for any number of threads.
/// @pre why_no_batch() is empty
/// @throws what check_lengths throws; LimitError for 2^24 requests times steps; UsageError for a
/// verifier that emits other tokens as accepted than those drafted
BatchTallied run_batches(const Verifier& verifier, const Rows<double>& rows,
                         const BatchRequest& request, const Progress& progress = {});

/// What a tally says, with 95% intervals.
struct BatchEstimates {
  Estimate tokens_per_step;          ///< of the whole batch
  Estimate tokens_per_request_step;  ///< of a request in a step in which it is unfinished
  Estimate steps;                    ///< until the last request is done
  Estimate mean_steps;               ///< until a request is done
  Estimate verified_per_step;        ///< drafted tokens, of the whole batch
  /// First tokens whose law is compared: min(gamma + 1, T), or as many as have a law of at most
  /// one (start, tokens) cell for 16 trials and kMaxOutputCells over all requests; 0: none.
  int law_tokens = 0;
  std::vector<Estimate> tv;          ///< of these tokens to the target's law, by request
  std::optional<Estimate> joint_tv;  ///< of all requests jointly, where that has as few cells
};

/// @pre tally.trials >= 2
BatchEstimates estimate_batches(const BatchTally& tally, const Verifier& verifier,
                                const Rows<double>& rows, const BatchRequest& request);

}  // namespace speclab
