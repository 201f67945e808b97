// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024), section 3.1: where greedy block verification is strictly ahead of token
// verification.
#include <fmt/format.h>

#include "claims/engine/closed_forms.h"
#include "claims/engine/ingredient.h"
#include "claims/engine/row.h"
#include "claims/engine/vocabulary.h"

namespace speclab {
namespace sun2024_strictness {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};
constexpr SearchSpace kTwoContexts{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2};

/// The probabilities of token 1 of two Bernoulli laws, as section 3.1 has them.
const Rational& drafted(const Instance& at) { return at.draft()[1]; }
const Rational& wanted(const Instance& at) { return at.target()[1]; }

bool interior(const Instance& at) {
  if (!bernoulli(at)) return false;
  return drafted(at) * (1 - drafted(at)) * wanted(at) * (1 - wanted(at)) != 0;
}
bool unlike(const Instance& at) { return bernoulli(at) && drafted(at) != wanted(at); }

constexpr Check kStrictlyBetter = above(tau("greedy-block"), tau("token")).where(unlike);

constexpr Filter kOverlapping{"the laws have a token in common", [](const Instance& at) {
                                return bernoulli(at) && abs(drafted(at) - wanted(at)) != 1;
                              }};
constexpr Filter kInterior{"0 < d < 1 and 0 < t < 1", interior};
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
    .check = kStrictlyBetter,
    .places = {kFromGamma1, Place(kFromGamma1).only(kOverlapping), kFromGamma2,
               Place(kFromGamma2).only(kOverlapping)},
    .correction = {"for gamma >= 2 and 0 < d < 1, 0 < t < 1",
                   kStrictlyBetter,
                   {Place(kInteriorLaws).only(kInterior)}},
    .bites = {{replaced("greedy-block", "token")}},
};

/// Whether some path has min(D, T) > prod min(d, t).
bool path_differs(const Instance& at) {
  const Rows<Rational>& rows = *at.rows;
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : paths_from(rows, start.state, at.gamma)) {
      Rational product(1);
      State state = start.state;
      for (const Token x : path.tokens) {
        const auto i = static_cast<std::size_t>(x);
        product *= lesser(rows.draft(state)[i], rows.target(state)[i]);
        state = rows.next(state, x);
      }
      if (product != lesser(path.draft, path.target)) return true;
    }
  }
  return false;
}
bool no_path_differs(const Instance& at) { return !path_differs(at); }

constexpr ClaimRow kStrictInGeneral{
    .id = "sun2024.section3.1.strictness.general",
    .source = "sun2024 section 3.1, after Theorem 2",
    .statement =
        "E[tau] of greedy-block > E[tau] of token if and only if some path of at most gamma tokens "
        "has min(D, T) > prod min(d, t)",
    .hypotheses = "any pair, any gamma",
    .check = above(tau("greedy-block"), tau("token")).where(path_differs) &&
             equal(tau("greedy-block"), tau("token")).where(no_path_differs),
    .places = {kBattery, kTwoContexts},
    .bites = {{replaced("greedy-block", "token"), replaced("token", "block")}},
};

/// By how much greedy-block is ahead of token.
Comparisons gap(const Instance& instance) {
  if (!bernoulli(instance)) return {};
  Instance longer = instance;
  ++longer.gamma;
  const Rational greedy = accepted("greedy-block", instance), token = accepted("token", instance);
  const Rational more = accepted("greedy-block", longer), more_token = accepted("token", longer);
  return {{fmt::format("gap of E[tau] at gamma + 1, {} - {}, against gamma, {} - {}", to_text(more),
                       to_text(more_token), to_text(greedy), to_text(token)),
           ingredient("sun2024.section3.1.longer", Rational(more - more_token)), Order::above,
           greedy - token}};
}

constexpr Filter kInteriorUnlike{"0 < d < 1, 0 < t < 1 and d is not t",
                                 [](const Instance& at) { return interior(at) && unlike(at); }};
constexpr SearchSpace kGapSpace{.tokens = 2, .gammas = 3, .denominator = {4, 6, 10}};

constexpr ClaimRow kGap{
    .id = "sun2024.section3.1.gap",
    .source = "sun2024 section 3.1, last paragraph",
    .statement = "E[tau] of greedy-block - E[tau] of token increases as gamma increases",
    .hypotheses = "Bernoulli laws, d != t",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = gap,
    .places = {NamedPair{"iid(draft=[1,0],target=[1/4,3/4])", 1},
               NamedPair{"iid(draft=[1,0],target=[1/4,3/4])", 2}},
    .correction = {"for 0 < d < 1, 0 < t < 1, d != t; else the gap is 0 at every gamma",
                   gap,
                   {Place(kGapSpace).only(kInteriorUnlike)}},
    .bites = {{replaced("greedy-block", "token"), lowered("sun2024.section3.1.longer")}},
};

constexpr ClaimRow kClaims[] = {kStrictness, kStrictInGeneral, kGap};

}  // namespace
}  // namespace sun2024_strictness

Claims sun2024_strictness_claims() { return sun2024_strictness::kClaims; }

}  // namespace speclab
