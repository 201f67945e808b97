// Rules of draft trees and of several paths: Weng et al. 2025 (Traversal Verification), Jeon et al.
// 2024 (RSD), Thomas and Pal 2026 (path selection), Khisti et al. 2025 (canonical decomposition).
#include <map>

#include "claims/engine/examination.h"
#include "claims/engine/one_iteration.h"
#include "claims/engine/optimum.h"
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/rules/rules.h"
#include "theory/multi_draft.h"
#include "verifiers/several/path_block.h"

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

Comparisons on_a_chain(const Instance& instance) {
  Comparisons comparisons;
  for (const char* reading : {"traversal-without", "traversal-merged", "traversal"}) {
    for (Compared& each : same_iterations(instance, with_drafts(reading, 1), "block")) {
      comparisons.push_back(std::move(each));
    }
  }
  return comparisons;
}

constexpr ClaimRow kChain{
    .id = "weng2025.chain",
    .source = "Weng et al. 2025 (Traversal Verification), on one chain",
    .statement = "traversal verification of one chain is block verification, in all readings",
    .hypotheses = "any pair, any gamma",
    .check = on_a_chain,
    .places = {kOneChain, kBlocks},
    .bites = {{{"block", Fault::replaced, "token"},
               {"traversal-without", Fault::replaced, "rrs"},
               {"traversal-merged", Fault::replaced, "rrs"},
               {"traversal", Fault::replaced, "rrs"}}},
};

Comparisons traversal_lossless(const Instance& instance) {
  return lossless_each(instance,
                       {"traversal(K=2)", "traversal-merged(K=2)",
                        fmt::format("traversal-without({})", tree_text(instance.gamma, 2, 2))});
}

