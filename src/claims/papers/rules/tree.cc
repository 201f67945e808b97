// Rules of draft trees and of several paths: Weng et al. 2025 (Traversal Verification), Jeon et al.
// 2024 (RSD), Thomas and Pal 2026 (path selection), Khisti et al. 2025 (canonical decomposition).
#include <map>

#include "claims/engine/examination.h"
#include "claims/engine/optimum.h"
#include "claims/engine/outcomes.h"
#include "claims/papers/rules/rules.h"
#include "theory/multi_draft.h"
#include "theory/weng2025.h"

namespace speclab {
namespace rules_tree {
namespace {

constexpr BatteryShape kOneChain{.tokens = 3, .gammas = {2, 3, 3}, .random = {2, 4, 12}};
constexpr SearchSpace kBlocks{.tokens = 2, .gammas = {2, 3, 3}, .denominator = {3, 4, 6}};
constexpr SearchSpace kTwoDrafts{
    .tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 2, .denominator = {3, 4, 5}};
constexpr SearchSpace kTwoPaths{
    .tokens = 2, .gammas = 2, .least_drafts = 2, .drafts = 2, .denominator = {3, 4, 6}};
/// Merged duplicates cost most here: 4/9 < 5/9.
constexpr std::string_view kMergedCosts = "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])";
/// More paths cost most here: 9/10, 17/20, 29/40 for K = 1, 2, 3.
constexpr std::string_view kPathsCost = "iid(draft=[1/2,1/2],target=[3/5,2/5])";

constexpr ClaimRow kChain{
    .id = "weng2025.chain",
    .source = "Weng et al. 2025 (Traversal Verification), on one chain",
    .statement = "traversal verification of one chain is block verification, in all readings",
    .hypotheses = "any pair, any gamma",
    .check = same_iterations("traversal-without(K=1)", "block") &&
             same_iterations("traversal-merged(K=1)", "block") &&
             same_iterations("traversal(K=1)", "block"),
    .places = {kOneChain, kBlocks},
    .bites = {{replaced("block", "token"), replaced("traversal-without", "rrs"),
               replaced("traversal-merged", "rrs"), replaced("traversal", "rrs")}},
};

constexpr ClaimRow kTraversalLossless{
    .id = "weng2025.lossless",
    .source = "Weng et al. 2025 (Traversal Verification)",
    .statement = "the output of traversal verification has the target's law",
    .hypotheses =
        "any pair; a tree drawn without replacement, or K i.i.d. paths, merged or counted",
    .check = lossless("traversal(K=2)", "traversal-merged(K=2)", "traversal-without(tree={2-2})"),
    .places = {kLossless},
    .simulated =
        {{{.verifier = "traversal-without(tree=2-2)", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{replaced("traversal", "wrong-without-replacement"),
               replaced("traversal-merged", "wrong-without-replacement"),
               replaced("traversal-without", "wrong-dense-tree")}},
    .proofs = {{{.verifier = "traversal(K=2)"},
                {.verifier = "traversal(K=2)", .vocabulary = 3, .gamma = 1}}},
};

constexpr NamedForm kReachedWeights{
    "the mass that reaches the nodes times their weight", "speclab.traversal.tau.formula",
    [](const Instance& at) {
      Budget budget;
      return expectation(
          traversal_tail(*at.rows, start_law(*at.rows), at.drafts, at.gamma, budget));
    }};

constexpr ClaimRow kTraversalTau{
    .id = "speclab.traversal.tau",
    .source = "this project, of Traversal Verification (Weng et al. 2025) on counted i.i.d. paths",
    .statement =
        "E[tau] of traversal(K) = sum over nodes of the mass that reaches them times their weight; "
        "trial j of c drafts at weight a reaches child x with prod over i < j of (1 - a_i + s_i), "
        "d(x) and P(Bin(c - j, d(x)) = m - 1) for m drafts, at min(1, a_j t_j(x) / d(x))",
    .hypotheses = "any pair, any gamma, any K",
    .check = equal(tau("traversal(K={K})"), kReachedWeights),
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 6, 20}},
               kTwoPaths},
    .bites = {{lowered("speclab.traversal.tau.formula"), replaced("traversal", "rrs"),
               replaced("traversal", "traversal-merged(K=2)")}},
    .proofs = {{{.verifier = "traversal(K=2)",
                 .property = "predicts:speclab.traversal.tau",
                 .contexts = Contexts::tree},
                {.verifier = "traversal(K=3)", .property = "predicts:speclab.traversal.tau"}}},
};

constexpr ClaimRow kAboveRrs{
    .id = "weng2025.above-rrs",
    .source = "Weng et al. 2025 (Traversal Verification), against token-level tree verification",
    .statement = "E[tau] of traversal-without >= E[tau] of rrs-without on the same tree",
    .hypotheses = "any pair; two children at the root, one or two below",
    .check = at_least(tau("traversal-without(tree={2-1})"), tau("rrs-without(tree={2-1})")) &&
             at_least(tau("traversal-without(tree={2-2})"), tau("rrs-without(tree={2-2})")),
    .places = {kLossless, kBlocks},
    .bites = {{replaced("traversal-without", "target-only(K=2)"),
               replaced("rrs-without", "canonical(K=2)")}},
};

constexpr ClaimRow kAboveBlock{
    .id = "weng2025.above-block",
    .source = "Weng et al. 2025 (Traversal Verification), against block verification",
    .statement = "E[tau] of traversal verification of two paths >= E[tau] of block of one",
    .hypotheses = "any pair, any gamma; all readings",
    .check = at_least(tau("traversal-without(K=2)"), tau("block")) &&
             at_least(tau("traversal-merged(K=2)"), tau("block")) &&
             at_least(tau("traversal(K=2)"), tau("block")),
    .places = {kLossless, kBlocks},
    .bites = {{replaced("traversal", "path-block"), replaced("traversal-merged", "path-block"),
               replaced("traversal-without", "path-block"), replaced("block", "canonical(K=2)")}},
    .proofs = {{{.verifier = "traversal(K=2)", .property = "at-least:block", .gamma = 1}}},
};

constexpr ClaimRow kMerged{
    .id = "weng2025.merged",
    .source =
        "this project, of Traversal Verification (Weng et al. 2025) on i.i.d. paths, which may be "
        "alike",
    .statement = "merging duplicates, and reading them as drawn without replacement, costs nothing",
    .hypotheses = "K = 2",
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tau("traversal-merged(K={K})"), tau("traversal(K={K})")),
    .places = {kTwoDrafts, NamedPair{kMergedCosts, 1, 2}, NamedPair{kThreeTokens, 1, 2}},
    .correction = {"traversal, which counts each path: the merged paths accept at most as much",
                   at_least(tau("traversal(K={K})"), tau("traversal-merged(K={K})")),
                   {kTwoDrafts, kTwoPaths},
                   Amends::by_replacement},
    .bites = {{replaced("traversal-merged", "traversal"), replaced("traversal", "path-block")}},
};

constexpr ClaimRow kWithoutLossless{
    .id = "jeon2024.lossless",
    .source = "Jeon et al. 2024 (RSD); Yang et al. 2024, recursive rejection without replacement",
    .statement = "the output of rrs-without has the target's law",
    .hypotheses = "any pair; trees drawn without replacement",
    .check = lossless("rrs-without(K=2)", "rrs-without(K=3)", "rrs-without(tree={2-2})"),
    .places = {kLossless},
    .bites = {{replaced("rrs-without", "wrong-dense-tree")}},
};

/// Whether every token of the target is drafted.
bool covered(const Instance& at) {
  Rational mass(0);
  for (std::size_t x = 0; x < at.draft().size(); ++x) {
    if (at.draft()[x] > 0) mass += at.target()[x];
  }
  return mass == 1;
}

constexpr ClaimRow kCovering{
    .id = "jeon2024.covering",
    .source = "Jeon et al. 2024 (RSD), as many children as tokens",
    .statement = "where every token of supp d is a child, one of the children is accepted",
    .hypotheses = "one position, supp t within supp d",
    .check = equal(tau("rrs-without(K={V})"), 1).where(covered),
    .places = {kOnePosition, kTwoDrafts},
    .bites = {{replaced("rrs-without", "target-only(K=2)"), replaced("rrs-without", "rrs")}},
};

constexpr ClaimRow kPathLossless{
    .id = "thomas2026.lossless",
    .source = "Thomas and Pal 2026, path selection with block verification",
    .statement = "the output of path-block(K) has the target's law",
    .hypotheses = "any pair, any gamma, any K",
    .check = lossless("path-block(K=2)", "path-block(K=3)"),
    .places = {kLossless},
    .simulated = {{{.verifier = "path-block(K=2)", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{replaced("path-block", "wrong-path-order")}},
};

/// Whether path u is preferred to v: at their first difference t/d is greater, or equal and the
/// token lower.
bool preferred(const Rows<Rational>& rows, State state, const TokenPath& u, const TokenPath& v) {
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (u[i] == v[i]) {
      state = rows.next(state, u[i]);
      continue;
    }
    const auto ratio = [&](Token x) {
      const auto at = static_cast<std::size_t>(x);
      return Rational(rows.target(state)[at] / rows.draft(state)[at]);
    };
    const Rational left = ratio(u[i]);
    const Rational right = ratio(v[i]);
    return left == right ? u[i] < v[i] : left > right;
  }
  return false;
}

Comparisons selection(const Instance& instance) {
  const Rows<Rational>& rows = *instance.rows;
  Comparisons says;
  for (const Start& start : instance.pair().start()) {
    std::map<TokenPath, Rational> passed;
    Decoding decoding(verifier_text("path-block(K={K})", instance), instance,
                      {.corrections = false});
    for (const BlockOutcome& outcome : decoding.outcomes(start.state)) {
      TokenPath path;
      for (const Token x : outcome.path) {
        path.push_back(x);
        passed[path] += outcome.weight;
      }
    }
    const std::vector<PathLaws> paths = drafted_paths(instance, start.state);
    for (const PathLaws& u : paths) {
      Rational less(0);
      for (const PathLaws& v : paths) {
        if (v.tokens.size() != u.tokens.size() || v.tokens == u.tokens) continue;
        if (preferred(rows, start.state, u.tokens, v.tokens)) less += v.draft;
      }
      const Rational wanted =
          power<Rational>(less + u.draft, instance.drafts) - power<Rational>(less, instance.drafts);
      says.equal(passed[u.tokens], ingredient("thomas2026.selection.formula", wanted),
                 "P(selected passes {}) against (F + D)^K - F^K", path_text(u.tokens));
    }
  }
  return says;
}

constexpr ClaimRow kSelection{
    .id = "thomas2026.selection",
    .source = "Thomas and Pal 2026, the law of the selected path",
    .statement =
        "P(selected passes u) = (F + D(u))^K - F^K, F the mass of the prefixes less preferred",
    .hypotheses = "any pair, any gamma, any K",
    .check = selection,
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 4, 12}}},
    .bites = {{lowered("thomas2026.selection.formula"), doubled("thomas2026.selection.formula")}},
};

