#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace speclab {

/// How much the check of a claim compared, at standard effort and seed 1, and what it says first
/// where the statement is violated. It is what run_claim finds, kept so that listings and pages
/// show it without running anything; the test of each claim compares the two.
struct Measured {
  std::string_view id;
  std::uint64_t instances = 0, comparisons = 0;
  int tests = 0;           ///< simulated ones
  double least_power = 1;  ///< of those tests, cut to six decimals; 1 where there are none
  /// The counterexample: ClaimResult's first evidence. Empty of a claim that holds.
  std::string_view pair{}, detail{};
};

/// All that is on record, in the order of the claims.
std::span<const Measured> measurements();

/// What is on record of a claim; null of a new one, until it is measured.
const Measured* measured(std::string_view id);

}  // namespace speclab
