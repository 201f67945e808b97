// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025): what it says of block and of greedy block verification.
#include <fmt/format.h>

#include "claims/engine/closed_forms.h"
#include "claims/engine/examination.h"
#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/vocabulary.h"
#include "claims/papers/sun2025/weights.h"
#include "theory/sun2025.h"

namespace speclab {
namespace sun2025 {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 60}};
constexpr std::array<SimulatedLaw, 2> kGreedyDecode{
    {{.verifier = "greedy-block", .at = {kToy, 3}, .horizon = 5}}};

/// Lemma 1 is an existence statement: token verification is beaten on some pair, by a verifier that
/// is lossless there.
std::vector<Instance> where_beaten(Effort effort) {
  const Instance toy = make_instance(kToy, 2);
  Instance where = toy;
  enumerate_pairs({.tokens = 2, .gammas = 2, .denominator = 4}, effort,
                  [&](const Instance& instance) {
                    const bool beaten = accepted("block", instance) > accepted("token", instance);
                    if (beaten) where = instance;
                    return beaten;
                  });
  return {where, toy};
}

constexpr ClaimRow kLemma1{
    .id = "sun2025.lemma1",
    .source = "sun2025 Lemma 1",
    .statement = "some valid verifier has a larger E[tau] than token verification on some pair",
    .hypotheses = "none",
    .check = lossless("block") && above(tau("block"), tau("token")),
    .places = {Family{"the smallest memoryless pair on which block is ahead of token; the toy pair",
                      where_beaten}},
    .bites = {{replaced("block", "token"), replaced("token", "block")}},
};

constexpr Filter kUpToFour{"V <= 3 or gamma <= 2", [](const Instance& instance) {
                             return instance.pair().vocabulary() <= 3 || instance.gamma <= 2;
                           }};

constexpr ClaimRow kTheorem1{
    .id = "sun2025.theorem1",
    .source = "sun2025 Theorem 1",
    .statement = "the output of decoding with block verification has the target's law",
    .hypotheses = "any pair, any gamma",
    .check = equal(asked(QuantityId::output_undefined, "block", {1, 2}), 0) && lossless("block"),
    .places =
        {Place(BatteryShape{.tokens = 4, .gammas = 3, .random = {4, 12, 60}}).only(kUpToFour)},
    .simulated = {{{.verifier = "block", .at = {kToy, 3}, .horizon = 5},
                   {.verifier = "block",
                    .at = {"tree(vocabulary=3,depth=3,seed=5,denominator=12)", 2},
                    .horizon = 4}}},
    .bites = {{replaced("block", "wrong-first-failure"), replaced("block", "wrong-draft-bonus")}},
    .proofs = {{{.verifier = "block", .gamma = 3},
                {.verifier = "block", .contexts = Contexts::tree},
                {.verifier = "block", .contexts = Contexts::step, .vocabulary = 3}}},
};

constexpr NamedForm kWeights{"D w", "sun2025.lemma3.reached",
                             [](const Instance& at, State start, const PathLaws& path) {
                               return Rational(path.draft * block_weight(at, start, path.tokens));
                             }};
constexpr NamedForm kBlockTail{
    "D w summed over the paths", "sun2025.lemma3.formula",
    [](const Instance& at) { return tail_on(at, block_tail<Rational>); }};

constexpr ClaimRow kLemma3{
    .id = "sun2025.lemma3",
    .source = "sun2025 Lemma 3",
    .statement = "P(tau >= i | X^i = x^i) = w_i(x^i) for block",
    .hypotheses = "D(x^i) > 0",
    .check = equal(reached("block"), kWeights),
    .places = {kBattery},
    .simulated = {{{.verifier = "block", .at = {kToy, 4}, .tail = &kBlockTail}}},
    .bites = {{halved("block-weights"), replaced("block", "wrong-weight-coins")}},
    .proofs = {{{.verifier = "block", .property = "predicts:sun2025.lemma3"}}},
};

