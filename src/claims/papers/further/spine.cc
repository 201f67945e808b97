// Trees of drafts of two sources: one token a position that is accepted with a, as of a match in
// the context, and others that are accepted with b1 >= b2 < a (arXiv 2604.02047, Goose).
//
// After the reliable token the context still matches; after another one it does not, and the others
// alone are left. A tree of such tokens accepts the sum of the products along its paths.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "claims/papers/rules/rules.h"

namespace speclab {
namespace spine {
namespace {

constexpr std::string_view kSource = "arXiv 2604.02047 (Goose), by its abstract";
constexpr std::string_view kModel =
    "target-only; a reliable token is accepted with a, others with b1 and b2 < a; behind another "
    "one no token is reliable";

struct Rates {
  Rational reliable;               ///< a
  std::array<Rational, 2> others;  ///< b1 >= b2
};

Rates rates(const Instance& at) {
  const auto target = at.target();
  return {target[0], {target[1], target[2]}};
}

/// A node: how many reliable tokens lead to it, then which others.
struct Node {
  std::vector<int> ranks;  ///< by the draft's ranks, as a tree of a verifier names it
  Rational accepted;
  bool matches = true;
};

/// The N nodes of the largest products, with their parents as no factor is above 1: E of the best
/// tree. @param spine  the others are leaves that hang on reliable tokens
std::vector<Node> largest_products(const Rates& rates, int nodes, bool spine) {
  std::vector<Node> open, taken;
  const auto open_below = [&](const Node& parent) {
    if (spine && !parent.matches) return;
    const auto add = [&](int rank, const Rational& rate, bool matches) {
      if (!(rate > 0)) return;
      Node child{parent.ranks, parent.accepted * rate, matches};
      child.ranks.push_back(rank);
      open.push_back(std::move(child));
    };
    if (parent.matches) add(0, rates.reliable, true);
    for (int i = 0; i < 2; ++i) {
      add(parent.matches ? i + 1 : i, rates.others[static_cast<std::size_t>(i)], false);
    }
  };
  open_below({{}, Rational(1), true});
  while (static_cast<int>(taken.size()) < nodes && !open.empty()) {
    const auto next = std::max_element(open.begin(), open.end(), [](const Node& a, const Node& b) {
      return a.accepted < b.accepted;
    });
    taken.push_back(*next);
    open.erase(next);
    open_below(taken.back());
  }
  return taken;
}

/// E[tau] of the target's own draws on the tree.
Rational accepted_on(const Instance& at, const std::vector<Node>& tree) {
  std::string paths;
  Instance shallow = at;
  shallow.gamma = 1;
  for (const Node& node : tree) {
    shallow.gamma = std::max(shallow.gamma, static_cast<int>(node.ranks.size()));
    paths += fmt::format("{}[{}]", paths.empty() ? "" : ",", fmt::join(node.ranks, ","));
  }
  return ingredient("speclab.spine.tree",
                    accepted(fmt::format("target-only(ranks=[{}])", paths), shallow));
}

/// The most of any tree of n nodes below a node, over all ways to share them out among children.
class Shares {
 public:
  explicit Shares(const Rates& rates) : rates_(rates) {}

  /// @param matches  whether a reliable token is among the children
  Rational best(int nodes, bool matches) {
    if (nodes <= 0) return Rational(0);
    const auto known = known_.find({nodes, matches});
    if (known != known_.end()) return known->second;
    Rational most(0);
    for (int first = 0; first <= (matches ? nodes : 0); ++first) {
      for (int second = 0; first + second <= nodes; ++second) {
        most = std::max(most, Rational(child(rates_.reliable, first, true) +
                                       child(rates_.others[0], second, false) +
                                       child(rates_.others[1], nodes - first - second, false)));
      }
    }
    known_[{nodes, matches}] = most;
    return most;
  }

 private:
  Rational child(const Rational& rate, int nodes, bool matches) {
    return nodes == 0 ? Rational(0) : Rational(rate * (1 + best(nodes - 1, matches)));
  }

