// Trees of N drafts as engines grow them: which ones are best, and how throughput changes with N.
#include <algorithm>

#include "answer/shapes.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace trees {
namespace {

/// E[tau] of a rule on a tree of K nodes, at most gamma deep, against the best shape's.
Comparisons compare_with_best(const Instance& at) {
  Instance shallow = at;
  shallow.gamma = std::min(at.gamma, at.drafts);
  const BestShape best =
      best_shape(*at.bench, at.pair_pointer(), "rrs-without", at.gamma, at.drafts);
  Comparisons says;
  says.at_least(ingredient("speclab.trees.grown",
                           accepted(fmt::format("rrs-without(grow=sequoia,nodes={},depth={})",
                                                at.drafts, shallow.gamma),
                                    shallow)),
                ingredient("speclab.trees.best", best.trees.front().accepted),
                "N={}: E[tau] of Sequoia's tree against {}", at.drafts,
                best.trees.front().verifier);
  return says;
}

constexpr std::string_view kSequoiaSource = "Chen et al. 2024 (Sequoia), the dynamic program";
constexpr std::string_view kSequoiaStatement =
    "of all shapes of at most N nodes, none deeper than gamma, Sequoia's lets recursive rejection "
    "sampling without replacement accept the most";

constexpr ClaimRow kSequoia{
    .id = "speclab.trees.sequoia",
    .source = kSequoiaSource,
    .statement = kSequoiaStatement,
    .hypotheses = "the acceptance of a child depends on its rank alone: memoryless pairs",
    .check = compare_with_best,
    .places = {SearchSpace{.tokens = 3,
                           .gammas = {2, 3, 3},
                           .least_drafts = 2,
                           .drafts = {3, 4, 5},
                           .denominator = {2, 3, 4},
                           .memoryless = true},
               NamedPair{"iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])", 3, 5}},
    .bites = {{raised("speclab.trees.best"), replaced("rrs-without", "target-only")}},
};

constexpr ClaimRow kSequoiaInContext{
    .id = "speclab.trees.sequoia-in-context",
    .source = "this project, after Chen et al. 2024 (Sequoia)",
    .statement = kSequoiaStatement,
    .hypotheses = "any pair, the acceptances being those at its start",
    .recorded = ClaimVerdict::refuted,
    .check = compare_with_best,
    .places = {SearchSpace{.tokens = 2,
                           .least_gamma = 2,
                           .gammas = 2,
                           .least_drafts = 2,
                           .drafts = 2,
                           .denominator = 3,
                           .states = 2}},
    .bites = {{zeroed("speclab.trees.best")}},
};

/// The prefixes that the draft may draw from a state, the largest products of its probabilities
/// first, of equal ones the shallower first.
std::vector<PathLaws> ranked_prefixes(const Instance& at, State start) {
  std::vector<PathLaws> prefixes = drafted_paths(at, start);
  std::stable_sort(prefixes.begin(), prefixes.end(), [](const PathLaws& a, const PathLaws& b) {
    return a.draft > b.draft || (a.draft == b.draft && a.length() < b.length());
  });
  return prefixes;
}

/// That a prefix has a smaller product than its parent, or with ties no larger one.
Comparisons below_their_parents(const Instance& at, Order order) {
  Comparisons says;
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& prefix : ranked_prefixes(at, start.state)) {
      const TokenPath parent(prefix.tokens.begin(), prefix.tokens.end() - 1);
      says.add(follow(*at.rows, start.state, parent).draft, order, prefix.draft,
               "the product of a prefix's parent against its");
    }
  }
  return says;
}

Comparisons closed(const Instance& at) { return below_their_parents(at, Order::above); }

/// And that the tree of the K largest products, ties to the shallower, is made of them: E[tau] of
/// target-only is the target's mass of its nodes.
Comparisons closed_with_ties(const Instance& at) {
  Comparisons says = below_their_parents(at, Order::at_least);
  Rational mass(0);
  for (const Start& start : at.pair().start()) {
    const auto prefixes = ranked_prefixes(at, start.state);
    const auto nodes = std::min(prefixes.size(), static_cast<std::size_t>(at.drafts));
    // Which of equal ones is taken last changes the mass.
    if (nodes < prefixes.size() && prefixes[nodes - 1].draft == prefixes[nodes].draft &&
        prefixes[nodes - 1].length() == prefixes[nodes].length()) {
      return says;
    }
    for (std::size_t i = 0; i < nodes; ++i) mass += start.probability * prefixes[i].target;
  }
  says.equal(ingredient("speclab.trees.grown",
                        accepted(fmt::format("target-only(grow=best,nodes={})", at.drafts), at)),
             ingredient("speclab.trees.mass", mass), "N={}: E[tau] of target-only against the mass",
             at.drafts);
  return says;
}

constexpr BatteryShape kSmallTrees{.tokens = 3, .gammas = 2, .drafts = 4, .random = {2, 4, 12}};

constexpr ClaimRow kPrefixClosed{
    .id = "speclab.trees.prefix-closed",
    .source = "arXiv 2608.02123, by its abstract",
    .statement = "the N prefixes with the largest products of draft probabilities are a tree",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = closed,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 1}, kSmallTrees},
    .correction = {"ties to the shallower: a token of draft probability 1 has its parent's product",
                   closed_with_ties,
                   {}},
    .bites = {{raised("speclab.trees.mass")}},
};

constexpr int kMostBudget = 5;

