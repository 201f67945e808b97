// Rules that emit the target's own draws, whatever the draft is: naive sampling on chains and trees
// (Miao et al. 2023, SpecInfer), one-hot drafts (Li et al. 2024, EAGLE-2), thresholds of engines,
// shared clocks (Daliri et al. 2024).
#include <algorithm>

#include "claims/engine/optimum.h"
#include "claims/papers/rules/rules.h"
#include "theory/daliri2024.h"
#include "theory/engines.h"
#include "theory/miao2023.h"

namespace speclab {
namespace rules_match {
namespace {

constexpr SearchSpace kPairs{.tokens = 3, .gammas = 1, .drafts = 2, .denominator = {3, 4, 5}};
constexpr std::string_view kAnyPair = "any pair, any gamma";

constexpr ClaimRow kMatchLossless{
    .id = "miao2023.sample-match.lossless",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling on one chain",
    .statement = "accepting a draft iff the target's own draw equals it keeps the target's law",
    .hypotheses = "any pair, any gamma; the draft sampled or the likeliest token",
    .check = lossless("sample-match", "sample-match(draft=argmax)"),
    .places = {kLossless},
    .simulated = {{{.verifier = "sample-match", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{replaced("sample-match", "wrong-late-stop(theta=1/2)"),
               replaced("sample-match", "top-within(n=2,delta=1/5)")}},
    .proofs = {{{.verifier = "sample-match"}}},
};

constexpr NamedForm kMatches{
    "sum t d", "miao2023.sample-match.formula", [](const Instance& at) {
      return Rational(1 - sample_match_step(at.draft(), at.target()).rejection());
    }};
constexpr NamedForm kArgmaxMatches{
    "t(argmax d)", "miao2023.argmax-match.formula", [](const Instance& at) {
      return Rational(1 - argmax_match_step(at.draft(), at.target()).rejection());
    }};

constexpr ClaimRow kMatchAcceptance{
    .id = "miao2023.sample-match.acceptance",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling on one chain",
    .statement = "P(accept) = sum t d of a sampled draft, t(argmax d) of the likeliest token",
    .hypotheses = "one position",
    .check = equal(tau("sample-match"), kMatches) &&
             equal(tau("sample-match(draft=argmax)"), kArgmaxMatches),
    .places = {kOnePosition, kPairs},
    .bites = {{constant("miao2023.sample-match.formula"), halved("miao2023.argmax-match.formula"),
               replaced("sample-match", "relaxed(pi=ensemble,weight=1/2)")}},
    .proofs = {{{.verifier = "sample-match", .property = "predicts:miao2023.sample_match"}}},
};

constexpr ClaimRow kTargetOnlyLossless{
    .id = "miao2023.target-only.lossless",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling",
    .statement = "the output of target-only has the target's law on every draft tree",
    .hypotheses = "any pair; i.i.d. chains, trees drawn with, without replacement, or fixed",
    .check = lossless("target-only(K=2)", "target-only(tree={2-1},draw=with)",
                      "target-only(tree={2-1},draw=without)", "target-only(tree={2-1},draw=top)"),
    .places = {kLossless},
    .bites = {{replaced("target-only", "sglang(K=2,single=1/2,acc=4/5)")}},
    .proofs = {{{.verifier = "target-only(K=2)"},
                {.verifier = "target-only(K=2)", .vocabulary = 3, .gamma = 1}}},
};

constexpr NamedForm kHits{
    "sum of T (1 - (1 - D)^K)", "miao2023.target-only.formula",
    [](const Instance& at) { return tail_on(at, target_only_tail<Rational>, at.drafts); }};

constexpr ClaimRow kTargetOnlyValue{
    .id = "miao2023.target-only.value",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling of K i.i.d. drafts",
    .statement = "E[tau] of target-only(K) = sum over paths v of T(v) (1 - (1 - D(v))^K)",
    .hypotheses = "any pair, any gamma, any K",
    .check = equal(tau("target-only(K={K})"), kHits),
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 4, 12}}},
    .bites = {{raised("miao2023.target-only.formula"), replaced("target-only", "rrs")}},
    .proofs = {{{.verifier = "target-only(K=2)", .property = "predicts:miao2023.target_only"}}},
};

/// Every coupling of a fixed tree (two likeliest children at the root, `below` at every other
/// vertex) with an output Y ~ T^gamma, worth the length of the part of Y that lies in the tree:
/// what is accepted is emitted, so no rule that keeps the law is worth more.
LinearProgram fixed_tree_program(const Instance& instance, State start, std::size_t below) {
  const Rows<Rational>& rows = *instance.rows;
  LinearProgram program;
  program.law_rows = 1;
  program.totals.emplace_back(1);
  for (const PathLaws& path : whole_paths(rows, start, instance.gamma)) {
    if (path.target == 0) continue;
    State state = start;
    int depth = 0;
    for (const Token y : path.tokens) {
      const auto children = likeliest_drafts(rows.draft(state), depth == 0 ? 2 : below);
      const auto token = static_cast<std::size_t>(y);
      if (std::find(children.begin(), children.end(), token) == children.end()) break;
      state = rows.next(state, y);
      ++depth;
    }
    program.columns.push_back(
        {Rational(depth), {{0, Rational(1)}, {program.totals.size(), Rational(1)}}});
    program.totals.push_back(path.target);
  }
  return program;
}

template <std::size_t below>
constexpr NamedForm kFixedTree{"the certified optimum of its tree", "miao2023.target-only.program",
                               [](const Instance& at) {
                                 return average(start_law(*at.rows), [&](State start) {
                                   return certify(fixed_tree_program(at, start, below)).bound;
                                 });
                               }};

constexpr ClaimRow kTargetOnlyOptimal{
    .id = "miao2023.target-only.optimal",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling on a fixed tree",
    .statement = "on a fixed tree no rule that keeps the law has a larger E[tau] than target-only",
    .hypotheses = "any pair; two likeliest tokens at the root, one or two below",
    .check = equal(tau("target-only(tree={2-1},draw=top)"), kFixedTree<1>) &&
             equal(tau("target-only(tree={2-2},draw=top)"), kFixedTree<2>),
    .places = {kLossless, kPairs},
    .bites = {{raised("miao2023.target-only.program"), halved("miao2023.target-only.program"),
               replaced("target-only", "wrong-dense-tree(K=2)")}},
};

constexpr NamedForm kNaive{"sum min(t, d) + sum [t - d]+ (1 - (1 - d)^(K-1))",
                           "miao2023.naive-tree.formula", [](const Instance& at) {
                             Rational sum(0);
                             for (std::size_t x = 0; x < at.draft().size(); ++x) {
                               const Rational& draft = at.draft()[x];
                               const Rational& target = at.target()[x];
                               const Rational missed = power<Rational>(1 - draft, at.drafts - 1);
                               sum += lesser(target, draft) +
                                      positive_part<Rational>(target - draft) * (1 - missed);
                             }
                             return sum;
                           }};

constexpr ClaimRow kNaiveTree{
    .id = "miao2023.naive-tree",
    .source = "token verification of the first child, walked on where its correction is a child",
    .statement =
        "naive-tree(K) accepts sum min(t, d) + sum [t - d]+ (1 - (1 - d)^(K-1)), and at least what "
        "target-only(K) does",
    .hypotheses = "one position",
    .check = equal(tau("naive-tree(K={K})"), kNaive) &&
             at_least(tau("naive-tree(K={K})"), tau("target-only(K={K})")),
    .places = {kOnePosition, kPairs},
    .bites = {{lowered("miao2023.naive-tree.formula"), replaced("naive-tree", "target-only")}},
};

constexpr ClaimRow kNaiveTreeLossless{
    .id = "miao2023.naive-tree.lossless",
    .source = "token verification of the first child, walked on where its correction is a child",
    .statement = "the output of naive-tree(K) has the target's law",
    .hypotheses = "any pair, any gamma, any K",
    .check = lossless("naive-tree(K=2)", "naive-tree(K=3)"),
    .places = {kLossless},
    .bites = {{replaced("naive-tree", "wrong-without-replacement")}},
    .proofs = {{{.verifier = "naive-tree(K=2)"},
                {.verifier = "naive-tree(K=2)", .vocabulary = 3, .gamma = 1}}},
};

constexpr ClaimRow kOneHotLossless{
    .id = "li2024.one-hot.lossless",
    .source = "Li et al. 2024 (EAGLE-2), eagle/model/utils.py@cb7e084",
    .statement =
        "testing children against t and excluding the rejected ones keeps the law on every tree",
    .hypotheses = "any pair; i.i.d. chains, trees drawn with, without replacement, or fixed",
    .check = lossless("one-hot(K=2)", "one-hot(tree={2-1},draw=with)",
                      "one-hot(tree={2-1},draw=without)", "one-hot(tree={2-1},draw=top)"),
    .places = {kLossless},
    .bites = {{replaced("one-hot", "sglang(K=2,single=1/2,acc=4/5)")}},
    .proofs = {{{.verifier = "one-hot(K=2)"}}},
};

constexpr ClaimRow kOneHotLaw{
    .id = "li2024.one-hot.law",
    .source = "Li et al. 2024 (EAGLE-2), eagle/model/utils.py@cb7e084",
    .statement = "one-hot accepts exactly what target-only accepts on the same tree",
    .hypotheses = "any pair; trees drawn without replacement, or fixed",
    .check = same_iterations("one-hot(tree={2-2},draw=without)",
                             "target-only(tree={2-2},draw=without)") &&
             same_iterations("one-hot(tree={2-2},draw=top)", "target-only(tree={2-2},draw=top)"),
    .places = {kLossless},
    .bites = {{replaced("one-hot", "wrong-dense-tree(K=2)"),
               replaced("target-only", "rrs-without(K=2)")}},
    .proofs = {{{.verifier = "one-hot(K=2)", .property = "equals:target-only(K=2)"}}},
};

constexpr ClaimRow kThresholds{
    .id = "engines.sglang",
    .source = "thresholds of target-only verification",
    .statement = "with threshold_acc or threshold_single below 1 the output has the target's law",
    .hypotheses = "two i.i.d. drafts",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("sglang(K=2,single=1,acc=4/5)", kToGamma) &&
             lossless("sglang(K=2,single=1/2,acc=1)", kToGamma),
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}},
               NamedPair{kThreeTokens}},
    .correction = {"target-only, which is the rule with both thresholds at 1",
                   lossless("sglang(K=2,single=1,acc=1)") &&
                       same_iterations("sglang(tree={2-1},draw=top)",
                                       "target-only(tree={2-1},draw=top)"),
                   {kLossless},
                   Amends::by_replacement},
    .bites = {{replaced("sglang", "target-only(K=2)"),
               replaced("sglang", "sglang(K=2,single=1/2,acc=4/5)")}},
};