/// E[tau] for K = 1, 2, 3 where more paths cost most.
void note_cost(Examination& examination) {
  const Instance instance = make_instance(kPathsCost, 1);
  std::string text = "E[tau] of path-block for K = 1, 2, 3:";
  for (int k = 1; k <= 3; ++k) {
    text += " " + to_text(accepted(fmt::format("path-block(K={})", k), instance));
  }
  examination.note(instance, Method::exact, text);
}

constexpr ClaimRow kPathsGrow{
    .id = "thomas2026.growth",
    .source = "this project, of the path selection of Thomas and Pal 2026: more paths",
    .statement = "E[tau] of path-block(K) grows with K",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check = grows_in_drafts(tau("path-block(K={K})"), tau("path-block(K={K-1})")),
    .places = {kTwoDrafts, NamedPair{kPathsCost, 1, 2}, NamedPair{kPathsCost, 1, 3}},
    .extra = note_cost,
    .bites = {{replaced("path-block", "slot-block")}},
};

constexpr ClaimRow kPathsAboveBlock{
    .id = "thomas2026.above-block",
    .source =
        "this project, of the path selection of Thomas and Pal 2026: against block verification",
    .statement = "E[tau] of path-block(K) >= E[tau] of block",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tau("path-block(K={K})"), tau("block")),
    .places = {kTwoDrafts, NamedPair{kPathsCost, 1, 2}, NamedPair{kPathsCost, 1, 3}},
    .bites = {{replaced("path-block", "slot-block"), replaced("block", "sample-match")}},
};

