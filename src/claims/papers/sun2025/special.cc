// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025): Theorem 3 in its parts, the special cases that the text names, the
// numbers of section 2 and appendix C, and the second listing of appendix A.
#include <fmt/format.h>

#include <algorithm>

#include "claims/engine/ingredient.h"
#include "claims/engine/optimum.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/row.h"
#include "claims/engine/vocabulary.h"
#include "claims/papers/sun2024/coupling.h"

namespace speclab {
namespace sun2025_special {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 60}};
constexpr SearchSpace kTwoContexts{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2};

constexpr ClaimRow kSubBlocks{
    .id = "sun2025.theorem3.sub-block",
    .source = "sun2025 section C: \"a higher acceptance probability for every subblock\"",
    .statement = "P(tau >= i | X^i = x^i) of greedy-block >= that of block",
    .hypotheses = "same pair, same gamma",
    .check = at_least(reached("greedy-block"), reached("block")),
    .places = {kBattery, kTwoContexts},
    .bites = {{replaced("greedy-block", "token"), replaced("block", "wrong-weight-coins")}},
};

/// Block as a coupling of X^gamma and Y^gamma = (X^tau, Y, Z): both margins, and tau = beta: the
/// correction is never the token that was drafted there.
Comparisons block_couples(const Instance& instance) {
  Comparisons says;
  Rational prefixes(0);
  for (const Start& start : instance.pair().start()) {
    for (const auto& [drafted, output, mass] : made_coupling("block", instance, start.state)) {
      const auto differ = std::mismatch(output.begin(), output.end(), drafted.begin()).first;
      prefixes += start.probability * mass * (differ - output.begin());
    }
    compare_margins(says, "block", instance, start.state);
  }
  says.equal(ingredient("sun2025.theorem3.prefix", prefixes), accepted("block", instance),
             "E[common prefix] of block's coupling against E[tau]");
  if (kSmall.keeps(instance)) {
    says.at_most(ingredient("sun2025.theorem3.prefix", prefixes), best_coupling(instance),
                 "E[common prefix] of block's coupling against the certified optimum");
  }
  return says;
}

constexpr ClaimRow kCoupling{
    .id = "sun2025.theorem3.coupling",
    .source = "sun2025 section C.3, last paragraph",
    .statement = "block is an instance of the coupling, with X^gamma and Y^gamma = (X^tau, Y, Z)",
    .hypotheses = "Z plain target tokens",
    .check = block_couples,
    .places = {kBattery},
    .bites = {{replaced("block", "wrong-first-failure"), halved("coupling-program.reward"),
               lowered("sun2025.theorem3.prefix"), raised("sun2025.theorem3.prefix")}},
};

constexpr Filter kGammaOne{"gamma = 1", [](const Instance& at) { return at.gamma == 1; }};

constexpr ClaimRow kGamma1{
    .id = "sun2025.section6.gamma1",
    .source = "sun2025 section 6.1: \"when gamma = 1, the two algorithms are the same\"",
    .statement = "at gamma = 1 block and token emit every (X^tau, Y) with the same probability",
    .hypotheses = "gamma = 1",
    .check = same_law("block", "token"),
    .places = {Place(kBattery).only(kGammaOne),
               Place(SearchSpace{.tokens = 3, .gammas = 1, .denominator = {4, 4, 6}})},
    .bites = {{replaced("block", "lazy-block"), replaced("token", "token-listing-printed")}},
};

/// Whether every law of the target is one-hot: decoding at temperature 0.
constexpr Filter kGreedyDecoding{
    "every law of the target is one-hot", [](const Instance& instance) {
      for (State state = 0; state < instance.pair().states(); ++state) {
        const auto target = instance.rows->target(state);
        if (std::find(target.begin(), target.end(), Rational(1)) == target.end()) return false;
      }
      return true;
    }};

constexpr ClaimRow kTemperature0{
    .id = "sun2025.section6.temperature0",
    .source =
        "sun2025 section 6.2: \"for temperature of 0 our algorithm degenerates to token "
        "verification\"",
    .statement =
        "where the target is one-hot block and token emit every (X^tau, Y) with the same "
        "probability",
    .hypotheses = "one-hot target; any draft",
    .check = same_law("block", "token"),
    .places = {Place(SearchSpace{.tokens = 3, .gammas = 3, .denominator = {3, 4, 6}})
                   .only(kGreedyDecoding),
               Place(kTwoContexts).only(kGreedyDecoding), Place(kBattery).only(kGreedyDecoding)},
    .bites = {{replaced("block", "wrong-first-failure"), replaced("token", "lazy-block")}},
};

// Appendix C's example: the toy pair with token 0 for A and token 1 for B.

