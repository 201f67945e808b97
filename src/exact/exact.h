#pragma once

#include <limits>

#include "model/findings.h"
#include "model/lengths.h"
#include "model/rows.h"
#include "verifiers/registry.h"

namespace speclab {

/// What to compute exactly.
struct ExactRequest {
  Lengths lengths{};
  bool law = false;        ///< the laws of the T tokens and of N(1), N(2), ... as well
  bool variance = false;   ///< the variance of the accepted tokens as well
  bool long_run = false;   ///< the limits as the horizon goes to infinity as well
  double max_paths = 1e8;  ///< most sequences of decisions, see run_exact
  /// Bytes that the joint law of the T tokens may take, by what output_bytes says, and the numbers
  /// of tokens_law.
  double max_memory = std::numeric_limits<double>::infinity();
  int threads = 0;  ///< 0: as many as the machine gives; the result is the same
};

/// What is found exactly, averaged over the prompt:
/// - of one full iteration (see full_window) the quantities of scope `iteration`; accepted_variance
/// with
///   `variance`; with `law`, of verifiers of one chain of drafts, law_given_draft (see
///   LawGivenDraft);
/// - with lengths.iterations those of scope `iterations`, tokens_law with `law`;
/// - with lengths.horizon those of scopes `output` and `decode`, output_law and corrected_law with
/// `law`. The TV is
///   between the joint laws of (prompt, output) and (prompt, target's output); undefined mass
///   counts as an outcome that the target never has. The TV and the law need the joint law of the
///   tokens; where that has more than max_paths sequences, or may take more than max_memory, the TV
///   is missing, with the reason;
/// - with long_run those of scope `long_run`, or why there are none (see LongRun).
template <class Real>
using ExactResult = Findings<Real>;

/// A bound of the bytes that the joint laws of T tokens take, the verifier's and the target's,
/// where each of V^T sequences has weight, V^T being `sequences`.
/// @param number  bytes of one probability
double output_bytes(double sequences, int horizon, double number);

/// Runs every sequence of the verifier's decisions.
/// @throws LimitError with the count, where there are more than request.max_paths of them in one
/// iteration from all starts, or from all contexts at one position of a decode; or, where
/// request.law asks for these, in the joint law of the tokens, or in one of the iterations from all
/// contexts and numbers of tokens before it
/// @throws UsageError for a long run of unbounded drafts, and what check_lengths throws
template <class Real>
ExactResult<Real> run_exact(const Verifier& verifier, const Rows<Real>& rows,
                            const ExactRequest& request);

}  // namespace speclab
