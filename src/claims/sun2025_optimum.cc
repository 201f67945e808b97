// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025): what it says of all verifiers of a class.
#include <fmt/format.h>

#include "claims/one_iteration.h"
#include "claims/optimum.h"
#include "claims/sun2025_weights.h"
#include "theory/sun2024.h"

namespace speclab {
namespace {

/// D(x^i) P(tau >= i | X^i = x^i) over all valid verifiers, certified path by path.
Comparisons lemma4(const Instance& instance) {
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    const auto weights = block_weights(instance, start.state);
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty() || path.draft == 0) continue;
      const auto reached = [&](const TokenPath& draft, int tau, State) {
        return Rational(static_cast<std::size_t>(tau) >= path.tokens.size() &&
                                std::equal(path.tokens.begin(), path.tokens.end(), draft.begin())
                            ? 1
                            : 0);
      };
      comparisons.push_back(
          {fmt::format("certified optimum of P(tau >= {} | X = {}) against w", path.tokens.size(),
                       path_text(path.tokens)),
           certify(valid_program(instance, start.state, reached)).bound / path.draft,
           Order::at_most, weights.at(path.tokens)});
    }
  }
  return comparisons;
}

constexpr ClaimRow kLemma4{
    .id = "sun2025.lemma4",
    .source = "sun2025 Lemma 4",
    .statement = "P(tau >= i | X^i = x^i) <= w_i(x^i) for every valid verifier",
    .hypotheses = "D(x^i) > 0",
    .check = lemma4,
    .places =
        {Place(BatteryShape{.tokens = 3, .gammas = {2, 2, 3}, .random = {2, 6, 20}}).only(kSmall)},
};

/// E[N(i)] of block, i = 1 .. depth, against the certified optimum over all valid verifiers.
Comparisons theorem2(const Instance& instance) {
  if (instance.pair().end_token()) return {};
  const int iterations = instance.depth;
  const auto block = exact_answer("block", instance, std::nullopt, iterations);
  Comparisons comparisons;
  for (int i = 1; i <= iterations; ++i) {
    if (i > 1 && !instance.pair().memoryless() &&
        (instance.pair().vocabulary() > 2 || instance.gamma > 2)) {
      continue;
    }
    comparisons.push_back(
        {fmt::format("E[N({})] of block against the certified optimum", i),
         block.fractions(QuantityId::expected_tokens)[static_cast<std::size_t>(i) - 1],
         Order::at_least, best_tokens(instance, i)});
  }
  const auto token = exact_answer("token", instance, std::nullopt, iterations);
  comparisons.push_back({fmt::format("E[N({})] of block against token", iterations),
                         block.fractions(QuantityId::expected_tokens).back(), Order::at_least,
                         token.fractions(QuantityId::expected_tokens).back()});
  return comparisons;
}

constexpr ClaimRow kTheorem2{
    .id = "sun2025.theorem2",
    .source = "sun2025 Theorem 2",
    .statement = "E[N(i)] of block >= E[N(i)] of every valid verifier, for every i",
    .hypotheses = "valid: plug-and-play in Algorithm 3 (Definition 1)",
    .check = theorem2,
    .places =
        {Place(BatteryShape{.tokens = 3, .gammas = {2, 3, 3}, .random = {4, 8, 20}}).only(kSmall)},
    .depth = {2, 2, 3},
};

/// The optimum over all couplings is at most the sum of min(D, T).
Comparisons lemma10(const Instance& instance) {
  Budget budget;
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    comparisons.push_back(
        {"certified optimum over all couplings against sum min(D, T)",
         certify(coupling_program(instance, start.state)).bound, Order::at_most,
         expectation(greedy_tail(*instance.rows, point_law(*instance.rows, start.state),
                                 instance.gamma, budget))});
  }
  return comparisons;
}

constexpr ClaimRow kLemma10{
    .id = "sun2025.lemma10",
    .source = "sun2025 Lemma 10",
    .statement =
        "max over couplings of X ~ D^gamma, Y ~ T^gamma of E[common prefix] <= sum min(D, T)",
    .hypotheses = "any pair, any gamma",
    .check = lemma10,
    .places = {Place(BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 40}}).only(kSmall)},
};

constexpr ClaimRow kClaims[] = {kLemma4, kTheorem2, kLemma10};

}  // namespace

Claims sun2025_optimum_claims() { return kClaims; }

}  // namespace speclab
