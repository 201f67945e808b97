// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024).
#include "theory/sun2024.h"

#include <fmt/format.h>

#include <array>

#include "claims/examination.h"
#include "claims/registry.h"

namespace speclab {
namespace {

Rational accepted(std::string_view verifier, const Instance& instance) {
  return exact_result(verifier, instance).expected_accepted;
}

ClaimResult theorem2(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 60)},
                    [](const Instance& instance) -> std::vector<Comparison> {
                      Budget budget;
                      const auto tail = token_tail(*instance.rows, start_law(*instance.rows),
                                                   instance.gamma, budget);
                      return {{"E[tau] of token against the sum of products",
                               accepted("token", instance), Order::equal, expectation(tail)}};
                    });
  return examination.finish();
}

/// The probability of token 1 in both laws of a memoryless pair on two tokens.
std::pair<Rational, Rational> bernoulli(const Instance& instance) {
  return {instance.rows->draft(0)[1], instance.rows->target(0)[1]};
}

using BernoulliSum = Rational (*)(const Rational&, const Rational&, int, FirstTerm);

Statement bernoulli_statement(std::string verifier, BernoulliSum sum, FirstTerm first) {
  return [=](const Instance& instance) -> std::vector<Comparison> {
    if (instance.pair().vocabulary() != 2 || !instance.pair().memoryless()) return {};
    const auto [draft, target] = bernoulli(instance);
    return {{fmt::format("E[tau] of {} against the sum of section 3.1", verifier),
             accepted(verifier, instance), Order::equal,
             sum(draft, target, instance.gamma, first)}};
  };
}

ClaimResult bernoulli_sum(const ClaimContext& context, std::string verifier, BernoulliSum sum,
                          bool corrected) {
  Examination examination(context);
  const SearchSpace space{.tokens = 2, .gammas = 3, .denominator = context.size(4, 6, 12)};
  examination.search(space, bernoulli_statement(verifier, sum, FirstTerm::as_printed));
  examination.check({.tokens = 2, .gammas = 1, .contexts = false},
                    bernoulli_statement(verifier, sum, FirstTerm::as_printed));
  if (corrected) {
    const Statement statement = bernoulli_statement(verifier, sum, FirstTerm::corrected);
    examination.search(space, statement, Reading::corrected);
    examination.check({.tokens = 2, .gammas = 4, .contexts = false}, statement, Reading::corrected);
  }
  return examination.finish();
}

ClaimResult token_sum(const ClaimContext& context) {
  return bernoulli_sum(context, "token", bernoulli_token_accepted<Rational>, false);
}
ClaimResult block_sum(const ClaimContext& context) {
  return bernoulli_sum(context, "greedy-block", bernoulli_block_accepted<Rational>, false);
}
ClaimResult token_sum_corrected(const ClaimContext& context) {
  return bernoulli_sum(context, "token", bernoulli_token_accepted<Rational>, true);
}
ClaimResult block_sum_corrected(const ClaimContext& context) {
  return bernoulli_sum(context, "greedy-block", bernoulli_block_accepted<Rational>, true);
}

Statement strict_statement() {
  return [](const Instance& instance) -> std::vector<Comparison> {
    if (instance.pair().vocabulary() != 2) return {};
    const auto [draft, target] = bernoulli(instance);
    if (draft == target) return {};
    return {{"E[tau] of greedy-block against token", accepted("greedy-block", instance),
             Order::above, accepted("token", instance)}};
  };
}

ClaimResult strictness(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 3, .denominator = 6}, strict_statement());
  examination.search({.tokens = 2, .least_gamma = 2, .gammas = 3, .denominator = 6},
                     strict_statement());
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;

constexpr std::array kClaims{
    ClaimRow{"sun2024.theorem2", "sun2024 Theorem 2, equation (7)",
             "E[tau] of token = sum_{i=1..gamma} sum_x prod_{j<=i} min(d(x_j), t(x_j))",
             "any pair, any gamma", kHolds, "", theorem2},
    ClaimRow{"sun2024.section3.1.token-sum", "sun2024 section 3.1, first sum",
             "E[tau] of token = sum_{i=0..gamma} (1 - TV(d, t))^i", "Bernoulli laws", kRefuted, "",
             token_sum},
    ClaimRow{"sun2024.section3.1.block-sum", "sun2024 section 3.1, second sum",
             "E[tau] of greedy-block = sum_{i=0..gamma} (1 - TV(Bin(i,d), Bin(i,t)))",
             "Bernoulli laws", kRefuted, "", block_sum},
    ClaimRow{"sun2024.section3.1.token-sum-corrected", "sun2024 section 3.1, first sum, corrected",
             "E[tau] of token = sum_{i=1..gamma} (1 - TV(d, t))^i", "Bernoulli laws", kCorrected,
             "the sum starts at i = 1: the term of i = 0 counts a token that is never drafted",
             token_sum_corrected},
    ClaimRow{"sun2024.section3.1.block-sum-corrected", "sun2024 section 3.1, second sum, corrected",
             "E[tau] of greedy-block = sum_{i=1..gamma} (1 - TV(Bin(i,d), Bin(i,t)))",
             "Bernoulli laws", kCorrected,
             "the sum starts at i = 1: the term of i = 0 counts a token that is never drafted",
             block_sum_corrected},
    ClaimRow{"sun2024.section3.1.strictness", "sun2024 section 3.1, last paragraph",
             "E[tau] of greedy-block > E[tau] of token as long as d != t", "Bernoulli laws",
             kRefuted, "", strictness},
};

}  // namespace

std::span<const ClaimRow> sun2024_claims() { return kClaims; }

}  // namespace speclab
