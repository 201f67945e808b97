#pragma once

#include "base/findings.h"
#include "model/lengths.h"
#include "model/rows.h"
#include "verifiers/registry.h"

namespace speclab {

/// What to compute exactly.
struct ExactRequest {
  Lengths lengths{};
  bool law = false;        ///< the laws of the T tokens and of N(1), N(2), ... as well
  double max_paths = 1e8;  ///< LimitError beyond this many sequences of decisions
  int threads = 0;         ///< 0: as many as the machine gives; the result is the same
};

/// What is found exactly, averaged over the prompt:
/// - of one full iteration (see full_window) the quantities of scope `iteration`;
/// - with lengths.iterations those of scope `iterations`, tokens_law with `law`;
/// - with lengths.horizon those of scopes `output` and `decode`, output_law with `law`. The TV is
///   between the joint laws of (prompt, output) and (prompt, target's output); undefined mass
///   counts as an outcome that the target never has.
template <class Real>
using ExactResult = Findings<Real>;

/// Runs every sequence of the verifier's decisions.
/// @throws LimitError when there are more than request.max_paths of them, with the count;
/// @throws what check_lengths throws.
template <class Real>
ExactResult<Real> run_exact(const Verifier& verifier, const Rows<Real>& rows,
                            const ExactRequest& request);

}  // namespace speclab
