// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024), section 3.1: where greedy block verification is strictly ahead of token
// verification.
#include <fmt/format.h>

#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"

namespace speclab {
namespace sun2024_strictness {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};
constexpr SearchSpace kTwoContexts{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2};

/// Two Bernoulli laws, as section 3.1 has them.
bool bernoulli(const Instance& instance) {
  return instance.pair().vocabulary() == 2 && instance.pair().memoryless();
}

/// The probability of token 1 in both laws. @pre bernoulli(instance)
std::pair<Rational, Rational> parameters(const Instance& instance) {
  return {instance.rows->draft(0)[1], instance.rows->target(0)[1]};
}

Comparisons strictly_better(const Instance& instance) {
  if (!bernoulli(instance)) return {};
  const auto [draft, target] = parameters(instance);
  if (draft == target) return {};
  return {{"E[tau] of greedy-block against token", accepted("greedy-block", instance), Order::above,
           accepted("token", instance)}};
}

constexpr Filter kOverlapping{"the laws have a token in common", [](const Instance& instance) {
                                if (!bernoulli(instance)) return false;
                                const auto [draft, target] = parameters(instance);
                                return abs(draft - target) != 1;
                              }};
constexpr Filter kInterior{"0 < d < 1 and 0 < t < 1", [](const Instance& instance) {
                             if (!bernoulli(instance)) return false;
                             const auto [draft, target] = parameters(instance);
                             return draft * (1 - draft) != 0 && target * (1 - target) != 0;
                           }};
constexpr SearchSpace kFromGamma1{.tokens = 2, .least_gamma = 1, .gammas = 3, .denominator = 6};
constexpr SearchSpace kFromGamma2{.tokens = 2, .least_gamma = 2, .gammas = 3, .denominator = 6};
constexpr SearchSpace kInteriorLaws{
    .tokens = 2, .least_gamma = 2, .gammas = 3, .denominator = {6, 8, 12}};

constexpr ClaimRow kStrictness{
    .id = "sun2024.section3.1.strictness",
    .source = "sun2024 section 3.1, last paragraph",
    .statement = "E[tau] of greedy-block > E[tau] of token as long as d != t",
    .hypotheses = "Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = strictly_better,
    .places = {kFromGamma1, Place(kFromGamma1).only(kOverlapping), kFromGamma2,
               Place(kFromGamma2).only(kOverlapping)},
    .correction = {"for gamma >= 2 and 0 < d < 1, 0 < t < 1",
                   strictly_better,
                   {Place(kInteriorLaws).only(kInterior)}},
    .bites = {{{"greedy-block", Fault::replaced, "token"}}},
};

/// min of products against product of minima, over all paths of at most gamma tokens.
Comparisons strict_in_general(const Instance& instance) {
  bool differ = false;
  for (const Start& start : instance.pair().start()) {
    std::map<TokenPath, Rational> products{{{}, Rational(1)}};
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty()) continue;
      TokenPath parent = path.tokens;
      parent.pop_back();
      const State at = follow(*instance.rows, start.state, parent).state;
      const auto x = static_cast<std::size_t>(path.tokens.back());
      const Rational product =
          products[parent] * lesser(instance.rows->draft(at)[x], instance.rows->target(at)[x]);
      products[path.tokens] = product;
      differ = differ || product != lesser(path.draft, path.target);
    }
  }
  return {{differ ? "E[tau] of greedy-block against token, where a path differs"
                  : "E[tau] of greedy-block against token, where none does",
           accepted("greedy-block", instance), differ ? Order::above : Order::equal,
           accepted("token", instance)}};
}

constexpr ClaimRow kStrictInGeneral{
    .id = "sun2024.section3.1.strictness.general",
    .source = "sun2024 section 3.1, after Theorem 2",
    .statement =
        "E[tau] of greedy-block > that of token if and only if for some path the least of "
        "the products is not the product of the least",
    .hypotheses = "any pair, any gamma",
    .check = strict_in_general,
    .places = {kBattery, kTwoContexts},
    .bites = {{{"greedy-block", Fault::replaced, "token"}, {"token", Fault::replaced, "block"}}},
};

/// By how much greedy-block is ahead of token.
Rational gap_of(const Instance& instance) {
  return accepted("greedy-block", instance) - accepted("token", instance);
}

Comparisons gap(const Instance& instance) {
  if (!bernoulli(instance)) return {};
  Instance longer = instance;
  ++longer.gamma;
  return {{"gap of E[tau] at gamma + 1 against gamma",
           ingredient("sun2024.section3.1.longer", gap_of(longer)), Order::above,
           gap_of(instance)}};
}

constexpr Filter kUnlike{"d is not t", [](const Instance& instance) {
                           if (!bernoulli(instance)) return false;
                           const auto [draft, target] = parameters(instance);
                           return draft != target;
                         }};
constexpr Filter kInteriorUnlike{
    "0 < d < 1, 0 < t < 1 and d is not t",
    [](const Instance& instance) { return kInterior.keeps(instance) && kUnlike.keeps(instance); }};
constexpr SearchSpace kGapSpace{.tokens = 2, .gammas = 3, .denominator = {4, 6, 10}};

constexpr ClaimRow kGap{
    .id = "sun2024.section3.1.gap",
    .source = "sun2024 section 3.1, last paragraph",
    .statement = "E[tau] of greedy-block - E[tau] of token increases as gamma increases",
    .hypotheses = "Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = gap,
    .places = {kGapSpace, Place(kGapSpace).only(kUnlike)},
    .correction = {"for 0 < d < 1, 0 < t < 1, d != t; else the gap is 0 at every gamma",
                   gap,
                   {Place(kGapSpace).only(kInteriorUnlike)}},
    .bites = {{{"greedy-block", Fault::replaced, "token"},
               {"sun2024.section3.1.longer", Fault::lowered}}},
};

constexpr ClaimRow kClaims[] = {kStrictness, kStrictInGeneral, kGap};

}  // namespace
}  // namespace sun2024_strictness

Claims sun2024_strictness_claims() { return sun2024_strictness::kClaims; }

}  // namespace speclab
