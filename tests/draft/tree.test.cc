// Draft sets: which tokens are drawn and with which law; tokens that no rule requests are not
// drawn.
#include "draft/tree.h"

#include <vector>

#include "base/error.h"
#include "catch.h"
#include "drawn.h"
#include "model/carries/carried_view.h"

namespace speclab::tree_test {
namespace {

using View = PairView<Rational>;
using Law = std::map<std::string, Rational>;

constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
constexpr std::string_view kThree = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";
constexpr std::string_view kRandom = "tree(vocabulary=3,depth=2,seed=58)";

DraftSource paths(int count) { return {Draw::with, count, {}}; }
DraftSource tree_of(Draw draw, std::vector<int> profile) { return {draw, 1, std::move(profile)}; }

Law law(const DraftSource& source, std::string_view pair, int drafts,
        Asking asking = Asking::depth_first) {
  const Rows<Rational> rows(make_pair(pair));
  const View view(rows);
  return law_of_draws(source, view, view.root(0), drafts, asking);
}

/// Draws the tokens it was given, and counts.
struct Scripted {
  std::vector<Token> tokens;
  std::size_t made = 0;
  template <class AnyLaw>
  Token draft(const AnyLaw& law) {
    REQUIRE(made < tokens.size());
    CHECK(law.weight(tokens[made]) > 0);
    return tokens[made++];
  }
};

TEST_CASE("i.i.d. chains are merged in order of first appearance and counted") {
  const Rows<Rational> rows(make_pair(kToy));
  const View view(rows);
  Scripted choices{{1, 0, 1, 0, 0, 1}};
  const DraftSource source = paths(3);
  DraftTree<View, Scripted> tree(source, view, view.root(0), 2, choices);
  const auto children = tree.children(kRootVertex);
  REQUIRE(children.size() == 2);
  const Vertex one = children[0];
  const Vertex zero = children[1];
  CHECK(tree.token(one) == 1);
  CHECK(tree.token(zero) == 0);
  CHECK(tree.multiplicity(one) == 2);
  CHECK(tree.multiplicity(zero) == 1);
  CHECK(tree.draw(kRootVertex, 2) == one);
  CHECK_FALSE(tree.draw(kRootVertex, 3));
  CHECK_FALSE(tree.child(kRootVertex, 2));
  CHECK(tree.draws(one) == 2);
  REQUIRE(tree.children(one).size() == 1);
  const Vertex leaf = tree.children(one)[0];
  CHECK(tree.is_leaf(leaf));
  CHECK(tree.multiplicity(leaf) == 2);
  CHECK(tree.draws(leaf) == 0);
  CHECK(tree.children(leaf).empty());
  CHECK(tree.depth(leaf) == 2);
  CHECK(tree.parent(leaf) == one);
  std::vector<Token> path;
  tree.walk_to(leaf, [&](Token x, State) { path.push_back(x); });
  CHECK(path == std::vector<Token>{1, 0});
}

TEST_CASE("chains requested in sequence are drawn in sequence") {
  const Rows<Rational> rows(make_pair(kToy));
  const View view(rows);
  // Three chains of two tokens: (1, 0), (0, 1), (1, 1).
  Scripted choices{{1, 0, 0, 1, 1, 1}};
  const DraftSource source = paths(3);
  DraftTree<View, Scripted> tree(source, view, view.root(0), 2, choices);
  const auto tokens = [&](int k) {
    std::vector<Token> of_chain;
    for (const Vertex v : tree.chain(k)) of_chain.push_back(tree.token(v));
    return of_chain;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(tokens(static_cast<int>(k)) ==
          std::vector<Token>{choices.tokens[2 * k], choices.tokens[2 * k + 1]});
    CHECK(choices.made == 2 * (k + 1));
  }
  CHECK(tree.chain(0)[0] == tree.chain(2)[0]);
  CHECK(tree.chain(0)[1] != tree.chain(2)[1]);
  CHECK(tree.chain(3).empty());
}

TEST_CASE("the law of each draft set, by hand") {
  // d = (2/3, 1/3), two chains of one token.
  CHECK(law(paths(2), kToy, 1) == Law{{"(0,0 2())", Rational(4, 9)},
                                      {"(0,1 1()1())", Rational(2, 9)},
                                      {"(1,0 1()1())", Rational(2, 9)},
                                      {"(1,1 2())", Rational(1, 9)}});
  // d = (1/2, 1/4, 1/4): the second child of 0 is 1 or 2, of 1 it is 0 (2/3) or 2 (1/3).
  CHECK(law(tree_of(Draw::without, {2}), kThree, 1) == Law{{"(0,1 1()1())", Rational(1, 4)},
                                                           {"(0,2 1()1())", Rational(1, 4)},
                                                           {"(1,0 1()1())", Rational(1, 6)},
                                                           {"(1,2 1()1())", Rational(1, 12)},
                                                           {"(2,0 1()1())", Rational(1, 6)},
                                                           {"(2,1 1()1())", Rational(1, 12)}});
  // Ties go to the lower token.
  CHECK(law(tree_of(Draw::top, {2, 1}), kThree, 2) == Law{{"(0,1 1(0 1())1(0 1()))", 1}});
  CHECK(law(tree_of(Draw::top, {3}), "iid(draft=[1/4,1/2,1/4],target=[1,0,0])", 1) ==
        Law{{"(1,0,2 1()1()1())", 1}});
  CHECK(law(DraftSource::argmax_chain(), kThree, 3) == Law{{"(0 1(0 1(0 1())))", 1}});
}

TEST_CASE("a row with fewer tokens than requested has fewer children") {
  constexpr std::string_view kFew = "iid(draft=[1/2,0,1/2],target=[0,1,0])";
  CHECK(law(tree_of(Draw::top, {3}), kFew, 1) == Law{{"(0,2 1()1())", 1}});
  CHECK(law(tree_of(Draw::without, {3}), kFew, 1) ==
        Law{{"(0,2 1()1())", Rational(1, 2)}, {"(2,0 1()1())", Rational(1, 2)}});
  CHECK(law(tree_of(Draw::with, {3}), "iid(draft=[0,1],target=[1,0])", 1) ==
        Law{{"(1,1,1 3())", 1}});
  CHECK(law(tree_of(Draw::top, {9}), "uniform(draft=2,target=2)", 1) == Law{{"(0,1 1()1())", 1}});
}

const std::vector<std::pair<DraftSource, int>> kSets{
    {paths(1), 3},
    {paths(3), 2},
    {tree_of(Draw::with, {2, 2}), 2},
    {tree_of(Draw::without, {2, 2}), 2},
    {tree_of(Draw::without, {3, 1}), 2},
    {tree_of(Draw::top, {2, 1, 1}), 3},
    {DraftSource::argmax_chain(), 3},
};

TEST_CASE("a set drawn step by step has the law of one drawn at once, in any order of requests") {
  for (const auto& [source, drafts] : kSets) {
    for (const std::string_view pair : {kToy, kThree, kRandom}) {
      CAPTURE(static_cast<int>(source.draw), source.profile, source.paths, pair);
      const Law depth_first = law(source, pair, drafts, Asking::depth_first);
      Rational sum(0);
      for (const auto& [text, weight] : depth_first) sum += weight;
      CHECK(sum == 1);
      CHECK(depth_first.size() >= (source.draw == Draw::top ? 1 : 4));
      CHECK(depth_first == law(source, pair, drafts, Asking::breadth_first));
      CHECK(depth_first == law(source, pair, drafts, Asking::last_first));
    }
  }
}

TEST_CASE("chains are the tree that branches at the root alone") {
  CHECK(law(paths(3), kRandom, 2) == law(tree_of(Draw::with, {3, 1}), kRandom, 2));
  CHECK(law(DraftSource::argmax_chain(), kRandom, 2) ==
        law(tree_of(Draw::top, {1, 1}), kRandom, 2));
}

TEST_CASE("a set drawn in a view that carries a modified target has the same law") {
  const Rows<Rational> rows(make_pair(kRandom));
  const CarriedView<Rational> carried(rows);
  for (const auto& [source, drafts] : kSets) {
    const auto root = carried.modified(carried.root(0), Rational(1, 3), 2);
    CHECK(law_of_draws(source, carried, root, drafts) == law(source, kRandom, drafts));
  }
}

TEST_CASE("tokens that are not requested are not drawn") {
  const Rows<Rational> rows(make_pair(kThree));
  const View view(rows);
  const auto draws_for = [&](const DraftSource& source, const auto& look) {
    Scripted choices{{0, 1, 2, 0, 1, 2}};
    DraftTree<View, Scripted> tree(source, view, view.root(0), 2, choices);
    look(tree);
    return choices.made;
  };
  const auto nothing = [](auto& tree) { CHECK(tree.draws(kRootVertex) == 3); };
  const auto first = [](auto& tree) { CHECK(tree.child(kRootVertex, 0)); };
  const auto second_draw = [](auto& tree) { CHECK(tree.draw(kRootVertex, 1)); };
  const auto below = [](auto& tree) { CHECK(tree.child(*tree.child(kRootVertex, 0), 0)); };
  for (const DraftSource& source : {paths(3), tree_of(Draw::without, {3, 1})}) {
    CHECK(draws_for(source, nothing) == 0);
    CHECK(draws_for(source, first) == 1);
    CHECK(draws_for(source, second_draw) == 2);
  }
  // One chain is known to come through the first child; a second one is looked for.
  CHECK(draws_for(paths(3), below) == 1 + 1);
  CHECK(draws_for(paths(3), [](auto& tree) { CHECK(tree.draw(*tree.child(kRootVertex, 0), 1)); }) ==
        3 + 2);
  CHECK(draws_for(paths(3), [](auto& tree) {
          CHECK(tree.multiplicity(*tree.child(kRootVertex, 0)) == 1);
        }) == 3);
  CHECK(draws_for(tree_of(Draw::without, {3, 1}), below) == 1 + 1);
  CHECK(draws_for(tree_of(Draw::top, {3, 1}), below) == 0);
}

TEST_CASE("a window cuts the tree, and must not be longer than it is deep") {
  CHECK(law(tree_of(Draw::without, {2, 2, 2}), kThree, 1) ==
        law(tree_of(Draw::without, {2}), kThree, 1));
  CHECK(law(tree_of(Draw::top, {2, 1}), kThree, 0) == Law{{"()", 1}});
  CHECK_THROWS_AS(law(tree_of(Draw::top, {2, 1}), kThree, 3), InputError);
}

}  // namespace
}  // namespace speclab::tree_test
