// Rules over K i.i.d. paths that are entered again where their correction was drafted.
#include "theory/recycle.h"

#include "claims/papers/rules/rules.h"

namespace speclab {
namespace recycling {
namespace {

constexpr std::string_view kSource = "this project, after naive-tree";
constexpr std::string_view kAnyPair = "any pair, any gamma, K i.i.d. paths";

constexpr ClaimRow kKeeps{
    .id = "speclab.recycle.lossless",
    .source = kSource,
    .statement =
        "entered again where its correction was drafted, a rule without a carry keeps the target's "
        "law: token, wrong-largest-rho, batch, block, recursive-block, path-block",
    .hypotheses = kAnyPair,
    .check = lossless("recycle(rule=token,K=2)", "recycle(rule=wrong-largest-rho,K=2)",
                      "recycle(rule=batch,K=2)", "recycle(rule=block,K=2)",
                      "recycle(rule=block,K=3)", "recycle(rule=recursive-block,K=2)",
                      "recycle(rule=path-block,K=2)", "recycle(rule=path-block,K=3)"),
    .places = {kLossless},
    .bites = {{replaced("recycle", "recycle-greedy(K=2,after=plain)")}},
    .proofs = {{{.verifier = "recycle(rule=block,K=2)"},
                {.verifier = "recycle(rule=path-block,K=2)"},
                {.verifier = "recycle(rule=wrong-largest-rho,K=2)", .vocabulary = 3, .gamma = 1}}},
};

constexpr SearchSpace kPairs{
    .tokens = {2, 2, 3}, .gammas = 2, .least_drafts = 2, .drafts = 2, .denominator = {2, 3, 3}};
constexpr BatteryShape kPaths{
    .tokens = 3, .gammas = 2, .least_drafts = 2, .drafts = 2, .random = {2, 4, 12}};

constexpr ClaimRow kIsNaiveTree{
    .id = "speclab.recycle.token",
    .source = kSource,
    .statement = "token along the first path, entered again, is naive-tree(K): the same law of tau",
    .hypotheses = kAnyPair,
    .check = same_iterations("recycle(rule=token,K={K})", "naive-tree(K={K})"),
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 4, 12}}},
    .bites = {{replaced("recycle", "recycle(rule=block,K=2)"),
               replaced("naive-tree", "target-only")}},
    .proofs = {{{.verifier = "recycle(rule=token,K=2)", .property = "equals:naive-tree(K=2)"}}},
};

constexpr ClaimRow kGainsNothing{
    .id = "speclab.recycle.nothing",
    .source = kSource,
    .statement =
        "rrs, slot-block and traversal gain nothing: their correction is never a drafted token",
    .hypotheses = kAnyPair,
    .check = same_iterations("recycle(rule=rrs,K={K})", "rrs(K={K})") &&
             same_iterations("recycle(rule=slot-block,K={K})", "slot-block(K={K})") &&
             same_iterations("recycle(rule=traversal,K={K})", "traversal(K={K})"),
    .places = {kPaths, kPairs},
    .bites = {{replaced("recycle", "recycle(rule=batch,K=2)"),
               replaced("slot-block", "slot-block(K=3)")}},
    .proofs = {{{.verifier = "recycle(rule=rrs,K=2)", .property = "equals:rrs(K=2)"},
                {.verifier = "recycle(rule=slot-block,K=2)", .property = "equals:slot-block(K=2)"},
                {.verifier = "recycle(rule=traversal,K=2)", .property = "equals:traversal(K=2)"}}},
};

constexpr ClaimRow kNeverBelow{
    .id = "speclab.recycle.at-least",
    .source = kSource,
    .statement = "E[tau] of a rule that is entered again is at least the rule's",
    .hypotheses = kAnyPair,
    .check =
        at_least(tau("recycle(rule=wrong-largest-rho,K={K})"), tau("wrong-largest-rho(K={K})")) &&
        at_least(tau("recycle(rule=batch,K={K})"), tau("batch(M={K})")) &&
        at_least(tau("recycle(rule=block,K={K})"), tau("block")) &&
        at_least(tau("recycle(rule=recursive-block,K={K})"), tau("recursive-block(K={K})")) &&
        at_least(tau("recycle(rule=path-block,K={K})"), tau("path-block(K={K})")),
    .places = {kPaths, kPairs},
    .bites = {{replaced("recycle", "target-only(K=2)"), replaced("block", "slot-block(K=2)")}},
    .proofs = {{{.verifier = "recycle(rule=block,K=2)", .property = "at-least:block"},
                {.verifier = "recycle(rule=path-block,K=2)",
                 .property = "at-least:path-block(K=2)"}}},
};

constexpr ClaimRow kBelowTraversal{
    .id = "speclab.recycle.traversal",
    .source = kSource,
    .statement =
        "E[tau] of block or recursive-block, entered again, is at most that of traversal(K)",
    .hypotheses = kAnyPair,
    .check = at_most(tau("recycle(rule=block,K={K})"), tau("traversal(K={K})")) &&
             at_most(tau("recycle(rule=recursive-block,K={K})"), tau("traversal(K={K})")),
    .places = {kPaths, kPairs},
    .bites = {{replaced("recycle", "slot-block(K=3)"), replaced("traversal", "target-only")}},
    .proofs = {{{.verifier = "traversal(K=2)", .property = "at-least:recycle(rule=block,K=2)"},
                {.verifier = "traversal(K=2)",
                 .property = "at-least:recycle(rule=recursive-block,K=2)"}}},
};

