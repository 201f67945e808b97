#pragma once

#include <cstdint>
#include <string>

#include "answer/plan.h"
#include "simulate/batch.h"

namespace speclab {

/// The batches of a pair and a verifier under one split of their budget.
struct BatchResult {
  PairPointer pair;
  std::string verifier;  ///< canonical spec text
  BatchRequest request;
  BatchEstimates found;
  std::uint64_t trials = 0;  ///< that were finished
  std::uint64_t undefined_trials = 0;
  int threads = 1;
  double seconds = 0;
  bool interrupted = false;

  /// Whether the law of the first tokens differs from the target's: of a request alone or of all
  /// jointly, each a false alarm in 40,000 at most.
  [[nodiscard]] bool biased() const;
};

/// Simulates the batches of a request. Interrupted, the result has the trials that were finished.
/// @throws InputError where they decode no batch (why_no_batch); LimitError where the pair's rows
/// do not fit in memory; as run_batches does
BatchResult simulate_batch(const PairPointer& pair, const Verifier& verifier,
                           const BatchRequest& request, Planner& planner,
                           const Progress& progress = {});

}  // namespace speclab