constexpr NamedForm kBestOfAll{"alpha*(K)", "khisti2025.formula", [](const Instance& at) {
                                 return best_acceptance(at.draft(), at.target(), at.drafts);
                               }};
constexpr NamedForm kCertifiedOfAll{
    "the certified optimum over all couplings", "khisti2025.program",
    [](const Instance& at) { return certify(position_program(at, at.drafts)).bound; }};

constexpr ClaimRow kCanonicalOptimal{
    .id = "khisti2025.optimal",
    .source = "Khisti et al. 2025, canonical decomposition of multi-draft speculative sampling",
    .statement = "choosing one of K drafts, then testing it alone, can accept with alpha*(K)",
    .hypotheses = "one position, K >= 2",
    .check = equal(tau("canonical(K={K})"), kBestOfAll) &&
             equal(tau("canonical(K={K})"), kCertifiedOfAll),
    .places = {BatteryShape{.tokens = 4,
                            .gammas = 1,
                            .least_drafts = 2,
                            .drafts = 4,
                            .random = 0,
                            .contexts = false},
               SearchSpace{.tokens = 3,
                           .gammas = 1,
                           .least_drafts = 2,
                           .drafts = {3, 4, 4},
                           .denominator = {3, 4, 6}}},
    .bites = {{lowered("khisti2025.formula"), halved("khisti2025.program"),
               replaced("canonical", "rrs"), replaced("canonical", "canonical(K=2)")}},
};

constexpr ClaimRow kCanonicalLossless{
    .id = "khisti2025.lossless",
    .source = "Khisti et al. 2025, canonical decomposition of multi-draft speculative sampling",
    .statement = "the output of canonical(K) has the target's law",
    .hypotheses = "any pair, any gamma, K >= 2",
    .check = lossless("canonical(K=2)", "canonical(K=3)", "canonical(K=4)"),
    .places = {kLossless},
    .bites = {{replaced("canonical", "wrong-without-replacement")}},
};

constexpr ClaimRow kClaims[] = {
    kChain,     kTraversalLossless, kTraversalTau,     kAboveRrs,         kAboveBlock,
    kMerged,    kWithoutLossless,   kCovering,         kPathLossless,     kSelection,
    kPathsGrow, kPathsAboveBlock,   kCanonicalOptimal, kCanonicalLossless};

}  // namespace
}  // namespace rules_tree

Claims rules_tree_claims() { return rules_tree::kClaims; }

}  // namespace speclab