constexpr ClaimRow kIterations{
    .id = "speclab.recycle.iterations",
    .source = kSource,
    .statement =
        "E[N(i)] of a rule that is entered again is at least the rule's, i = 1, 2, 3, and its "
        "target calls of a decode are at most the rule's",
    .hypotheses = kAnyPair,
    .check =
        at_least(tokens("recycle(rule=token,K={K})", 3), tokens("token", 3)) &&
        at_least(tokens("recycle(rule=block,K={K})", 3), tokens("block", 3)) &&
        at_least(tokens("recycle(rule=path-block,K={K})", 3), tokens("path-block(K={K})", 3)) &&
        at_most(calls("recycle(rule=token,K={K})", {1, 2}), calls("token", {1, 2})) &&
        at_most(calls("recycle(rule=block,K={K})", {1, 2}), calls("block", {1, 2})) &&
        at_most(calls("recycle(rule=path-block,K={K})", {1, 2}),
                calls("path-block(K={K})", {1, 2})),
    .places = {BatteryShape{.tokens = {2, 3, 3},
                            .gammas = 2,
                            .least_drafts = 2,
                            .drafts = 2,
                            .random = {2, 4, 12}},
               SearchSpace{.tokens = 2,
                           .gammas = {1, 2, 3},
                           .least_drafts = 2,
                           .drafts = 2,
                           .denominator = 2,
                           .states = 2}},
    .bites = {{replaced("recycle", "target-only(K=2)")}},
};

constexpr NamedForm kAtLargest{
    "sum of t - r (1 - (1 - (d - m)/(1 - beta))^K)", "speclab.recycle.kseq",
    [](const Instance& at) {
      return Rational(
          1 -
          recycled_kseq_step(at.draft(), at.target(), Rational(at.drafts), at.drafts).rejection());
    }};
constexpr NamedForm kSelected{
    "the selected draft's overlap, and the corrections among the others", "speclab.recycle.path",
    [](const Instance& at) {
      return Rational(1 - recycled_path_step(at.draft(), at.target(), at.drafts).rejection());
    }};
/// What kseq would gain at the rho that it uses, a multiple of 2^-52 above rho*.
constexpr NamedForm kAtBest{
    "the gain of kseq at rho*", "speclab.recycle.best", [](const Instance& at) {
      const Rational rho = kseq_rho(at.draft(), at.target(), at.drafts);
      return Rational(kseq_step(at.draft(), at.target(), at.drafts).rejection() -
                      recycled_kseq_step(at.draft(), at.target(), rho, at.drafts).rejection());
    }};
constexpr NamedForm kRounding{"2^-40", "speclab.recycle.rounding",
                              [](const Instance&) { return exact(0x1p-40); }};

constexpr ClaimRow kOneNode{
    .id = "speclab.recycle.acceptance",
    .source = kSource,
    .statement =
        "P(accept) grows by sum over y of P(correction y) P(y is among the drafts of a refused "
        "set): of kseq at rho = K, of path-block; 0 of kseq at rho*",
    .hypotheses = "one position",
    .check = equal(tau("recycle(rule=wrong-largest-rho,K={K})"), kAtLargest) &&
             equal(tau("recycle(rule=path-block,K={K})"), kSelected) && at_most(kAtBest, kRounding),
    .places = {kOnePosition, SearchSpace{.tokens = 3, .gammas = 1, .drafts = 2, .denominator = 4}},
    .bites = {{lowered("speclab.recycle.kseq"), raised("speclab.recycle.path"),
               raised("speclab.recycle.best"), zeroed("speclab.recycle.rounding"),
               replaced("recycle", "naive-tree(K=2)")}},
};

constexpr ClaimRow kCarry{
    .id = "speclab.recycle.greedy",
    .source = kSource,
    .statement =
        "greedy-block, entered again against the target's own law where its correction was "
        "drafted, keeps the target's law",
    .hypotheses = kAnyPair,
    .recorded = ClaimVerdict::refuted,
    .check = lossless("recycle-greedy(K={K},after=plain)"),
    .places =
        {SearchSpace{
             .tokens = 2, .gammas = 2, .least_drafts = 2, .drafts = 2, .denominator = {4, 4, 5}},
         kLossless},
    .correction = {"against the target that greedy-block modified there",
                   lossless("recycle-greedy(K=2,after=carry)", "recycle-greedy(K=3,after=carry)"),
                   {kLossless},
                   Amends::by_replacement},
    .bites = {{replaced("recycle-greedy", "recycle-greedy(K=2,after=carry)"),
               replaced("recycle-greedy", "recycle-greedy(K=2,after=plain)")}},
};

constexpr ClaimRow kClaims[] = {kKeeps,          kIsNaiveTree, kGainsNothing, kNeverBelow,
                                kBelowTraversal, kIterations,  kOneNode,      kCarry};

}  // namespace
}  // namespace recycling

Claims recycling_claims() { return recycling::kClaims; }

}  // namespace speclab