/// One iteration of greedy block verification, continued with the modified target alone.
Comparisons lemma8(const Instance& at) {
  return continued_against_target("greedy-block", at, "X^tau, Y, Z", "sun2025.lemma8.law");
}

/// As printed, of gamma tokens: at tau = gamma there is no Z and X^tau, Y are gamma + 1.
Comparisons lemma8_printed(const Instance& instance) {
  Comparisons says;
  says.equal(1 - exact_answer("greedy-block", instance).fractions(QuantityId::accepted_law).back(),
             1, "P(X^tau, Y, Z are gamma tokens)");
  return says;
}

constexpr ClaimRow kLemma8{
    .id = "sun2025.lemma8",
    .source = "sun2025 Lemma 8",
    .statement =
        "(X^tau, Y, Z) ~ T^gamma for greedy-block, Z being gamma - tau - 1 tokens of the modified "
        "target",
    .hypotheses = "any pair, any gamma",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = lemma8,
    .places = {Place(SearchSpace{.tokens = 2, .gammas = 2, .denominator = 2}).with(lemma8_printed),
               kBattery},
    .correction = {"of its first gamma tokens: at tau = gamma there are gamma + 1 and no Z",
                   lemma8,
                   {kBattery}},
    .simulated = kGreedyDecode,
    .bites = {{replaced("greedy-block", "wrong-no-carry"), raised("sun2025.lemma8.law")}},
};

constexpr ClaimRow kLemma9{
    .id = "sun2025.lemma9",
    .source = "sun2025 Lemma 9",
    .statement = "P(X^i = x^i, tau >= i) = min(D(x^i), T(x^i)) for greedy-block",
    .hypotheses = "any pair, any gamma",
    .check = equal(reached("greedy-block"), kMinOfJoint),
    .places = {kBattery},
    .bites = {{replaced("greedy-block", "block"), replaced("greedy-block", "token")}},
};

constexpr ClaimRow kTheorem3{
    .id = "sun2025.theorem3",
    .source = "sun2025 Theorem 3",
    .statement = "E[tau] of greedy-block >= E[tau] of block in one iteration",
    .hypotheses = "same pair, same gamma",
    .check = at_least(tau("greedy-block"), tau("block")),
    .places = {kBattery, SearchSpace{.tokens = {2, 3, 3}, .gammas = 3, .denominator = {5, 5, 8}},
               SearchSpace{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2}},
    .bites = {{replaced("greedy-block", "token")}},
    .proofs = {{{.verifier = "greedy-block", .property = "at-least:block"}}},
};

// C.1 asks whether one of the two is ahead over several iterations. Each side is a statement of
// its own; on the toy pair the two cross.

constexpr int kIterations = 4;

/// E[N(i)] on the toy pair at gamma = 2 and 3, i = 1 .. 3.
constexpr NamedForm kGreedyOnToy{
    "7/3, 40/9, 59/9; 77/27, 437/81, 635/81", "sun2025.sectionC1.greedy", [](const Instance& at) {
      using List = std::vector<Rational>;
      return at.gamma == 2 ? List{{7, 3}, {40, 9}, {59, 9}} : List{{77, 27}, {437, 81}, {635, 81}};
    }};
constexpr NamedForm kBlockOnToy{
    "20/9, 40/9, 20/3; 8/3, 16/3, 8", "sun2025.sectionC1.block", [](const Instance& at) {
      using List = std::vector<Rational>;
      return at.gamma == 2 ? List{{20, 9}, {40, 9}, {20, 3}} : List{{8, 3}, {16, 3}, {8, 1}};
    }};