/// That tokens a unit of time rise, then fall in the number of nodes, at two convex costs.
/// @param accepted  E[tau] by the number of nodes
void expect_one_peak(Comparisons& says, const std::vector<Rational>& accepted,
                     std::string_view of) {
  for (const int power : {1, 2}) {
    std::vector<Rational> speed;
    for (std::size_t n = 0; n < accepted.size(); ++n) {
      const Rational more(static_cast<long long>(power == 1 ? n : n * n), power == 1 ? 8 : 16);
      speed.push_back((1 + accepted[n]) / ingredient("speclab.trees.cost", Rational(1 + more)));
    }
    for (std::size_t n = 1; n + 1 < speed.size(); ++n) {
      const auto at = speed.begin() + static_cast<std::ptrdiff_t>(n);
      says.at_least(
          speed[n],
          std::min(*std::max_element(speed.begin(), at), *std::max_element(at + 1, speed.end())),
          "{}: tokens a unit of time with {} nodes, cost 1 + {}, against the lower of the most "
          "before and after",
          of, n, power == 1 ? "N/8" : "N^2/16");
    }
  }
}

/// E[tau] of target-only on trees of 0 .. kMostBudget nodes.
std::vector<Rational> by_budget(const Instance& at, std::string_view grown) {
  std::vector<Rational> all{Rational(0)};
  for (int nodes = 1; nodes <= kMostBudget; ++nodes) {
    all.push_back(
        ingredient("speclab.trees.grown",
                   accepted(fmt::format("target-only(grow={},nodes={})", grown, nodes), at)));
  }
  return all;
}

Comparisons one_peak(const Instance& at) {
  Comparisons says;
  const auto all = by_budget(at, "best");
  for (std::size_t n = 1; n < all.size(); ++n) {
    says.at_least(ingredient("speclab.trees.more", all[n]), all[n - 1],
                  "E[tau] with {} nodes against one less", n);
  }
  expect_one_peak(says, all, "grow=best");
  return says;
}

/// The same of the target's likeliest nodes, and of what the draft itself expects.
Comparisons one_peak_in_order(const Instance& at) {
  Comparisons says;
  expect_one_peak(says, by_budget(at, "target"), "grow=target");
  for (const Start& start : at.pair().start()) {
    const auto prefixes = ranked_prefixes(at, start.state);
    std::vector<Rational> expected{Rational(0)};
    for (std::size_t n = 0; n < kMostBudget; ++n) {
      expected.push_back(expected.back() + (n < prefixes.size() ? prefixes[n].draft : Rational(0)));
    }
    expect_one_peak(says, expected, "the sum of the products");
  }
  return says;
}

constexpr ClaimRow kOnePeak{
    .id = "speclab.trees.one-peak",
    .source =
        "this project, after arXiv 2606.01813 (CaDDTree), which takes the draft's own estimate",
    .statement =
        "with the N nodes of the largest products E[tau] does not fall as N grows, and (1 + "
        "E[tau]) / c(N) rises, then falls, for a convex cost c",
    .hypotheses = "E[tau] of target-only, which no lossless rule exceeds on these trees",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = one_peak,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 2, .labelled = true},
               BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 4, 12}}},
    .correction = {"where E[tau] is the draft's own estimate, the sum of the products, as for a "
                   "calibrated draft; or the nodes are those of the most target mass",
                   one_peak_in_order,
                   {}},
    .bites = {{constant("speclab.trees.cost")}},
};

constexpr std::string_view kDelayedSource =
    "this project, after arXiv 2602.16994 (delayed branching)";

constexpr ClaimRow kDelayedLossless{
    .id = "speclab.trees.delayed-lossless",
    .source = kDelayedSource,
    .statement = "trees that branch only after a first token keep the target's law",
    .hypotheses = "rrs-without and traversal-without, any pair",
    .check = lossless("rrs-without(tree=1-2)", "traversal-without(tree=1-2)"),
    .places = {NamedPair{"iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])", 2},
               NamedPair{"tree(vocabulary=2,depth=4,seed=3)", 2},
               NamedPair{"tree(vocabulary=3,depth=4,seed=5)", 2}},
    .bites = {{replaced("rrs-without", "wrong-dense-tree")}},
};

/// Four drafted tokens each: two, then two branches, and two paths of two from the root.
Comparisons later_against_root(const Instance& at) {
  Instance longer = at;
  longer.gamma = 3;
  Comparisons says;
  says.at_least(ingredient("speclab.trees.grown",
                           accepted("rrs-without(ranks=[[0],[0,0],[0,0,0],[0,0,1]])", longer)),
                ingredient("speclab.trees.root", accepted("rrs-without(tree=2-1)", at)),
                "E[tau] of two branches after two tokens against two from the root");
  return says;
}

constexpr ClaimRow kDelayed{
    .id = "speclab.trees.delayed",
    .source = kDelayedSource,
    .statement =
        "of as many drafted tokens, branches that begin later let recursive rejection sampling "
        "accept at least what branches from the root do",
    .hypotheses = "four drafted tokens, two branches, drawn without replacement",
    .recorded = ClaimVerdict::refuted,
    .check = later_against_root,
    .places = {SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = 3}},
    .bites = {{zeroed("speclab.trees.root")}},
};

constexpr ClaimRow kClaims[] = {kSequoia, kSequoiaInContext, kPrefixClosed,
                                kOnePeak, kDelayedLossless,  kDelayed};

}  // namespace
}  // namespace trees

Claims trees_claims() { return trees::kClaims; }

}  // namespace speclab
