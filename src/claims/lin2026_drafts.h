#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "claims/battery.h"
#include "claims/examination.h"
#include "theory/lin2026.h"

namespace speclab {

// What the claims on verifiers of K drafts as blocks share (lin2026 and its repair).

/// The toy pair: sun2025 section 2, equation (2).
inline constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

/// "rrs(K=2)".
inline std::string with_drafts(std::string_view name, int drafts) {
  return fmt::format("{}(K={})", name, drafts);
}

/// E[tau] with this many drafts.
inline Rational mean_accepted(std::string_view name, const Instance& instance, int drafts) {
  return exact_result(with_drafts(name, drafts), instance).expected_accepted;
}

/// Equation (5) with this many drafts.
inline Rational printed_bound(const Instance& instance, int drafts) {
  Budget budget;
  return expectation(
      spectr_gbv_tail(*instance.rows, start_law(*instance.rows), drafts, instance.gamma, budget));
}

/// Where searches with K >= 2 look.
inline SearchSpace several_drafts(const ClaimContext& context) {
  return {.tokens = 2,
          .gammas = 2,
          .least_drafts = 2,
          .drafts = 3,
          .denominator = context.size(4, 4, 6)};
}

/// Holds a statement of one draft on the battery and on every small memoryless pair.
inline ClaimResult of_one(const ClaimContext& context, const Statement& statement) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 2, .random = context.size(4, 12, 40)}, statement);
  examination.search({.tokens = 2, .gammas = context.size(2, 3, 3), .denominator = 4}, statement);
  return examination.finish();
}

/// P(tau = i) of `name` with one draft against that of a verifier of one draft.
inline ClaimResult same_tau_of_one(const ClaimContext& context, std::string_view name,
                                   std::string_view single) {
  return of_one(context, [name, single](const Instance& instance) {
    std::vector<Compared> comparisons;
    const auto found = exact_result(with_drafts(name, 1), instance).accepted_law;
    const auto wanted = exact_result(single, instance).accepted_law;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      comparisons.push_back({fmt::format("P(tau = {}) of {}(K=1) against {}", i, name, single),
                             found.at(i), Order::equal, wanted[i]});
    }
    return comparisons;
  });
}

}  // namespace speclab