constexpr ClaimRow kCrossing{
    .id = "sun2025.sectionC1.crossing",
    .source = "sun2025 section C.1 (left open there)",
    .statement =
        "toy: E[N(i)] of greedy-block is above, level with and below that of block at i = 1, 2, 3, "
        "gamma = 2; above, above and below at gamma = 3",
    .hypotheses = "the pair of equation (2); the values of the two at i = 1, 2, 3",
    .check =
        equal(tokens("greedy-block", 3), kGreedyOnToy) && equal(tokens("block", 3), kBlockOnToy),
    .places = {NamedPair{kToy, 2}, NamedPair{kToy, 3}},
    .bites = {{replaced("greedy-block", "block"), replaced("greedy-block", "token"),
               replaced("block", "token"), lowered("sun2025.sectionC1.greedy")}},
};

constexpr SearchSpace kAhead{.tokens = 2, .gammas = 2, .denominator = {4, 5, 8}};

constexpr ClaimRow kGreedyAhead{
    .id = "sun2025.sectionC1.greedy-ahead",
    .source = "sun2025 section C.1 (left open there)",
    .statement = "E[N(i)] of greedy-block >= E[N(i)] of block for every i",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tokens("greedy-block", kIterations), tokens("block", kIterations)),
    .places = {kAhead},
    .bites = {{replaced("greedy-block", "block")}},
};

constexpr ClaimRow kBlockAhead{
    .id = "sun2025.sectionC1.block-ahead",
    .source = "sun2025 section C.1 (left open there)",
    .statement = "E[N(i)] of block >= E[N(i)] of greedy-block for every i",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check = at_most(tokens("greedy-block", kIterations), tokens("block", kIterations)),
    .places = {kAhead},
    .bites = {{replaced("greedy-block", "block"), replaced("greedy-block", "token")}},
};

bool divides_soundly(const Instance& at) {
  return exact_answer("block-listing", at).fraction(QuantityId::iteration_undefined) == 0;
}

/// Where it divides no 0 by 0 the listing must be block verification: the same E[tau], and the same
/// P(tau = gamma).
constexpr Check kListed = equal(tau("block-listing"), tau("block")).where(divides_soundly);

Comparisons whole_drafts_listed(const Instance& instance) {
  if (!divides_soundly(instance)) return {};
  return {{"P(tau = gamma) of the listing against Algorithm 2",
           exact_answer("block-listing", instance).fractions(QuantityId::accepted_law).back(),
           Order::equal,
           exact_answer("block", instance).fractions(QuantityId::accepted_law).back()}};
}

constexpr Check kWholeListing = same_law("block-listing-whole", "block").where(divides_soundly) &&
                                same_law("block-listing-skipping", "block");

constexpr SearchSpace kListing{.tokens = 2, .gammas = 2, .denominator = 4};

constexpr ClaimRow kAppendixA{
    .id = "sun2025.appendixA",
    .source = "sun2025 appendix A, Python listing",
    .statement = "the listing is Algorithm 2: it accepts the same blocks",
    .hypotheses =
        "any pair without 0/0, any gamma; a sketch for illustration, read with the drafts as xs, "
        "which it does not define",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = kListed,
    .places = {kListing, Place(kListing).with(whole_drafts_listed)},
    .correction = {"with the loop run once more, at index gamma: it has the law of (X^tau, Y) of "
                   "Algorithm 2 on every pair without 0/0, and on all pairs where a step that "
                   "divides 0 by 0 is skipped; the names xs and sampling_weights are undefined",
                   kWholeListing,
                   {kListing, kBattery}},
    .bites = {{replaced("block-listing", "block"), replaced("block-listing-whole", "block-listing"),
               replaced("block-listing-skipping", "block-listing-whole")}},
};

constexpr ClaimRow kClaims[] = {kLemma1,   kTheorem1, kLemma3,      kLemma8,     kLemma9,
                                kTheorem3, kCrossing, kGreedyAhead, kBlockAhead, kAppendixA};

}  // namespace
}  // namespace sun2025

Claims sun2025_claims() { return sun2025::kClaims; }

}  // namespace speclab
