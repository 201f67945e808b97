#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "claims/engine/one_iteration.h"
#include "theory/lin2026.h"

namespace speclab {

// What the claims on verifiers of K drafts share (lin2026, its repair, and those before it).

/// "rrs(K=2)".
inline std::string with_drafts(std::string_view name, int drafts) {
  return fmt::format("{}(K={})", name, drafts);
}

/// E[tau] with this many drafts.
inline Rational mean_accepted(std::string_view name, const Instance& instance, int drafts) {
  return accepted(with_drafts(name, drafts), instance);
}

/// Equation (5) with this many drafts.
inline Rational printed_bound(const Instance& instance, int drafts) {
  Budget budget;
  return ingredient("lin2026.equation5",
                    expectation(spectr_gbv_tail(*instance.rows, start_law(*instance.rows), drafts,
                                                instance.gamma, budget)));
}

/// 1 - (1 - u)^K
inline Rational once_of(const Rational& u, int drafts) {
  return 1 - power<Rational>(1 - u, drafts);
}

/// T [1 - (1 - min(D/T, 1))^K], a term of equation (5); 0 where T is 0.
inline Rational bound_of(const PathLaws& path, int drafts) {
  if (path.target == 0) return Rational(0);
  return ingredient(
      "lin2026.equation5.term",
      path.target * once_of(lesser<Rational>(path.draft / path.target, Rational(1)), drafts));
}

/// Where searches with K >= 2 look.
inline constexpr SearchSpace kSeveralDrafts{
    .tokens = 2, .gammas = 2, .least_drafts = 2, .drafts = 3, .denominator = {4, 4, 6}};

/// Where statements of one draft are held.
inline constexpr Places kOneDraft{BatteryShape{.tokens = 3, .gammas = 2, .random = {4, 12, 40}},
                                  SearchSpace{.tokens = 2, .gammas = {2, 3, 3}, .denominator = 4}};

/// P(tau = i) of `name` with one draft against that of a verifier of one draft.
inline Comparisons same_tau_of_one(const Instance& instance, std::string_view name,
                                   std::string_view single) {
  Comparisons comparisons;
  const auto found =
      exact_answer(with_drafts(name, 1), instance).fractions(QuantityId::accepted_law);
  const auto wanted = exact_answer(single, instance).fractions(QuantityId::accepted_law);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    comparisons.push_back({fmt::format("P(tau = {}) of {}(K=1) against {}", i, name, single),
                           found.at(i), Order::equal, wanted[i]});
  }
  return comparisons;
}

}  // namespace speclab
