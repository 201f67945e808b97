// Trees of likeliest and sampled children, ranked by the mass that a child is sampled from.
#include "theory/best_and_tail.h"

#include "claims/papers/rules/rules.h"

namespace speclab {
namespace best_and_tail {
namespace {

constexpr std::string_view kAbstract = "arXiv 2609.21827 (RheoSampling), by its abstract";

constexpr NamedPair kUneven{"iid(draft=[1/2,1/3,1/6],target=[5/6,1/6,0])", 2, 2};
constexpr BatteryShape kDecodes{.tokens = 3, .gammas = 2, .drafts = 4, .random = {2, 4, 12}};

constexpr ClaimRow kKeeps{
    .id = "speclab.best-and-tail.lossless",
    .source = kAbstract,
    .statement =
        "the output has the target's law: a sampled child's survival does not depend on its token",
    .hypotheses = "any pair, any gamma, any number of nodes; ranked by the mass sampled from",
    .check = lossless("best-and-tail(nodes={K})"),
    .places = {kDecodes, kUneven},
    .bites = {{replaced("best-and-tail", "wrong-own-order(nodes=2)")}},
    .proofs = {{{.verifier = "best-and-tail(nodes=3)", .contexts = Contexts::tree},
                {.verifier = "best-and-tail(nodes=1)", .vocabulary = 3, .gamma = 1},
                {.verifier = "best-and-tail(nodes=2)", .vocabulary = 3, .gamma = 1}}},
};

constexpr SearchSpace kSmallest{
    .tokens = 3, .gammas = 2, .drafts = 2, .denominator = 6, .memoryless = true};

constexpr ClaimRow kOwnOrder{
    .id = "speclab.best-and-tail.own-order",
    .source = "this project, after arXiv 2609.21827 (RheoSampling)",
    .statement =
        "asked here: the output has the target's law where a sampled child is ranked by its own "
        "probability",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("wrong-own-order(nodes={K})"),
    .places = {kSmallest, kUneven},
    .correction = {.statement = "best-and-tail(nodes=N), ranked by the mass sampled from",
                   .check = lossless("best-and-tail(nodes={K})"),
                   .amends = Amends::by_replacement},
    .bites = {{replaced("wrong-own-order", "best-and-tail")}},
};

std::vector<Rational> tail_of_tree(const Instance& at) {
  return BestAndTailLength<Rational>(at.draft(), at.target(), at.drafts, at.gamma).tail();
}
constexpr NamedForm kLength{"sum over the nodes of A^k t(b)^(i-k)", "speclab.best-and-tail.formula",
                            tail_of_tree};
constexpr BatteryShape kMemoryless{
    .tokens = 4, .gammas = 3, .drafts = 5, .random = 0, .contexts = false};

constexpr BatteryShape kPositions{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};
constexpr Check kAsSpechub = equal(tau("best-and-tail(nodes=2)"), tau("spechub(K=2)"));

constexpr ClaimRow kAccepts{
    .id = "speclab.best-and-tail.acceptance",
    .source = "this project, after arXiv 2609.21827 (RheoSampling)",
    .statement =
        "E[tau] = the sum of A^k t(b)^(i-k) over the N nodes of the largest a^(i-k) (1-a)^k, of "
        "depth i with k sampled tokens; a = d(b), A = sum over x != b of min(t(x), d(x)/(1-a)); "
        "with both children of one position that of spechub",
    .hypotheses = "memoryless pairs",
    .check = equal(tau("best-and-tail(nodes={K})"), kLength),
    .places = {kMemoryless, Place(kPositions).with(kAsSpechub)},
    .bites = {{lowered("speclab.best-and-tail.formula"),
               replaced("best-and-tail", "rrs-without(K=2)"), replaced("spechub", "rrs(K=2)")}},
};

constexpr ClaimRow kClaims[] = {kKeeps, kOwnOrder, kAccepts};

}  // namespace
}  // namespace best_and_tail

Claims best_and_tail_claims() { return best_and_tail::kClaims; }

}  // namespace speclab
