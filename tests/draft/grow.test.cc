// Grown trees: against all prefixes of a pair sorted by the product of their draft probabilities,
// and by hand.
#include "draft/grow.h"

#include <algorithm>

#include "catch.h"
#include "draft/tree.h"
#include "model/families/json_law.h"
#include "model/registry.h"
#include "model/view.h"

namespace speclab::grow_test {
namespace {

using View = PairView<Rational>;
using Path = std::vector<Token>;

/// A grown tree has nothing to draw.
struct NoDraws {
  template <class AnyLaw>
  Token draft(const AnyLaw&) {
    FAIL("a grown tree drew a token");
    return 0;
  }
};

DraftSource source_of(const std::string& text) {
  const Spec spec = parse_spec("rule(" + text + ")");
  SpecReader reader(spec);
  DraftSource source = read_draft_source(reader);
  reader.finish();
  return source;
}

/// The paths of a tree from its root, in the tree's order.
std::vector<Path> paths_of(const std::string& text, std::string_view pair, int depth) {
  const Rows<Rational> rows(make_pair(pair));
  const View view(rows);
  NoDraws choices;
  const DraftSource source = source_of(text);
  DraftTree<View, NoDraws> tree(source, view, view.root(0), depth, choices);
  std::vector<Path> paths;
  for (Vertex v = 1; v < tree.size(); ++v) {
    Path path;
    tree.walk_to(v, [&path](Token x, State) { path.push_back(x); });
    CHECK(tree.multiplicity(v) == 1);
    CHECK(tree.is_leaf(v) == tree.children(v).empty());
    CHECK(tree.draws(v) == static_cast<int>(tree.children(v).size()));
    paths.push_back(path);
  }
  return paths;
}

/// The products of the draft's probabilities of all prefixes up to a depth, the largest first.
std::vector<Rational> all_products(std::string_view pair, int depth) {
  const Rows<Rational> rows(make_pair(pair));
  std::vector<Rational> products;
  const auto walk = [&](const auto& self, State state, const Rational& product, int left) -> void {
    if (left == 0) return;
    for (Token x = 0; x < rows.vocabulary(); ++x) {
      const Rational longer = product * rows.draft(state)[static_cast<std::size_t>(x)];
      if (longer == 0) continue;
      products.push_back(longer);
      self(self, rows.next(state, x), longer, left - 1);
    }
  };
  walk(walk, 0, Rational(1), depth);
  std::sort(products.begin(), products.end(), std::greater<>());
  return products;
}

Rational sum_of_products(const std::vector<Path>& paths, std::string_view pair) {
  const Rows<Rational> rows(make_pair(pair));
  Rational sum(0);
  for (const Path& path : paths) {
    Rational product(1);
    State state = 0;
    for (const Token x : path) {
      product *= rows.draft(state)[static_cast<std::size_t>(x)];
      state = rows.next(state, x);
    }
    sum += product;
  }
  return sum;
}

TEST_CASE("best: the nodes with the largest products, parents first, ties to the shallower") {
  constexpr std::string_view kPair = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
  CHECK(paths_of("grow=best,nodes=3", kPair, 2) == std::vector<Path>{{0}, {1}, {0, 0}});
  CHECK(paths_of("grow=best,nodes=3,width=1", kPair, 2) == std::vector<Path>{{0}, {0, 0}});
  CHECK(paths_of("grow=best,nodes=2", "iid(draft=[1,0],target=[0,1])", 3) ==
        std::vector<Path>{{0}, {0, 0}});
  CHECK(paths_of("grow=best,nodes=9", "iid(draft=[1/2,1/2],target=[0,1])", 1) ==
        std::vector<Path>{{0}, {1}});
}

TEST_CASE("best and a wide beam take the largest sum of products that any N prefixes have") {
  for (const int seed : {1, 2, 3, 58}) {
    const std::string pair = "tree(vocabulary=3,depth=4,seed=" + std::to_string(seed) + ")";
    const auto products = all_products(pair, 3);
    for (const int nodes : {1, 2, 5, 11, 100}) {
      CAPTURE(pair, nodes);
      Rational largest(0);
      for (std::size_t i = 0; i < products.size() && i < static_cast<std::size_t>(nodes); ++i) {
        largest += products[i];
      }
      const std::string budget = "nodes=" + std::to_string(nodes);
      const auto best = paths_of("grow=best," + budget, pair, 3);
      CHECK(best.size() == std::min(products.size(), static_cast<std::size_t>(nodes)));
      CHECK(sum_of_products(best, pair) == largest);
      // A beam of all 9 nodes of depth 2 loses none.
      const auto in_order = [](std::vector<Path> paths) {
        std::sort(paths.begin(), paths.end());
        return paths;
      };
      CHECK(in_order(paths_of("grow=beam,width=9," + budget, pair, 3)) == in_order(best));
    }
  }
}

TEST_CASE("beam: only the best of a depth are expanded") {
  // After 0 (3/5) three equal tokens, after 1 (2/5) one: at width 1 the nodes below 1 are not
  // found.
  constexpr std::string_view kPair =
      "automaton(draft=[[3/5,2/5,0],[1/3,1/3,1/3],[1,0,0]],target=[[1,0,0],[1,0,0],[1,0,0]],"
      "next=[[1,2,2],[1,1,1],[2,2,2]])";
  CHECK(paths_of("grow=best,nodes=3", kPair, 2) == std::vector<Path>{{0}, {1}, {1, 0}});
  CHECK(paths_of("grow=beam,nodes=3,width=1", kPair, 2) == std::vector<Path>{{0}, {0, 0}});
  CHECK(paths_of("grow=beam,nodes=3,width=2", kPair, 2) == std::vector<Path>{{0}, {1}, {1, 0}});
}

TEST_CASE("target: the nodes with the most of the target's mass") {
  constexpr std::string_view kPair = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
  CHECK(paths_of("grow=target,nodes=3", kPair, 2) == std::vector<Path>{{1}, {0}, {1, 1}});
  CHECK(paths_of("grow=target,nodes=2,width=1", kPair, 2) == std::vector<Path>{{1}, {1, 1}});
}

TEST_CASE("static: the paths of ranks with the most mass of the target from the starts") {
  const auto paths = [](const char* pair, int nodes, int depth) {
    const Growth growth{.kind = Growth::Kind::fixed, .nodes = nodes, .depth = depth};
    return grown_for(growth, make_pair(pair)).paths;
  };
  using Ranks = std::vector<std::vector<int>>;
  constexpr const char* kPair = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
  CHECK(paths(kPair, 2, 2) == Ranks{{1}, {1, 1}});
  CHECK(paths(kPair, 2, 1) == Ranks{{0}, {1}});
  // From starts 0 and 1, rank 1 is token 1: 1/8 + 1/2, and 1 after it; rank 0 is token 0: 3/8.
  const PairPointer chain = read_json_pair(
      parse_json(R"({"vocabulary":2,"kind":"chain","draft":[["2/3","1/3"],["2/3","1/3"]],)"
                 R"("target":[["3/4","1/4"],[0,1]]})",
                 "test"),
      "test");
  const auto from_both = [&chain](int nodes) {
    return grown_for({.kind = Growth::Kind::fixed, .nodes = nodes, .depth = 2}, chain).paths;
  };
  CHECK(from_both(2) == Ranks{{1}, {1, 1}});
  CHECK(from_both(3) == Ranks{{0}, {1}, {1, 1}});
  CHECK(from_both(4) == Ranks{{0}, {0, 0}, {1}, {1, 1}});
  CHECK(grown_for({.kind = Growth::Kind::best, .nodes = 3}, make_pair(kPair)).paths.empty());
}

TEST_CASE("ranks: the likeliest tokens by their places, with the nodes above them") {
  constexpr std::string_view kPair = "iid(draft=[1/6,1/2,1/3],target=[1/3,1/3,1/3])";
  CHECK(paths_of("ranks=[[1],[0,1]]", kPair, 2) == std::vector<Path>{{1}, {2}, {1, 2}});
  CHECK(paths_of("ranks=[[1],[0,1]]", kPair, 1) == std::vector<Path>{{1}, {2}});
  // A rank that the draft does not have is left out.
  CHECK(paths_of("ranks=[[0],[5]]", kPair, 1) == std::vector<Path>{{1}});
  CHECK_THROWS_WITH(
      paths_of("ranks=[[1],[0,1]]", kPair, 3),
      Containing("the deepest node of the tree has depth 2 and the draft length is 3"));
}

TEST_CASE("a grown tree's size and what is wrong in a spec") {
  CHECK(source_of("grow=best,nodes=7").count() == 7);
  CHECK(source_of("ranks=[[0,0,0],[1]]").count() == 4);
  CHECK_FALSE(source_of("K=2").grown());
  CHECK_FALSE(source_of("grow=best,nodes=7").paths_alone());
  const auto refused = [](const std::string& text, const char* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH(source_of(text), Containing(message));
  };
  refused("grow=best", "nodes is missing");
  refused("grow=beam,nodes=3", "width is missing");
  refused("grow=static,nodes=3", "depth is missing");
  refused("grow=static,nodes=3,depth=4", "depth=4 must be a whole number from 1 to 3");
  refused("grow=widest,nodes=3", "grow=widest is not one of");
  refused("grow=best,nodes=3,K=2", "K is for a tree of a given shape");
  refused("ranks=[[0]],grow=best", "ranks and grow are both given");
  refused("ranks=[[1/2]]", "ranks: 1/2 is no rank");
  refused("ranks=[0,1]", "ranks takes a list of rows");
}

}  // namespace
}  // namespace speclab::grow_test
