// SpecHub: two drafts of which one is the draft's likeliest token.
#include "claims/papers/rules/rules.h"
#include "theory/multi_draft.h"

namespace speclab {
namespace spechub {
namespace {

constexpr std::string_view kSource =
    "Sun et al. 2024 (SpecHub), K = 2, Sequoia/Tree/MyTree.py@b67e121";

constexpr ClaimRow kKeeps{
    .id = "speclab.spechub.lossless",
    .source = kSource,
    .statement = "the output of spechub has the target's law",
    .hypotheses = "any pair, any gamma",
    .check = lossless("spechub(K=2)", "spechub(tree={2-1})"),
    .places = {kLossless},
    .bites = {{replaced("spechub", "wrong-dense-tree")}},
};

constexpr NamedForm kWithHub{
    "t(a) + sum of min(t, d / (1 - d(a)))", "speclab.spechub.formula",
    [](const Instance& at) { return spechub_acceptance(at.draft(), at.target()); }};

constexpr BatteryShape kPositions{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};
constexpr NamedPair kThree{"iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])", 1};
constexpr SearchSpace kSmallest{.tokens = 3, .gammas = 1, .denominator = {4, 4, 6}};

constexpr ClaimRow kAccepts{
    .id = "speclab.spechub.acceptance",
    .source = "this project, of SpecHub",
    .statement =
        "P(accept) of spechub = t(a) + sum over i != a of min(t(i), d(i) / (1 - d(a))), a the "
        "draft's likeliest token: no coupling of its draft sets accepts more",
    .hypotheses = "one position",
    .check = equal(tau("spechub(K=2)"), kWithHub),
    .places = {kPositions, kSmallest, kThree},
    .bites = {{lowered("speclab.spechub.formula"), replaced("spechub", "rrs-without")}},
};

constexpr ClaimRow kAboveWithout{
    .id = "speclab.spechub.above-rrs",
    .source = "this project, of SpecHub's measured advantage",
    .statement =
        "spechub accepts at least as often as recursive rejection sampling of two drafts, drawn "
        "with replacement or without",
    .hypotheses = "one position",
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tau("spechub(K=2)"), tau("rrs(K=2)")) &&
             at_least(tau("spechub(K=2)"), tau("rrs-without(K=2)")),
    .places = {kSmallest, kThree},
    .bites = {{replaced("spechub", "rrs-without")}},
};

constexpr ClaimRow kClaims[] = {kKeeps, kAccepts, kAboveWithout};

}  // namespace
}  // namespace spechub

Claims spechub_claims() { return spechub::kClaims; }

}  // namespace speclab