constexpr ClaimRow kGumbelLossless{
    .id = "daliri2024.lossless",
    .source = "Daliri, Musco, Suresh 2024, Gumbel sampling",
    .statement = "the output of drafting and decoding over one set of clocks has the target's law",
    .hypotheses = kAnyPair,
    .check = lossless("gumbel"),
    .places = {kLossless},
    .simulated = {{{.verifier = "gumbel", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{replaced("gumbel", "wrong-shared-uniform")}},
};

constexpr NamedForm kClocks{"sum of 1 / sum max(d/d_i, t/t_i)", "daliri2024.matching.formula",
                            [](const Instance& at) {
                              Rational match(0);
                              for (std::size_t i = 0; i < at.draft().size(); ++i) {
                                match += gumbel_match(at.draft(), at.target(), i);
                              }
                              return match;
                            }};
/// As good as a coupling can be without a word between the two models.
constexpr NamedForm kWithoutWords{"(1 - TV) / (1 + TV)", "daliri2024.matching.bound",
                                  [](const Instance& at) {
                                    const Rational tv = kLine.number(at);
                                    return Rational((1 - tv) / (1 + tv));
                                  }};
constexpr NamedForm kMaximal{"the maximal coupling's 1 - TV", "daliri2024.matching.maximal",
                             [](const Instance& at) { return Rational(1 - kLine.number(at)); }};

constexpr ClaimRow kGumbelMatch{
    .id = "daliri2024.matching",
    .source = "Daliri, Musco, Suresh 2024, Gumbel sampling",
    .statement =
        "P(X = Y) = sum_i 1 / sum_v max(d_v/d_i, t_v/t_i), between (1 - TV)/(1 + TV) and 1 - TV",
    .hypotheses = "one position",
    .check = equal(tau("gumbel"), kClocks) && at_least(tau("gumbel"), kWithoutWords) &&
             at_most(tau("gumbel"), kMaximal),
    .places = {kOnePosition, kPairs},
    .bites = {{lowered("daliri2024.matching.formula"), raised("daliri2024.matching.bound"),
               replaced("gumbel", "sample-match")}},
};

constexpr ClaimRow kClaims[] = {kMatchLossless,     kMatchAcceptance,   kTargetOnlyLossless,
                                kTargetOnlyValue,   kTargetOnlyOptimal, kNaiveTree,
                                kNaiveTreeLossless, kOneHotLossless,    kOneHotLaw,
                                kThresholds,        kGumbelLossless,    kGumbelMatch};

}  // namespace
}  // namespace rules_match

Claims rules_match_claims() { return rules_match::kClaims; }

}  // namespace speclab
