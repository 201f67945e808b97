#pragma once

#include <optional>
#include <string>
#include <vector>

#include "claims/engine/registry.h"

namespace speclab {

/// What comes of holding a claim on one pair alone.
struct OwnPairOutcome {
  const ClaimRow* row = nullptr;
  /// What the pair says of the printed statement; nothing where the claim was not asked.
  std::optional<ClaimResult> result;
  std::string unasked;  ///< then: why

  /// Whether the pair refutes more of the statement than the record does.
  [[nodiscard]] bool differs() const;
};

/// Makes the claim's own check on a pair, at the draft lengths and numbers of drafts at which it is
/// made on batteries and in searches, as far as they stay within the limits of work.h there. Not
/// asked: instances that a claim makes for itself, and its simulated tests.
/// @throws Error when interrupted
OwnPairOutcome check_on_pair(const ClaimRow& row, const PairPointer& pair,
                             const ClaimContext& context);

}  // namespace speclab