  const Rates& rates_;
  std::map<std::pair<int, bool>, Rational> known_;
};

Rational chain(const Rational& rate, int length) {
  Rational sum(0), product(1);
  for (int i = 0; i < length; ++i) sum += product *= rate;
  return sum;
}

/// The best tree of N nodes against the best of either source.
Comparisons above_either(const Instance& at) {
  const Rates of = rates(at);
  Shares shares(of);
  const Rational best = accepted_on(at, largest_products(of, at.drafts, false));
  Comparisons says;
  says.equal(best, ingredient("speclab.spine.best", shares.best(at.drafts, true)),
             "E[tau] of the N largest products against the best tree, N={}", at.drafts);
  const bool alone = power(of.reliable, at.drafts) >= of.others[0];
  says.add(best, alone ? Order::equal : Order::above,
           ingredient("speclab.spine.chain", chain(of.reliable, at.drafts)),
           "E[tau] of the best tree against the reliable tokens alone, N={}", at.drafts);
  says.above(best, ingredient("speclab.spine.others", shares.best(at.drafts, false)),
             "E[tau] of the best tree against the others alone, N={}", at.drafts);
  return says;
}

/// Pairs with these rates in the two contexts, match and no match, and 1 .. N nodes.
std::vector<Instance> two_sources(Effort effort) {
  constexpr Sized kDenominator{7, 8, 9};
  constexpr Sized kNodes{5, 6, 7};
  std::vector<Instance> made;
  for (int nodes = 1; nodes <= kNodes.at(effort); ++nodes) {
    for (int whole = 2; whole <= kDenominator.at(effort); ++whole) {
      for (int a = 1; a <= whole; ++a) {
        for (int b = 0; b < a && a + b <= whole; ++b) {
          for (int c = 0; c <= b && a + b + c <= whole; ++c) {
            made.push_back(make_instance(
                fmt::format("automaton(draft=[[1/2,1/3,1/6,0],[0,2/3,1/3,0]],target=[[{0}/{3},"
                            "{1}/{3},{2}/{3},{4}/{3}],[0,{1}/{3},{2}/{3},{5}/{3}]],"
                            "next=[[0,1,1,1],[1,1,1,1]],start=0)",
                            a, b, c, whole, whole - a - b - c, whole - b - c),
                nodes, nodes));
          }
        }
      }
    }
  }
  return made;
}

constexpr Family kTwoSources{
    "1 .. 5/6/7 nodes, rates a > b1 >= b2 of denominators to 7/8/9, the fewest nodes first",
    two_sources, true};

/// A sixth of the reliable token's rate, as the abstract measures: a = 3/5, b1 = 1/10.
constexpr NamedPair kSixth{
    "automaton(draft=[[1/2,1/3,1/6,0],[0,2/3,1/3,0]],target=[[3/5,1/10,0,3/10],[0,1/10,0,9/10]],"
    "next=[[0,1,1,1],[1,1,1,1]],start=0)",
    15, 15};

constexpr ClaimRow kEither{
    .id = "speclab.spine.either",
    .source = kSource,
    .statement =
        "the best tree of N nodes accepts at least what the best of either source alone does: as "
        "much as the reliable chain iff a^N >= b1, and always more than the others",
    .hypotheses = kModel,
    .check = above_either,
    .places = {kTwoSources, kSixth},
    .bites = {{lowered("speclab.spine.tree"), raised("speclab.spine.best"),
               raised("speclab.spine.chain"), doubled("speclab.spine.others")}},
};

/// The best spine with branches against the best tree.
Comparisons spine_is_best(const Instance& at) {
  const Rates of = rates(at);
  Comparisons says;
  says.equal(accepted_on(at, largest_products(of, at.drafts, true)),
             ingredient("speclab.spine.best", Shares(of).best(at.drafts, true)),
             "E[tau] of the best spine with branches against the best tree, N={}", at.drafts);
  return says;
}

/// That it is, exactly where N of its products are at least the first product off it, b1^2.
Comparisons spine_is_best_where(const Instance& at) {
  const Rates of = rates(at);
  const auto spine = largest_products(of, at.drafts, true);
  const Rational off = of.others[0] * of.others[0];
  const bool enough = std::all_of(spine.begin(), spine.end(),
                                  [&](const Node& node) { return node.accepted >= off; });
  Comparisons says;
  says.add(accepted_on(at, spine), enough ? Order::equal : Order::below,
           ingredient("speclab.spine.best", Shares(of).best(at.drafts, true)),
           "E[tau] of the best spine with branches against the best tree, N={}", at.drafts);
  return says;
}

constexpr ClaimRow kShape{
    .id = "speclab.spine.shape",
    .source = kSource,
    .statement =
        "a best tree of N nodes is a chain of reliable tokens with the others as leaves along it",
    .hypotheses = kModel,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = spine_is_best,
    .places = {kTwoSources},
    .correction = {"if and only if N of the products a^i and a^i b1, a^i b2 are at least b1^2, as "
                   "where a^N >= b1^2: beyond it a branch below a branch is worth more",
                   spine_is_best_where,
                   {kTwoSources, kSixth}},
    .bites = {{raised("speclab.spine.best"), lowered("speclab.spine.tree")}},
};

constexpr ClaimRow kClaims[] = {kEither, kShape};

}  // namespace
}  // namespace spine

Claims spine_claims() { return spine::kClaims; }

}  // namespace speclab
