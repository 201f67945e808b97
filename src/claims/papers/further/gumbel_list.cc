// Gumbel list sampling (Rowan, Phan, Khisti 2025): K drafts with clocks of their own.
#include "claims/papers/rules/rules.h"
#include "theory/position_masses.h"
#include "theory/rowan2025.h"

namespace speclab {
namespace gumbel_list {
namespace {

constexpr std::string_view kSource = "Rowan, Phan, Khisti 2025, Gumbel list sampling";
constexpr BatteryShape kDecodes{.tokens = 3, .gammas = 2, .drafts = 2, .random = {1, 2, 6}};
constexpr SearchSpace kSmallest{.tokens = 3, .gammas = 1, .drafts = 2, .denominator = {3, 4, 5}};
constexpr SearchSpace kTwoDrafts{
    .tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 2, .denominator = {3, 4, 5}};
constexpr NamedPair kThree{"iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])", 1, 2};

constexpr ClaimRow kKeeps{
    .id = "rowan2025.lossless",
    .source = kSource,
    .statement =
        "the output of gumbel-list(K) has the target's law, whether the target takes the least "
        "clock of the drafts in play or of all K",
    .hypotheses = "any pair, any gamma, any K",
    .check = lossless("gumbel-list(K={K})", "gumbel-list(K={K},clocks=all)"),
    .places = {kDecodes},
    .bites = {{replaced("gumbel-list", "wrong-without-replacement(K=2)"),
               replaced("gumbel-list",
                        "wrong-always-accept(rule=\"gumbel-list(K=2,clocks=active)\")")}},
    .proofs = {{{.verifier = "gumbel-list(K=2)", .contexts = Contexts::tree},
                {.verifier = "gumbel-list(K=3)", .gamma = 1},
                {.verifier = "gumbel-list(K=2,clocks=all)", .gamma = 1}}},
};

/// E[tau] by the law of the number of drafts that go on.
Rational mean(const Instance& at, bool all) {
  const int drafts = at.drafts;
  const auto going = [&](std::span<const Rational> draft, std::span<const Rational> target, int k) {
    return gls_survivors<Rational>(draft, target, k, all ? drafts - k : 0);
  };
  Budget budget;
  return expectation(
      PositionMasses(*at.rows, drafts, going, budget).tail(start_law(*at.rows), at.gamma));
}
constexpr NamedForm kActive{"its closed form", "rowan2025.acceptance.formula",
                            [](const Instance& at) { return mean(at, false); }};
constexpr NamedForm kAll{"its closed form", "rowan2025.acceptance.all",
                         [](const Instance& at) { return mean(at, true); }};

constexpr ClaimRow kAccepts{
    .id = "rowan2025.acceptance",
    .source = "this project, of Gumbel list sampling",
    .statement =
        "E[tau] of gumbel-list(K), from P(Y = x, and s of the drafts in play propose x), the "
        "drafts that propose it going on; at K = 1 it is gumbel",
    .hypotheses = "any pair, any gamma, any K",
    .check = equal(tau("gumbel-list(K={K})"), kActive) &&
             equal(tau("gumbel-list(K={K},clocks=all)"), kAll) &&
             same_iterations("gumbel-list(K=1)", "gumbel"),
    .places = {kDecodes, kOnePosition},
    .bites = {{lowered("rowan2025.acceptance.formula"), raised("rowan2025.acceptance.all"),
               replaced("gumbel-list", "rrs(K=2)"), replaced("gumbel", "token")}},
    .proofs = {{{.verifier = "gumbel-list(K=1)",
                 .property = "equals:gumbel",
                 .vocabulary = 3,
                 .gamma = 1}}},
};

constexpr NamedForm kLemma{
    "sum of K / sum max(K t/t_y, d/d_y + (K - 1) t/t_y)", "rowan2025.list-matching.formula",
    [](const Instance& at) { return list_matching_bound(at.draft(), at.target(), at.drafts); }};
constexpr NamedForm kBest{"alpha*", "rowan2025.list-matching.optimum", [](const Instance& at) {
                            return best_acceptance(at.draft(), at.target(), at.drafts);
                          }};

constexpr ClaimRow kMatching{
    .id = "rowan2025.list-matching",
    .source = "Rowan, Phan, Khisti 2025, list matching lemma, in the form derived here",
    .statement =
        "P(Y in {X_1 .. X_K}) >= sum_y K / sum_v max(K t_v/t_y, d_v/d_y + (K - 1) t_v/t_y), and at "
        "most the optimum alpha*(K) of all couplings",
    .hypotheses = "one position",
    .check =
        at_least(tau("gumbel-list(K={K})"), kLemma) && at_most(tau("gumbel-list(K={K})"), kBest),
    .places = {kOnePosition, kSmallest},
    .bites = {{raised("rowan2025.list-matching.formula"),
               lowered("rowan2025.list-matching.optimum"),
               replaced("gumbel-list", "target-only(K=2)")}},
};

/// The lemma's sum with max(t_v/t_y, ..): at K >= 2 the second term is the larger one.
constexpr NamedForm kWithoutK{"sum of K / sum max(t/t_y, d/d_y + (K - 1) t/t_y)",
                              "rowan2025.first-term.formula", [](const Instance& at) {
                                Rational sum(0);
                                for (std::size_t y = 0; y < at.draft().size(); ++y) {
                                  const Rational& draft = at.draft()[y];
                                  const Rational& target = at.target()[y];
                                  if (draft > 0 && target > 0) {
                                    sum += at.drafts / (1 / draft + (at.drafts - 1) / target);
                                  }
                                }
                                return sum;
                              }};

constexpr ClaimRow kFirstTerm{
    .id = "rowan2025.list-matching.first-term",
    .source = "this project: the list matching lemma without the K of its first term",
    .statement = "P(Y in {X_1 .. X_K}) >= sum_y K / sum_v max(t_v/t_y, d_v/d_y + (K - 1) t_v/t_y)",
    .hypotheses = "one position, K >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tau("gumbel-list(K={K})"), kWithoutK),
    .places = {kTwoDrafts},
    .bites = {{zeroed("rowan2025.first-term.formula"), halved("rowan2025.first-term.formula")}},
};

constexpr NamedForm kInPlay{"that of the drafts in play", "rowan2025.clocks.in-play",
                            [](const Instance& at) { return mean(at, false); }};

constexpr ClaimRow kClocks{
    .id = "rowan2025.clocks",
    .source = "this project, of Gumbel list sampling",
    .statement =
        "with the least clock of all K drafts gumbel-list accepts at most as many tokens as with "
        "that of the drafts in play",
    .hypotheses = "any pair, any gamma, any K",
    .check = at_most(tau("gumbel-list(K={K},clocks=all)"), kInPlay),
    .places = {kDecodes, SearchSpace{.tokens = 2,
                                     .gammas = 2,
                                     .least_drafts = 2,
                                     .drafts = 2,
                                     .denominator = {3, 4, 6}}},
    .bites = {{lowered("rowan2025.clocks.in-play"), replaced("gumbel-list", "rrs(K=3)")}},
};

constexpr ClaimRow kBelowRrs{
    .id = "rowan2025.below-rrs",
    .source = "this project: Gumbel list sampling against recursive rejection sampling",
    .statement =
        "rrs(K), which knows the draft's law, accepts at least as often as gumbel-list(K), whose "
        "target's token does not depend on it",
    .hypotheses = "one position",
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tau("rrs(K={K})"), tau("gumbel-list(K={K})")),
    .places = {kTwoDrafts, kThree},
    .bites = {{replaced("gumbel-list", "gumbel-list(K=1)"), replaced("rrs", "canonical(K=2)")}},
};

constexpr Filter kTwoAtMost{
    "V <= 2", [](const Instance& instance) { return instance.pair().vocabulary() <= 2; }};

constexpr ClaimRow kTwoTokens{
    .id = "rowan2025.two-tokens",
    .source = "this project: Gumbel list sampling against recursive rejection sampling",
    .statement = "of two tokens gumbel-list(K) accepts at least as often as rrs(K)",
    .hypotheses = "one position of two tokens, any K",
    .check = at_least(tau("gumbel-list(K={K})"), tau("rrs(K={K})")),
    .places = {Place(SearchSpace{.tokens = 2, .gammas = 1, .drafts = 4, .denominator = {4, 6, 8}})
                   .only(kTwoAtMost)},
    .bites = {{replaced("gumbel-list", "gumbel-list(K=1)"), replaced("rrs", "canonical(K=2)")}},
    .proofs = {{{.verifier = "gumbel-list(K=2)", .property = "at-least:rrs(K=2)"},
                {.verifier = "gumbel-list(K=3)", .property = "at-least:rrs(K=3)", .gamma = 1},
                {.verifier = "gumbel-list(K=4)", .property = "at-least:rrs(K=4)", .gamma = 1}}},
};

constexpr ClaimRow kClaims[] = {kKeeps,  kAccepts,  kMatching, kFirstTerm,
                                kClocks, kBelowRrs, kTwoTokens};

}  // namespace
}  // namespace gumbel_list

Claims gumbel_list_claims() { return gumbel_list::kClaims; }

}  // namespace speclab
