#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/rows.h"
#include "run/batch_split.h"
#include "simulate/interval.h"
#include "simulate/joint_means.h"
#include "simulate/simulate.h"
#include "verifiers/registry.h"

namespace speclab {

/// The most requests of a batch.
inline constexpr int kMostRequests = 1024;

/// What to simulate. A trial is a decode of the whole batch.
struct BatchRequest {
  BatchSetting setting{};  ///< of 1 .. kMostRequests requests
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