/// The numbers printed in appendix C, from greedy block verification without its carry.
Comparisons appendix_c(const Instance& instance) {
  Rational output(0);
  Rational reached(0);
  Rational rejected(0);
  for (const BlockOutcome& outcome : outcomes("greedy-block", instance, instance.start())) {
    const TokenPath& draft = outcome.draft;
    const bool correction = outcome.accepted == 0 && outcome.tokens == TokenPath{1};
    if (outcome.accepted == 2 && draft == TokenPath{1, 0}) reached += outcome.weight;
    if (correction && draft == TokenPath{0, 0}) rejected += outcome.weight;
    if (outcome.accepted == 2 && draft == TokenPath{0, 0}) output += outcome.weight;
  }
  const Rational a = instance.target()[0];
  return {{"P(accept AA | AA)", output / Rational(4, 9), Order::equal, Rational(1, 4)},
          {"P(BA) without the modified target",
           ingredient("sun2025.sectionC.BA", Rational(reached + rejected * a)), Order::equal,
           Rational(1, 3)},
          {"P(BA) without the modified target against T(BA)", reached + rejected * a, Order::above,
           Rational(2, 9)}};
}

/// The modified target after AA is rejected and B put in its place.
Comparisons point_mass(const Instance& instance) {
  const CarriedView<Rational> view(*instance.rows);
  Comparisons says;
  for (const BlockOutcome& outcome : outcomes("greedy-block", instance, instance.start())) {
    if (outcome.accepted != 0) continue;
    says.equal(
        ingredient("sun2025.sectionC.modified", Rational(view.at(outcome.context).target(1))),
        Rational(1), "P(B) of the modified target after B");
  }
  return says;
}

constexpr ClaimRow kAppendixC{
    .id = "sun2025.sectionC.example",
    .source = "sun2025 appendix C and C.1, the example",
    .statement = "toy, gamma=2: AA is kept with 1/4; without the modified target P(BA) = 1/3 > 2/9",
    .hypotheses = "the pair of equation (2), greedy-block",
    .check = appendix_c,
    .places = {NamedPair{kToy, 2}},
    .bites = {{raised("sun2025.sectionC.BA"), replaced("greedy-block", "block")}},
};

constexpr ClaimRow kPointMass{
    .id = "sun2025.sectionC1.point-mass",
    .source = "sun2025 C.1: \"the modified distribution will be a point mass on token B\"",
    .statement = "toy, gamma=2: after AA is rejected the modified target is a point mass on B",
    .hypotheses = "the pair of equation (2), greedy-block",
    .check = point_mass,
    .places = {NamedPair{kToy, 2}},
    .bites = {{lowered("sun2025.sectionC.modified")}},
};

/// Section 2: the improved rule by hand, draft by draft.
Comparisons section2(const Instance& instance) {
  const std::map<TokenPath, Rational> printed{{{0, 0}, Rational(1, 2)},
                                              {{0, 1}, Rational(2)},
                                              {{1, 0}, Rational(3, 2)},
                                              {{1, 1}, Rational(2)}};
  std::map<TokenPath, Rational> kept;
  for (const BlockOutcome& outcome : outcomes("block", instance, instance.start())) {
    kept[outcome.draft] += outcome.accepted * outcome.weight;
  }
  Comparisons says;
  for (const auto& [draft, tokens] : printed) {
    says.equal(kept[draft] / follow(*instance.rows, instance.start(), draft).draft,
               ingredient("sun2025.section2.printed", tokens), "E[tau | {}]", path_text(draft));
  }
  says.equal(accepted("token", instance), Rational(10, 9), "E[tau] of token");
  says.equal(accepted("block", instance), Rational(11, 9), "E[tau] of block");
  says.equal(best_coupling(instance), Rational(12, 9), "E[tau] of the ideal algorithm, certified");
  return says;
}

constexpr ClaimRow kSection2{
    .id = "sun2025.section2",
    .source = "sun2025 section 2, equation (2)",
    .statement =
        "toy, gamma=2: E[tau] is 10/9 (token), 11/9 (block), 12/9 (full information); block keeps "
        "2 of AB and BB, 3/2 of BA, 1/2 of AA",
    .hypotheses = "the pair of equation (2)",
    .check = section2,
    .places = {NamedPair{kToy, 2}},
    .bites = {{raised("sun2025.section2.printed"), zeroed("coupling-program.reward"),
               replaced("block", "wrong-weight-coins"), replaced("token", "block")}},
};

constexpr ClaimRow kTokenListing{
    .id = "sun2025.appendixA.token",
    .source = "sun2025 appendix A, Python listing of token verification",
    .statement =
        "the listing is Algorithm 1: it returns every (X^tau, Y) with the same probability",
    .hypotheses = "any pair, any gamma",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = same_law("token-listing-printed", "token"),
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}},
    .correction = {"with a last line that draws a token of vocab_range by the weights computed "
                   "before it; the printed listing has no such line",
                   same_law("token-listing", "token"),
                   {kBattery, kTwoContexts}},
    .bites = {{replaced("token-listing", "token-listing-printed"),
               replaced("token-listing-printed", "token"),
               replaced("token", "wrong-first-failure")}},
};

constexpr ClaimRow kClaims[] = {kSection2,     kSubBlocks, kCoupling,  kGamma1,
                                kTemperature0, kAppendixC, kPointMass, kTokenListing};

}  // namespace
}  // namespace sun2025_special

Claims sun2025_special_claims() { return sun2025_special::kClaims; }

}  // namespace speclab
