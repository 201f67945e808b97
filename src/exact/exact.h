#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "model/lengths.h"
#include "model/rows.h"
#include "verifiers/registry.h"

namespace speclab {

/// What to compute exactly.
struct ExactRequest {
  Lengths lengths{};
  bool law = false;        ///< the law of the T tokens as well
  double max_paths = 1e8;  ///< LimitError beyond this many sequences of decisions
};

/// The exact law of a decode to the horizon, averaged over the prompt.
template <class Real>
struct DecodeLaw {
  /// Total variation distance between the joint laws of (prompt, output) and (prompt, target's
  /// output); undefined mass counts as an outcome that the target never has.
  Real tv_to_target{0};
  Real rejections{0};    ///< expected positions emitted by a correction
  Real target_calls{0};  ///< expected iterations
  Real tokens{0};        ///< expected tokens up to the horizon or the end-of-sequence token
  Real draft_steps{0};   ///< expected draft steps, one after another (see draft_steps)
  Real undefined_mass{0};
  /// Token sequences in lexicographic order with their probabilities (with `law`).
  std::vector<std::pair<std::vector<Token>, Real>> law;
};

template <class Real>
struct ExactResult {
  /// One full iteration (see full_window).
  std::vector<Real> accepted_law;  ///< P(tau = 0), ..., P(tau = drafts)
  Real expected_accepted{0};
  Real undefined_mass{0};
  std::vector<Real> expected_tokens;  ///< E[N(1)], E[N(2)], ...
  std::optional<DecodeLaw<Real>> decode;
};

/// Runs every sequence of the verifier's decisions.
/// @throws LimitError when there are more than request.max_paths of them, with the count;
/// @throws what check_lengths throws.
template <class Real>
ExactResult<Real> run_exact(const Verifier& verifier, const Rows<Real>& rows,
                            const ExactRequest& request);

}  // namespace speclab
