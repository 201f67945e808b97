// Rules that emit the target's own draws, whatever the draft is: naive sampling on chains and trees
// (Miao et al. 2023, SpecInfer), one-hot drafts (Li et al. 2024, EAGLE-2), thresholds of engines,
// shared clocks (Daliri et al. 2024).
#include "claims/engine/optimum.h"
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/rules/rules.h"
#include "theory/daliri2024.h"
#include "theory/miao2023.h"

namespace speclab {
namespace rules_match {
namespace {

constexpr SearchSpace kPairs{.tokens = 3, .gammas = 1, .drafts = 2, .denominator = {3, 4, 5}};
constexpr std::string_view kAnyPair = "any pair, any gamma";

Comparisons match_lossless(const Instance& instance) {
  return lossless_each(instance, {"sample-match", "sample-match(draft=argmax)"});
}

constexpr ClaimRow kMatchLossless{
    .id = "miao2023.sample-match.lossless",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling on one chain",
    .statement = "accepting a draft iff the target's own draw equals it keeps the target's law",
    .hypotheses = "any pair, any gamma; the draft sampled or the likeliest token",
    .check = match_lossless,
    .places = {kLossless},
    .simulated = {{{.verifier = "sample-match", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{{"sample-match", Fault::replaced, "wrong-late-stop(theta=1/2)"},
               {"sample-match", Fault::replaced, "top-within(n=2,delta=1/5)"}}},
    .proofs = {{{.verifier = "sample-match"}}},
};

Comparisons match_acceptance(const Instance& instance) {
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  return {{"P(accept) of sample-match against sum t d", accepted("sample-match", instance),
           Order::equal,
           ingredient("miao2023.sample-match.formula",
                      Rational(1 - sample_match_step(draft, target).rejection()))},
          {"P(accept) of sample-match(draft=argmax) against t(argmax d)",
           accepted("sample-match(draft=argmax)", instance), Order::equal,
           ingredient("miao2023.argmax-match.formula",
                      Rational(1 - argmax_match_step(draft, target).rejection()))}};
}

constexpr ClaimRow kMatchAcceptance{
    .id = "miao2023.sample-match.acceptance",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling on one chain",
    .statement = "P(accept) = sum t d of a sampled draft, t(argmax d) of the likeliest token",
    .hypotheses = "one position",
    .check = match_acceptance,
    .places = {kOnePosition, kPairs},
    .bites = {{{"miao2023.sample-match.formula", Fault::constant},
               {"miao2023.argmax-match.formula", Fault::halved},
               {"sample-match", Fault::replaced, "relaxed(pi=ensemble,weight=1/2)"}}},
    .proofs = {{{.verifier = "sample-match", .property = "predicts:miao2023.sample_match"}}},
};

Comparisons tree_lossless(const Instance& instance, std::string_view name) {
  std::vector<std::string> verifiers{with_drafts(name, 2)};
  for (const char* draw : {"with", "without", "top"}) {
    verifiers.push_back(on_tree(name, instance, draw, 1));
  }
  return lossless_each(instance, verifiers);
}

constexpr ClaimRow kTargetOnlyLossless{
    .id = "miao2023.target-only.lossless",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling",
    .statement = "the output of target-only has the target's law on every draft tree",
    .hypotheses = "any pair; i.i.d. chains, trees drawn with, without replacement, or fixed",
    .check = [](const Instance& instance) { return tree_lossless(instance, "target-only"); },
    .places = {kLossless},
    .bites = {{{"target-only", Fault::replaced, "sglang(K=2,single=1/2,acc=4/5)"}}},
    .proofs = {{{.verifier = "target-only(K=2)"},
                {.verifier = "target-only(K=2)", .vocabulary = 3, .gamma = 1}}},
};

Comparisons target_only_tails(const Instance& instance) {
  Budget budget;
  const auto tail = ingredient("miao2023.target-only.formula",
                               target_only_tail(*instance.rows, start_law(*instance.rows),
                                                instance.drafts, instance.gamma, budget));
  Rational sum(0);
  for (std::size_t i = 1; i < tail.size(); ++i) sum += tail[i];
  const std::string name = with_drafts("target-only", instance.drafts);
  return {{"E[tau] of " + name + " against sum of T (1 - (1 - D)^K)", accepted(name, instance),
           Order::equal, sum}};
}

constexpr ClaimRow kTargetOnlyValue{
    .id = "miao2023.target-only.value",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling of K i.i.d. drafts",
    .statement = "E[tau] of target-only(K) = sum over paths v of T(v) (1 - (1 - D(v))^K)",
    .hypotheses = "any pair, any gamma, any K",
    .check = target_only_tails,
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 4, 12}}},
    .bites = {{{"miao2023.target-only.formula", Fault::raised},
               {"target-only", Fault::replaced, "rrs"}}},
    .proofs = {{{.verifier = "target-only(K=2)", .property = "predicts:miao2023.target_only"}}},
};

/// The likeliest `count` tokens of the draft, of equal ones the lower: the children of a fixed
/// tree.
std::vector<Token> likeliest(std::span<const Rational> draft, int count) {
  std::vector<Token> order;
  for (Token x = 0; x < static_cast<Token>(draft.size()); ++x) {
    if (draft[static_cast<std::size_t>(x)] > 0) order.push_back(x);
  }
  std::stable_sort(order.begin(), order.end(), [&](Token a, Token b) {
    return draft[static_cast<std::size_t>(b)] < draft[static_cast<std::size_t>(a)];
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  return order;
}

/// Every coupling of a fixed tree (two children at the root, `below` at every other vertex) with an
/// output Y ~ T^gamma, worth the length of the part of Y that lies in the tree: what is accepted is
/// emitted, so no rule that keeps the law is worth more.
LinearProgram fixed_tree_program(const Instance& instance, State start, int below) {
  const Rows<Rational>& rows = *instance.rows;
  LinearProgram program;
  program.law_rows = 1;
  program.totals.push_back(Rational(1));
  for (const PathLaws& path : paths_from(rows, start, instance.gamma)) {
    if (path.tokens.size() != static_cast<std::size_t>(instance.gamma) || path.target == 0)
      continue;
    State state = start;
    int depth = 0;
    for (const Token y : path.tokens) {
      const auto children = likeliest(rows.draft(state), depth == 0 ? 2 : below);
      if (std::find(children.begin(), children.end(), y) == children.end()) break;
      state = rows.next(state, y);
      ++depth;
    }
    program.columns.push_back(
        {Rational(depth), {{0, Rational(1)}, {program.totals.size(), Rational(1)}}});
    program.totals.push_back(path.target);
  }
  return program;
}

Comparisons fixed_optimum(const Instance& instance) {
  Comparisons comparisons;
  for (const int below : {1, 2}) {
    Rational best(0);
    for (const Start& start : instance.pair().start()) {
      best += start.probability * certify(fixed_tree_program(instance, start.state, below)).bound;
    }
    const std::string name = on_tree("target-only", instance, "top", below);
    comparisons.push_back({"E[tau] of " + name + " against the certified optimum of its tree",
                           accepted(name, instance), Order::equal,
                           ingredient("miao2023.target-only.program", best)});
  }
  return comparisons;
}

constexpr ClaimRow kTargetOnlyOptimal{
    .id = "miao2023.target-only.optimal",
    .source = "Miao et al. 2023 (SpecInfer), naive sampling on a fixed tree",
    .statement = "on a fixed tree no rule that keeps the law has a larger E[tau] than target-only",
    .hypotheses = "any pair; two likeliest tokens at the root, one or two below",
    .check = fixed_optimum,
    .places = {kLossless, kPairs},
    .bites = {{{"miao2023.target-only.program", Fault::raised},
               {"miao2023.target-only.program", Fault::halved},
               {"target-only", Fault::replaced, "wrong-dense-tree(K=2)"}}},
};

Comparisons naive_tree(const Instance& instance) {
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  Rational sum(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const Rational missed = power<Rational>(1 - draft[x], instance.drafts - 1);
    sum += lesser<Rational>(target[x], draft[x]) +
           positive_part<Rational>(target[x] - draft[x]) * (1 - missed);
  }
  const std::string name = with_drafts("naive-tree", instance.drafts);
  return {{"P(accept) of " + name + " against sum min(t, d) + sum [t - d]+ (1 - (1 - d)^(K-1))",
           accepted(name, instance), Order::equal, ingredient("miao2023.naive-tree.formula", sum)},
          accepts_more(instance, name, Order::at_least,
                       with_drafts("target-only", instance.drafts))[0]};
}

constexpr ClaimRow kNaiveTree{
    .id = "miao2023.naive-tree",
    .source = "token verification of the first child, walked on where its correction is a child",
    .statement =
        "naive-tree(K) accepts sum min(t, d) + sum [t - d]+ (1 - (1 - d)^(K-1)), and at "
        "least what target-only(K) does",
    .hypotheses = "one position",
    .check = naive_tree,
    .places = {kOnePosition, kPairs},
    .bites = {{{"miao2023.naive-tree.formula", Fault::lowered},
               {"naive-tree", Fault::replaced, "target-only"}}},
};

constexpr ClaimRow kNaiveTreeLossless{
    .id = "miao2023.naive-tree.lossless",
    .source = "token verification of the first child, walked on where its correction is a child",
    .statement = "the output of naive-tree(K) has the target's law",
    .hypotheses = "any pair, any gamma, any K",
    .check =
        [](const Instance& instance) {
          return lossless_each(instance, {"naive-tree(K=2)", "naive-tree(K=3)"});
        },
    .places = {kLossless},
    .bites = {{{"naive-tree", Fault::replaced, "wrong-without-replacement"}}},
    .proofs = {{{.verifier = "naive-tree(K=2)"},
                {.verifier = "naive-tree(K=2)", .vocabulary = 3, .gamma = 1}}},
};

constexpr ClaimRow kOneHotLossless{
    .id = "li2024.one-hot.lossless",
    .source = "Li et al. 2024 (EAGLE-2), released code",
    .statement =
        "trying children against t and striking out the refused keeps the law on every "
        "tree",
    .hypotheses = "any pair; i.i.d. chains, trees drawn with, without replacement, or fixed",
    .check = [](const Instance& instance) { return tree_lossless(instance, "one-hot"); },
    .places = {kLossless},
    .bites = {{{"one-hot", Fault::replaced, "sglang(K=2,single=1/2,acc=4/5)"}}},
    .proofs = {{{.verifier = "one-hot(K=2)"}}},
};

Comparisons one_hot_law(const Instance& instance) {
  Comparisons comparisons;
  for (const char* draw : {"without", "top"}) {
    for (Compared& each : same_iterations(instance, on_tree("one-hot", instance, draw, 2),
                                          on_tree("target-only", instance, draw, 2))) {
      comparisons.push_back(std::move(each));
    }
  }
  return comparisons;
}

constexpr ClaimRow kOneHotLaw{
    .id = "li2024.one-hot.law",
    .source = "Li et al. 2024 (EAGLE-2), released code",
    .statement = "one-hot accepts exactly what target-only accepts on the same tree",
    .hypotheses = "any pair; trees drawn without replacement, or fixed",
    .check = one_hot_law,
    .places = {kLossless},
    .bites = {{{"one-hot", Fault::replaced, "wrong-dense-tree(K=2)"},
               {"target-only", Fault::replaced, "rrs-without(K=2)"}}},
    .proofs = {{{.verifier = "one-hot(K=2)", .property = "equals:target-only(K=2)"}}},
};

Comparisons thresholds(const Instance& instance) {
  return lossless_each(instance, {"sglang(K=2,single=1,acc=4/5)", "sglang(K=2,single=1/2,acc=1)"},
                       0);
}

/// Both thresholds at 1.
Comparisons without_thresholds(const Instance& instance) {
  Comparisons comparisons = lossless_each(instance, {"sglang(K=2,single=1,acc=1)"});
  for (Compared& each : same_iterations(instance, on_tree("sglang", instance, "top"),
                                        on_tree("target-only", instance, "top"))) {
    comparisons.push_back(std::move(each));
  }
  return comparisons;
}

constexpr ClaimRow kThresholds{
    .id = "engines.sglang",
    .source = "thresholds of target-only verification",
    .statement = "with threshold_acc or threshold_single below 1 the output has the target's law",
    .hypotheses = "two i.i.d. drafts",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = thresholds,
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}},
               NamedPair{kThreeTokens}},
    .correction = {"with both at 1, where it is target-only", without_thresholds, {kLossless}},
    .bites = {{{"sglang", Fault::replaced, "target-only(K=2)"},
               {"sglang", Fault::replaced, "sglang(K=2,single=1/2,acc=4/5)"}}},
};

constexpr ClaimRow kGumbelLossless{
    .id = "daliri2024.lossless",
    .source = "Daliri, Musco, Suresh 2024, Gumbel sampling",
    .statement = "the output of drafting and decoding over one set of clocks has the target's law",
    .hypotheses = kAnyPair,
    .check = [](const Instance& instance) { return lossless_each(instance, {"gumbel"}); },
    .places = {kLossless},
    .simulated = {{{.verifier = "gumbel", .at = {kThreeTokens, 2}, .horizon = 3}}},
    .bites = {{{"gumbel", Fault::replaced, "wrong-shared-uniform"}}},
};

/// The sum over i of P(X = Y = i), and the bound that makes it as good as a coupling can be without
/// a word between the two models.
Comparisons gumbel_match_rate(const Instance& instance) {
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  Rational match(0);
  for (std::size_t i = 0; i < draft.size(); ++i) match += gumbel_match(draft, target, i);
  const Rational found = accepted("gumbel", instance);
  const Rational tv = total_variation(draft, target);
  return {{"P(X = Y) of gumbel against sum of 1 / sum max(d/d_i, t/t_i)", found, Order::equal,
           ingredient("daliri2024.matching.formula", match)},
          {"P(X = Y) of gumbel against (1 - TV) / (1 + TV)", found, Order::at_least,
           ingredient("daliri2024.matching.bound", Rational((1 - tv) / (1 + tv)))},
          {"P(X = Y) of gumbel against the maximal coupling's 1 - TV", found, Order::at_most,
           Rational(1 - tv)}};
}

constexpr ClaimRow kGumbelMatch{
    .id = "daliri2024.matching",
    .source = "Daliri, Musco, Suresh 2024, Gumbel sampling",
    .statement =
        "P(X = Y) = sum_i 1 / sum_v max(d_v/d_i, t_v/t_i), between (1 - TV)/(1 + TV) and "
        "1 - TV",
    .hypotheses = "one position",
    .check = gumbel_match_rate,
    .places = {kOnePosition, kPairs},
    .bites = {{{"daliri2024.matching.formula", Fault::lowered},
               {"daliri2024.matching.bound", Fault::raised},
               {"gumbel", Fault::replaced, "sample-match"}}},
};

constexpr ClaimRow kClaims[] = {kMatchLossless,     kMatchAcceptance,   kTargetOnlyLossless,
                                kTargetOnlyValue,   kTargetOnlyOptimal, kNaiveTree,
                                kNaiveTreeLossless, kOneHotLossless,    kOneHotLaw,
                                kThresholds,        kGumbelLossless,    kGumbelMatch};

}  // namespace
}  // namespace rules_match

Claims rules_match_claims() { return rules_match::kClaims; }

}  // namespace speclab
