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

/// The numbers that bracket every path from a place, padded with idle numbers to the same count, so
/// that a request is a table, and an implementation that continues where the rule stops finds
/// numbers too.
std::vector<Numbers> bracket_all(const std::vector<DecisionPath>& paths, const AuditPlace& place);

}  // namespace speclab
