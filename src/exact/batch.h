#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "model/rows.h"
#include "run/batch_split.h"
#include "verifiers/registry.h"

namespace speclab {

/// What to compute exactly of a batch of two requests (run/batch_split.h).
struct ExactBatchRequest {
  BatchSetting setting{};  ///< of two requests
  double max_paths = 1e8;  ///< most pairs of drafts and of outcomes, over all steps
  /// Bytes that the places of both requests may take, as measured.
  double max_memory = std::numeric_limits<double>::infinity();
};

/// What is found, each request at a start of its own.
template <class Real>
struct ExactBatch {
  // Expectations over whole decodes.
  Real tokens{0};         ///< emitted by both
  Real steps{0};          ///< until the last request is done
  Real request_steps{0};  ///< of both
  Real verified{0};       ///< drafted tokens
  Real undefined{0};      ///< probability that a draw was undefined (0/0) and ended a request
  Real accepted{0};       ///< drafted tokens of both requests that the first step accepts
  /// First tokens whose law is compared: min(gamma + 1, T), or as many as have kMostJointCells.
  int law_tokens = 0;
  std::vector<Real> tv;          ///< of these tokens to the target's law, by request
  std::optional<Real> joint_tv;  ///< of both jointly; undefined mass is outside the target's law
};

/// The most cells of the joint law of both requests' first tokens.
inline constexpr double kMostJointCells = 65536;

/// Decodes two requests in every way: every draft of both, split, every decision of the verifier
/// given what is verified. Work: one for each token of each beginning of a draft and for each pair
/// of drafts, at each pair of contexts and rooms, and one for each pair of outcomes at each pair of
/// places of both requests.
/// @pre the verifier decodes batches, and the pair does not reset
/// @throws LimitError beyond request.max_paths or max_memory; what check_lengths throws; UsageError
/// for a verifier that accepts other tokens than those drafted
template <class Real>
ExactBatch<Real> run_exact_batch(const Verifier& verifier, const Rows<Real>& rows,
                                 const ExactBatchRequest& request);

}  // namespace speclab
