#pragma once

#include <optional>
#include <vector>

#include "audit/law.h"

namespace speclab {

/// The numbers of one decision, in order.
struct Numbers {
  std::vector<double> coins;
  std::vector<double> draws;
};

/// The numbers that bracket every threshold on a path: all low, all high, and one at each end with
/// the others in the middle; none where a range is too narrow.
std::vector<Numbers> bracket(const DecisionPath& path);

/// The outcome for these numbers; empty where a path needs more of them.
std::optional<AuditOutcome> decided(const std::vector<DecisionPath>& paths, const Numbers& numbers);

/// Pads with idle numbers, so that a request is a table, and an implementation that continues where
/// the rule stops finds numbers too. @param least  number of either kind
void pad(std::vector<Numbers>& grid, std::size_t least);

}  // namespace speclab
