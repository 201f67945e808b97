// K drafts and the target's token of one Poisson process (after Li and El Gamal 2018).
#include "claims/papers/rules/rules.h"
#include "theory/rowan2025.h"

namespace speclab {
namespace poisson_list {
namespace {

constexpr BatteryShape kDecodes{.tokens = 3, .gammas = 2, .drafts = 2, .random = {1, 2, 6}};
constexpr SearchSpace kSmallest{.tokens = 3, .gammas = 1, .drafts = 3, .denominator = {3, 4, 5}};

constexpr ClaimRow kKeeps{
    .id = "speclab.poisson-list.lossless",
    .source = "Li and El Gamal 2018, Poisson functional representation, for K drafts",
    .statement = "the output of poisson-list(K) has the target's law",
    .hypotheses = "any pair, any gamma, any K",
    .check = lossless("poisson-list(K={K})"),
    .places = {kDecodes},
    .bites = {{replaced("poisson-list", "wrong-without-replacement(K=2)")}},
    .proofs = {{{.verifier = "poisson-list(K=2)", .contexts = Contexts::tree},
                {.verifier = "poisson-list(K=3)", .gamma = 1}}},
};

constexpr NamedForm kForm{
    "sum t_y (1 - (1 - 1/g_y)^K)", "speclab.poisson-list.acceptance.formula",
    [](const Instance& at) { return poisson_acceptance(at.draft(), at.target(), at.drafts); }};

constexpr ClaimRow kAccepts{
    .id = "speclab.poisson-list.acceptance",
    .source = "this project, of the Poisson functional representation",
    .statement =
        "P(Y in {X_1 .. X_K}) = sum_y t_y (1 - (1 - 1/g_y)^K), g_y = sum_v max(d_v t_y/d_y, t_v); "
        "at K = 1 it is gumbel",
    .hypotheses = "one position, any K",
    .check =
        equal(tau("poisson-list(K={K})"), kForm) && same_iterations("poisson-list(K=1)", "gumbel"),
    .places = {kOnePosition, kSmallest},
    .bites = {{lowered("speclab.poisson-list.acceptance.formula"),
               replaced("poisson-list", "gumbel-list(K=2)"), replaced("gumbel", "token")}},
    .proofs = {{{.verifier = "poisson-list(K=1)",
                 .property = "equals:gumbel",
                 .vocabulary = 3,
                 .gamma = 1}}},
};

constexpr NamedForm kLemma{
    "sum t_y (1 - (1 + d_y/t_y)^-K)", "speclab.poisson-list.matching.formula",
    [](const Instance& at) { return poisson_matching_bound(at.draft(), at.target(), at.drafts); }};
constexpr NamedForm kBest{
    "alpha*", "speclab.poisson-list.matching.optimum",
    [](const Instance& at) { return best_acceptance(at.draft(), at.target(), at.drafts); }};

constexpr ClaimRow kMatching{
    .id = "speclab.poisson-list.matching",
    .source = "this project, after the Poisson matching lemma (Li and Anantharam 2021)",
    .statement =
        "P(Y in {X_1 .. X_K}) >= sum_y t_y (1 - (1 + d_y/t_y)^-K), and at most the optimum "
        "alpha*(K) of all couplings",
    .hypotheses = "one position, any K",
    .check =
        at_least(tau("poisson-list(K={K})"), kLemma) && at_most(tau("poisson-list(K={K})"), kBest),
    .places = {kOnePosition, kSmallest},
    .bites = {{raised("speclab.poisson-list.matching.formula"),
               lowered("speclab.poisson-list.matching.optimum")}},
};

constexpr ClaimRow kAboveGumbel{
    .id = "speclab.poisson-list.above-gumbel-list",
    .source = "this project: one Poisson process against clocks of each draft",
    .statement = "poisson-list(K) accepts at least as often as gumbel-list(K)",
    .hypotheses = "one position, any K",
    .check = at_least(tau("poisson-list(K={K})"), tau("gumbel-list(K={K})")),
    .places = {kOnePosition, kSmallest},
    .bites = {{replaced("poisson-list", "gumbel-list(K=1)"),
               replaced("gumbel-list", "canonical(K=2)")}},
    .proofs =
        {{{.verifier = "poisson-list(K=2)", .property = "at-least:gumbel-list(K=2)"},
          {.verifier = "poisson-list(K=3)", .property = "at-least:gumbel-list(K=3)", .gamma = 1},
          {.verifier = "poisson-list(K=4)", .property = "at-least:gumbel-list(K=4)", .gamma = 1}}},
};

constexpr ClaimRow kClaims[] = {kKeeps, kAccepts, kMatching, kAboveGumbel};

}  // namespace
}  // namespace poisson_list

Claims poisson_list_claims() { return poisson_list::kClaims; }

}  // namespace speclab
