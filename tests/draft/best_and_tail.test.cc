// Trees of likeliest and sampled children: by hand, and that whether a sampled child is in the tree
// does not depend on its token.
#include "draft/best_and_tail.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "model/registry.h"
#include "model/view.h"

namespace speclab::best_and_tail_test {
namespace {

using View = PairView<Rational>;

/// Draws the tokens that are given, in turn, and multiplies their probabilities; beyond them the
/// first token that has weight.
struct Drawn {
  std::vector<Token> tokens;
  std::size_t at = 0;
  Rational probability = 1;

  template <class AnyLaw>
  Token draft(const AnyLaw& law) {
    if (at == tokens.size()) {
      Token x = 0;
      while (!(law.weight(x) > 0)) ++x;
      tokens.push_back(x);
    }
    const Token x = tokens[at++];
    probability *= law.weight(x) / law.mass();
    return x;
  }
};

using Tree = BestAndTailTree<View, Drawn>;

/// "00[2][1]": the likeliest child 0 with its children 0 and, in brackets, the sampled 2; then the
/// sampled child 1.
std::string text_of(const Tree& tree, std::size_t at = 0) {
  std::string text;
  if (tree[at].fixed) {
    text += std::to_string(tree[*tree[at].fixed].token) + text_of(tree, *tree[at].fixed);
  }
  if (tree[at].sampled) {
    text += "[" + std::to_string(tree[*tree[at].sampled].token) + text_of(tree, *tree[at].sampled) +
            "]";
  }
  return text;
}

std::string grown(std::string_view pair, int nodes, Tree::Order order, int depth,
                  std::vector<Token> tokens) {
  const Rows<Rational> rows(make_pair(pair));
  const View view(rows);
  Drawn choices{std::move(tokens), 0, 1};
  return text_of(Tree(nodes, order, view, view.root(0), depth, choices));
}

constexpr std::string_view kUneven = "iid(draft=[1/2,1/3,1/6],target=[5/6,1/6,0])";

TEST_CASE("best-and-tail: trees by hand") {
  // Scores: 0 and [x] 1/2, of depth 2 all 1/4: those below the child added first come first.
  CHECK(grown(kUneven, 1, Tree::Order::mass, 2, {}) == "0");
  CHECK(grown(kUneven, 2, Tree::Order::mass, 2, {2}) == "0[2]");
  CHECK(grown(kUneven, 3, Tree::Order::mass, 2, {2}) == "00[2]");
  CHECK(grown(kUneven, 4, Tree::Order::mass, 2, {2, 1}) == "00[1][2]");
  CHECK(grown(kUneven, 6, Tree::Order::mass, 2, {2, 1, 1}) == "00[1][20[1]]");
  CHECK(grown(kUneven, 9, Tree::Order::mass, 1, {1}) == "0[1]");
  // a = 2/3: 0 0 (4/9) and 0 0 0 (8/27) against the tail's 1/3.
  constexpr std::string_view kPeaked = "iid(draft=[1/6,2/3,1/6],target=[1,0,0])";
  CHECK(grown(kPeaked, 2, Tree::Order::mass, 3, {}) == "11");
  CHECK(grown(kPeaked, 3, Tree::Order::mass, 3, {2}) == "11[2]");
  CHECK(grown(kPeaked, 4, Tree::Order::mass, 3, {2}) == "111[2]");
  // No tail: one chain, as deep as it may be.
  CHECK(grown("iid(draft=[0,1],target=[1,0])", 9, Tree::Order::mass, 3, {}) == "111");
}

TEST_CASE("best-and-tail: by its own probability a sampled token is added or not") {
  // 1 (1/3) comes before 0 0 (1/4), 2 (1/6) after it.
  CHECK(grown(kUneven, 2, Tree::Order::own, 2, {1}) == "0[1]");
  CHECK(grown(kUneven, 2, Tree::Order::own, 2, {2, 1}) == "00");
}

/// P(the root has a sampled child, and it is x), by x: the law of the tokens that are tested.
std::map<Token, Rational> survivors(std::string_view pair, int nodes, Tree::Order order,
                                    int depth) {
  const Rows<Rational> rows(make_pair(pair));
  const View view(rows);
  std::map<Token, Rational> found;
  // All sequences, one after another: the last draw that can be another token is raised.
  std::vector<Token> tokens;
  for (;;) {
    Drawn choices{tokens, 0, 1};
    const Tree tree(nodes, order, view, view.root(0), depth, choices);
    if (tree[0].sampled && choices.probability > 0)
      found[tree[*tree[0].sampled].token] += choices.probability;
    tokens = choices.tokens;
    // A token that cannot be drawn has probability 0, and so has every tree with it.
    while (!tokens.empty() && tokens.back() == rows.vocabulary() - 1) tokens.pop_back();
    if (tokens.empty()) return found;
    ++tokens.back();
  }
}

TEST_CASE("best-and-tail: the sampled children that survive are draws from the tail") {
  for (const std::string_view pair :
       {kUneven, std::string_view("iid(draft=[1/6,1/2,1/3],target=[0,1/2,1/2])"),
        std::string_view("tree(vocabulary=3,depth=3,seed=4,denominator=9)")}) {
    const Rows<Rational> rows(make_pair(pair));
    const auto law = rows.draft(0);
    const auto best = std::max_element(law.begin(), law.end()) - law.begin();
    for (int nodes = 1; nodes <= 5; ++nodes) {
      CAPTURE(pair, nodes);
      const auto found = survivors(pair, nodes, Tree::Order::mass, 2);
      Rational all(0);
      for (const auto& [token, mass] : found) all += mass;
      CHECK((all == 0 || all == 1));
      for (const auto& [token, mass] : found) {
        CHECK(mass * (1 - law[static_cast<std::size_t>(best)]) ==
              all * law[static_cast<std::size_t>(token)]);
      }
    }
  }
  const auto own = survivors(kUneven, 2, Tree::Order::own, 2);
  CHECK(own == std::map<Token, Rational>{{1, Rational(2, 3)}});
}

}  // namespace
}  // namespace speclab::best_and_tail_test
