// Shapes that are drawn without replacement: Sequoia's acceptance and program, against sums by hand
// and over all shapes.
#include "draft/sequoia.h"

#include <algorithm>
#include <set>

#include "catch.h"
#include "draft/source.h"
#include "model/registry.h"

namespace speclab::sequoia_test {
namespace {

using Path = std::vector<int>;
using Shape = std::set<Path>;

std::vector<Rational> acceptance(const char* pair, int most = 9) {
  return AcceptanceByRank<Rational>(Rows<Rational>(make_pair(pair)), 0, most).accepted();
}

/// All shapes of `nodes` nodes: each of one node less with each node that it may take next.
std::set<Shape> all_shapes(int nodes, int depth, int width) {
  std::set<Shape> shapes{{}};
  for (int i = 0; i < nodes; ++i) {
    std::set<Shape> larger;
    for (const Shape& shape : shapes) {
      Shape parents = shape;
      parents.insert(Path{});
      for (Path next : parents) {
        next.push_back(0);
        while (shape.count(next) > 0) ++next.back();
        if (next.back() == width || static_cast<int>(next.size()) > depth) continue;
        Shape grown = shape;
        grown.insert(next);
        larger.insert(grown);
      }
    }
    shapes = larger;
  }
  return shapes;
}

template <class Paths>
double sum_of_products(const Paths& paths, const std::vector<double>& accepted) {
  double sum = 0;
  for (const Path& path : paths) {
    double product = 1;
    for (const int rank : path) product *= accepted[static_cast<std::size_t>(rank)];
    sum += product;
  }
  return sum;
}

TEST_CASE("the acceptance of a child by its rank, by hand") {
  using Numbers = std::vector<Rational>;
  CHECK(acceptance("iid(draft=[2/3,1/3],target=[1/3,2/3])") ==
        Numbers{Rational(2, 3), Rational(1, 3)});
  // Token 0 is refused with 3/10; then d = (0, 1/2, 1/2), t = (0, 5/6, 1/6), and token 2 is refused
  // with 1/3 of it.
  constexpr const char* kThree = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";
  CHECK(acceptance(kThree) == Numbers{Rational(7, 10), Rational(1, 5), Rational(1, 10)});
  CHECK(acceptance(kThree, 2) == Numbers{Rational(7, 10), Rational(1, 5)});
  CHECK(acceptance("iid(draft=[1,0],target=[0,1])") == Numbers{Rational(0), Rational(0)});
  CHECK(acceptance("iid(draft=[1/2,1/2],target=[1/2,1/2])") == Numbers{Rational(1), Rational(0)});
  CHECK_THROWS_AS(
      acceptance_by_rank(Rows<double>(make_pair("zipf(vocabulary=512,draft=1,target=2)")), 6),
      LimitError);
}

TEST_CASE("the mean acceptance over the starts of a pair") {
  const auto mean =
      acceptance_by_rank(Rows<double>(make_pair("markov(vocabulary=3,horizon=3,seed=10)")), 3);
  REQUIRE(mean.size() == 3);
  double sum = 0;
  const Rows<double> rows(make_pair("markov(vocabulary=3,horizon=3,seed=10)"));
  for (const Start& start : rows.pair().start()) {
    // One child is accepted with the sum of min(d, t).
    for (std::size_t x = 0; x < 3; ++x) {
      sum += to_double(start.probability) *
             std::min(rows.draft(start.state)[x], rows.target(start.state)[x]);
    }
  }
  CHECK(mean[0] == Approx(sum));
}

TEST_CASE("sequoia: the shape with the largest sum of products of all shapes") {
  const std::vector<double> two{2.0 / 3, 1.0 / 3};
  CHECK(sequoia_paths(two, 2, 2) == std::vector<Path>{{0}, {0, 0}});
  CHECK(sequoia_paths(two, 2, 1) == std::vector<Path>{{0}, {1}});
  CHECK(sequoia_paths(two, 3, 3) == std::vector<Path>{{0}, {0, 0}, {1}});
  CHECK(sequoia_paths(two, 9, 1) == std::vector<Path>{{0}, {1}});
  CHECK(sequoia_paths({0.5, 0}, 3, 3) == std::vector<Path>{{0}, {0, 0}, {0, 0, 0}});
  CHECK(sequoia_paths({0.0}, 3, 3).empty());
  // A later child may be accepted more often than the first.
  const std::vector<std::vector<double>> all{
      two, {0.5, 0.2, 0.1}, {0.9, 0.05}, {0.1, 0.7, 0.1}, {0.3, 0.3, 0.3}, {0.0, 0.6}};
  for (const auto& accepted : all) {
    for (const int nodes : {1, 2, 4, 6}) {
      for (const int depth : {1, 2, 4, 6}) {
        if (depth > nodes) continue;
        CAPTURE(accepted, nodes, depth);
        double most = 0;
        for (int count = 1; count <= nodes; ++count) {
          for (const Shape& shape : all_shapes(count, depth, static_cast<int>(accepted.size()))) {
            most = std::max(most, sum_of_products(shape, accepted));
          }
        }
        const auto paths = sequoia_paths(accepted, nodes, depth);
        CHECK(static_cast<int>(paths.size()) <= nodes);
        CHECK(sum_of_products(paths, accepted) == Approx(most));
      }
    }
  }
  CHECK_THROWS_AS(sequoia_paths(std::vector<double>(100, 0.01), 10'000, 100), LimitError);
}

TEST_CASE("a drawn shape: a node brings its ancestors and the siblings before it") {
  const auto source_of = [](const std::string& text, Draw draw) {
    const Spec spec = parse_spec("rule(" + text + ")");
    SpecReader reader(spec);
    DraftSource source = draw == Draw::with ? read_draft_source(reader) : read_tree(reader, draw);
    reader.finish();
    return source;
  };
  for (const Draw draw : {Draw::with, Draw::without}) {
    const std::string word = draw == Draw::with ? ",draw=without" : "";
    const DraftSource source = source_of("ranks=[[1,1]]" + word, draw);
    CHECK(source.growth.paths == std::vector<Path>{{0}, {1}, {1, 0}, {1, 1}});
    CHECK(source.growth.places ==
          std::vector<std::vector<std::size_t>>{{1, 2}, {}, {3, 4}, {}, {}});
    CHECK(source.count() == 4);
    CHECK(source.shaped());
    CHECK_FALSE(source.grown());
    CHECK(source_of("grow=sequoia,nodes=4,depth=2", draw).shaped());
  }
  CHECK(source_of("ranks=[[1,1]],draw=top", Draw::with).growth.paths ==
        std::vector<Path>{{1}, {1, 1}});
  const auto refused = [&](const std::string& text, Draw draw, const char* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH(source_of(text, draw), Containing(message));
  };
  refused("grow=best,nodes=2", Draw::without, "grow=best is not one of");
  refused("grow=sequoia,nodes=2", Draw::without, "depth is missing");
  refused("grow=sequoia,nodes=2,depth=3", Draw::with, "depth=3 must be a whole number from 1 to 2");
  refused("ranks=[[0]],K=2", Draw::without, "K is for a tree of a given shape");
  refused("ranks=[[0]],draw=with", Draw::with, "draw=with is not one of");
}

TEST_CASE("sequoia on a pair") {
  const PairPointer pair = make_pair("iid(draft=[2/3,1/3],target=[1/3,2/3])");
  const Growth growth{.kind = Growth::Kind::sequoia, .nodes = 3, .width = 3, .depth = 3};
  const Growth grown = grown_for(growth, pair);
  CHECK(grown.paths == std::vector<Path>{{0}, {0, 0}, {1}});
  CHECK(grown.places == std::vector<std::vector<std::size_t>>{{1, 3}, {2}, {}, {}});
}

}  // namespace
}  // namespace speclab::sequoia_test
