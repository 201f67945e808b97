#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "answer/bench.h"
#include "run/batch_split.h"
#include "simulate/batch.h"

namespace speclab {

/// The numbers of batches, exact or estimated.
struct BatchNumbers {
  Value tokens_per_step;                ///< of the whole batch
  Value tokens_per_request_step;        ///< of a request in a step in which it is unfinished
  Value steps;                          ///< until the last request is done
  Value mean_steps;                     ///< until a request is done
  Value verified_per_step;              ///< drafted tokens, of the whole batch
  std::optional<Value> undefined_mass;  ///< of batches with an undefined draw (0/0); exact alone
  /// Drafted tokens that the first step is expected to accept; exact alone.
  std::optional<Value> accepted_first;
  /// The most that any scheduler reaches which admits a token before it sees it (BestSchedule); of
  /// two requests with the verifier token, where it is not too large.
  std::optional<Value> most_first;
  int law_tokens = 0;             ///< first tokens whose law is compared, or 0
  std::vector<Value> tv;          ///< of these tokens to the target's law, by request
  std::optional<Value> joint_tv;  ///< of all requests jointly
};

/// The batches of a pair and a verifier under one split of their budget.
struct BatchResult {
  PairPointer pair;
  std::string verifier;  ///< canonical spec text
  BatchSetting setting;
  Arithmetic arithmetic = Arithmetic::rational;  ///< of exact numbers
  BatchNumbers found;
  std::optional<Provenance> run;  ///< of a simulation; its trials are those that were finished

  /// Whether the law of the first tokens differs from the target's: of a request alone or of all
  /// jointly. Exact in fractions, beyond 1e-9 in doubles; estimated ones are each a false alarm in
  /// 40,000 at most.
  [[nodiscard]] bool biased() const;

  /// Whether all of compared_tokens() are compared, so that an exact law without bias is called
  /// lossless; fewer are where their joint law has too many cells.
  [[nodiscard]] bool compares_enough() const;
};

/// Simulates the batches of a request. Interrupted, the result has the trials that were finished.
/// @throws InputError where they decode no batch (why_no_batch); LimitError where the pair's rows
/// do not fit in memory; as run_batches does
BatchResult simulate_batch(const PairPointer& pair, const Verifier& verifier,
                           const BatchRequest& request, Bench& bench,
                           const Progress& progress = {});

/// The same numbers of two requests, from every sequence of their decisions.
/// @throws the same, and as run_exact_batch does
BatchResult enumerate_batch(const PairPointer& pair, const Verifier& verifier,
                            const BatchSetting& setting, Arithmetic arithmetic,
                            const ByEnumeration& method, Bench& bench);

}  // namespace speclab