constexpr ClaimRow kTraversalLossless{
    .id = "weng2025.lossless",
    .source = "Weng et al. 2025 (Traversal Verification)",
    .statement = "the output of traversal verification has the target's law",
    .hypotheses =
        "any pair; a tree drawn without replacement, or K i.i.d. paths, merged or counted",
    .check = traversal_lossless,
    .places = {kLossless},
    .simulated =
        {{{.verifier = "traversal-without(tree=2-2)", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{{"traversal", Fault::replaced, "wrong-without-replacement"},
               {"traversal-merged", Fault::replaced, "wrong-without-replacement"},
               {"traversal-without", Fault::replaced, "wrong-dense-tree"}}},
    .proofs = {{{.verifier = "traversal(K=2)"},
                {.verifier = "traversal(K=2)", .vocabulary = 3, .gamma = 1}}},
};

Comparisons above_rrs(const Instance& instance) {
  Comparisons comparisons;
  for (const int below : {1, 2}) {
    const std::string tree = "(" + tree_text(instance.gamma, 2, below) + ")";
    comparisons.push_back(accepts_more(instance, "traversal-without" + tree, Order::at_least,
                                       "rrs-without" + tree)[0]);
  }
  return comparisons;
}

constexpr ClaimRow kAboveRrs{
    .id = "weng2025.above-rrs",
    .source = "Weng et al. 2025 (Traversal Verification), against token-level tree verification",
    .statement = "E[tau] of traversal-without >= E[tau] of rrs-without on the same tree",
    .hypotheses = "any pair; two children at the root, one or two below",
    .check = above_rrs,
    .places = {kLossless, kBlocks},
    .bites = {{{"traversal-without", Fault::replaced, "target-only(K=2)"},
               {"rrs-without", Fault::replaced, "canonical(K=2)"}}},
};

Comparisons above_block(const Instance& instance) {
  Comparisons comparisons;
  for (const char* reading : {"traversal-without", "traversal-merged", "traversal"}) {
    comparisons.push_back(
        accepts_more(instance, with_drafts(reading, 2), Order::at_least, "block")[0]);
  }
  return comparisons;
}

constexpr ClaimRow kAboveBlock{
    .id = "weng2025.above-block",
    .source = "Weng et al. 2025 (Traversal Verification), against block verification",
    .statement = "E[tau] of traversal verification of two paths >= E[tau] of block of one",
    .hypotheses = "any pair, any gamma; all readings",
    .check = above_block,
    .places = {kLossless, kBlocks},
    .bites = {{{"traversal", Fault::replaced, "path-block"},
               {"traversal-merged", Fault::replaced, "path-block"},
               {"traversal-without", Fault::replaced, "path-block"},
               {"block", Fault::replaced, "canonical(K=2)"}}},
    .proofs = {{{.verifier = "traversal(K=2)", .property = "at-least:block", .gamma = 1}}},
};

Comparisons merged(const Instance& instance) {
  return accepts_more(instance, with_drafts("traversal-merged", instance.drafts), Order::at_least,
                      with_drafts("traversal", instance.drafts));
}

Comparisons counted(const Instance& instance) {
  return accepts_more(instance, with_drafts("traversal", instance.drafts), Order::at_least,
                      with_drafts("traversal-merged", instance.drafts));
}

constexpr ClaimRow kMerged{
    .id = "weng2025.merged",
    .source = "Weng et al. 2025 (Traversal Verification), on i.i.d. paths that may be alike",
    .statement = "merging duplicates, and reading them as drawn without replacement, costs nothing",
    .hypotheses = "K = 2",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = merged,
    .places = {kTwoDrafts, NamedPair{kMergedCosts, 1, 2}, NamedPair{kThreeTokens, 1, 2}},
    .correction = {"it gains nothing: at most what the same paths give where each is counted",
                   counted,
                   {kTwoDrafts, kTwoPaths}},
    .bites = {{{"traversal-merged", Fault::replaced, "traversal"},
               {"traversal", Fault::replaced, "path-block"}}},
};

constexpr ClaimRow kWithoutLossless{
    .id = "jeon2024.lossless",
    .source = "Jeon et al. 2024 (RSD); Yang et al. 2024, recursive rejection without replacement",
    .statement = "the output of rrs-without has the target's law",
    .hypotheses = "any pair; trees drawn without replacement",
    .check =
        [](const Instance& instance) {
          const std::string wide = tree_text(instance.gamma, 2, 2);
          return lossless_each(instance, {"rrs-without(K=2)", "rrs-without(K=3)",
                                          fmt::format("rrs-without({})", wide)});
        },
    .places = {kLossless},
    .bites = {{{"rrs-without", Fault::replaced, "wrong-dense-tree"}}},
};

/// As many children as tokens.
Comparisons covering(const Instance& instance) {
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  Rational covered(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (draft[x] > 0) covered += target[x];
  }
  if (covered < 1) return {};
  const std::string name = with_drafts("rrs-without", instance.pair().vocabulary());
  return {{"P(accept) of " + name, accepted(name, instance), Order::equal, Rational(1)}};
}

constexpr ClaimRow kCovering{
    .id = "jeon2024.covering",
    .source = "Jeon et al. 2024 (RSD), as many children as tokens",
    .statement = "with every token of d drawn as a child the last refusal never comes",
    .hypotheses = "one position, supp t within supp d",
    .check = covering,
    .places = {kOnePosition, kTwoDrafts},
    .bites = {{{"rrs-without", Fault::replaced, "target-only(K=2)"},
               {"rrs-without", Fault::replaced, "rrs"}}},
};

Comparisons path_lossless(const Instance& instance) {
  return lossless_each(instance, {"path-block(K=2)", "path-block(K=3)"});
}

constexpr ClaimRow kPathLossless{
    .id = "thomas2026.lossless",
    .source = "Thomas and Pal 2026, path selection with block verification",
    .statement = "the output of path-block(K) has the target's law",
    .hypotheses = "any pair, any gamma, any K",
    .check = path_lossless,
    .places = {kLossless},
    .simulated = {{{.verifier = "path-block(K=2)", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{{"path-block", Fault::replaced, "wrong-path-order"}}},
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
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    std::map<TokenPath, Rational> passed;
    each_iteration(PathBlock{instance.drafts}, instance, start.state, false,
                   [&](const auto& out, const Rational& weight) {
                     TokenPath path;
                     for (const auto& step : out.path) {
                       path.push_back(step.token);
                       passed[path] += weight;
                     }
                   });
    std::vector<PathLaws> paths = paths_from(rows, start.state, instance.gamma);
    std::erase_if(paths, [](const PathLaws& each) { return each.draft == 0; });
    for (const PathLaws& u : paths) {
      if (u.tokens.empty()) continue;
      Rational less(0);
      for (const PathLaws& v : paths) {
        if (v.tokens.size() != u.tokens.size() || v.tokens == u.tokens) continue;
        if (preferred(rows, start.state, u.tokens, v.tokens)) less += v.draft;
      }
      const Rational wanted =
          power<Rational>(less + u.draft, instance.drafts) - power<Rational>(less, instance.drafts);
      comparisons.push_back(
          {fmt::format("P(selected passes {}) against (F + D)^K - F^K", path_text(u.tokens)),
           passed[u.tokens], Order::equal, ingredient("thomas2026.selection.formula", wanted)});
    }
  }
  return comparisons;
}

constexpr ClaimRow kSelection{
    .id = "thomas2026.selection",
    .source = "Thomas and Pal 2026, the law of the selected path",
    .statement =
        "P(selected passes u) = (F + D(u))^K - F^K, F the mass of the prefixes less "
        "preferred",
    .hypotheses = "any pair, any gamma, any K",
    .check = selection,
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 4, 12}}},
    .bites = {{{"thomas2026.selection.formula", Fault::lowered},
               {"thomas2026.selection.formula", Fault::doubled}}},
};

Comparisons grows(const Instance& instance) {
  return accepts_more(instance, with_drafts("path-block", instance.drafts), Order::at_least,
                      with_drafts("path-block", instance.drafts - 1));
}

/// E[tau] for K = 1, 2, 3 where more paths cost most.
void note_cost(Examination& examination) {
  const Instance instance = make_instance(kPathsCost, 1);
  std::string text = "E[tau] of path-block for K = 1, 2, 3:";
  for (int k = 1; k <= 3; ++k) {
    text += " " + to_text(mean_accepted("path-block", instance, k));
  }
  examination.note(instance, Method::exact, text);
}

constexpr ClaimRow kPathsGrow{
    .id = "thomas2026.growth",
    .source = "Thomas and Pal 2026, path selection: more paths",
    .statement = "E[tau] of path-block(K) grows with K",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check = grows,
    .places = {kTwoDrafts, NamedPair{kPathsCost, 1, 2}, NamedPair{kPathsCost, 1, 3}},
    .extra = note_cost,
    .bites = {{{"path-block", Fault::replaced, "slot-block"}}},
};

constexpr ClaimRow kPathsAboveBlock{
    .id = "thomas2026.above-block",
    .source = "Thomas and Pal 2026, path selection against block verification",
    .statement = "E[tau] of path-block(K) >= E[tau] of block",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check =
        [](const Instance& instance) {
          return accepts_more(instance, with_drafts("path-block", instance.drafts), Order::at_least,
                              "block");
        },
    .places = {kTwoDrafts, NamedPair{kPathsCost, 1, 2}, NamedPair{kPathsCost, 1, 3}},
    .bites = {{{"path-block", Fault::replaced, "slot-block"},
               {"block", Fault::replaced, "sample-match"}}},
};

/// The formula and the linear program over all couplings of two drafts and the target's token.
Comparisons canonical_optimum(const Instance& instance) {
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  const Rational found = accepted("canonical(K=2)", instance);
  return {{"P(accept) of canonical(K=2) against alpha*(2)", found, Order::equal,
           ingredient("khisti2025.formula", best_acceptance(draft, target, 2))},
          {"P(accept) of canonical(K=2) against the certified optimum over all couplings", found,
           Order::equal,
           ingredient("khisti2025.program", certify(position_program(draft, target, 2)).bound)}};
}

constexpr ClaimRow kCanonicalOptimal{
    .id = "khisti2025.optimal",
    .source = "Khisti et al. 2025, canonical decomposition of multi-draft speculative sampling",
    .statement = "choosing one of two drafts, then testing it alone, can accept with alpha*(2)",
    .hypotheses = "one position",
    .check = canonical_optimum,
    .places = {BatteryShape{.tokens = 4, .gammas = 1, .random = 0, .contexts = false},
               SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 6}}},
    .bites = {{{"khisti2025.formula", Fault::lowered},
               {"khisti2025.program", Fault::halved},
               {"canonical", Fault::replaced, "rrs"}}},
};

constexpr ClaimRow kCanonicalLossless{
    .id = "khisti2025.lossless",
    .source = "Khisti et al. 2025, canonical decomposition of multi-draft speculative sampling",
    .statement = "the output of canonical(K=2) has the target's law",
    .hypotheses = "any pair, any gamma",
    .check = [](const Instance& instance) { return lossless_each(instance, {"canonical(K=2)"}); },
    .places = {kLossless},
    .bites = {{{"canonical", Fault::replaced, "wrong-without-replacement"}}},
};

constexpr ClaimRow kClaims[] = {
    kChain,           kTraversalLossless, kAboveRrs,         kAboveBlock, kMerged,
    kWithoutLossless, kCovering,          kPathLossless,     kSelection,  kPathsGrow,
    kPathsAboveBlock, kCanonicalOptimal,  kCanonicalLossless};

}  // namespace
}  // namespace rules_tree

Claims rules_tree_claims() { return rules_tree::kClaims; }

}  // namespace speclab
