// Trees drawn in a shape, and the best shape: against regular trees, sums of products and of the
// target's mass.
#include "answer/shapes.h"

#include <algorithm>
#include <set>

#include "answer/answer.h"
#include "base/error.h"
#include "catch.h"
#include "draft/sequoia.h"

namespace speclab::shapes_test {
namespace {

constexpr const char* kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
constexpr const char* kThree = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";
constexpr const char* kTree = "tree(vocabulary=3,depth=5,seed=3)";
/// Both children of the root, then a path below the second.
constexpr const char* kLopsided = "ranks=[[0],[1],[1,0],[1,0,0]]";

Answer asked(Bench& bench, const char* pair, const std::string& verifier, Lengths lengths) {
  return bench.answer(bench.question(pair, verifier, lengths), ByEnumeration{});
}

TEST_CASE("a shape of so many children at each depth is the tree of that profile") {
  Bench bench;
  for (const std::string rule : {"rrs-without", "traversal-without"}) {
    for (const char* pair : {kToy, kThree, kTree}) {
      CAPTURE(rule, pair);
      const auto law = [&](const std::string& drafts) {
        return asked(bench, pair, rule + "(" + drafts + ")", {.gamma = 2, .horizon = 4})
            .fractions(QuantityId::accepted_law);
      };
      CHECK(law("ranks=[[0,0],[1,0]]") == law("tree=2-1"));
      CHECK(law("ranks=[[0,1],[1,1]]") == law("tree=2-2"));
      CHECK(law("ranks=[[0,1],[1,1]]") != law("tree=2-1"));
    }
  }
}

TEST_CASE("trees of an uneven shape keep the target's law, windows cut at the horizon too") {
  Bench bench;
  for (const std::string rule : {"rrs-without", "traversal-without", "target-only"}) {
    const std::string draw = rule == "target-only" ? ",draw=without" : "";
    for (const char* pair : {kToy, kThree, kTree}) {
      CAPTURE(rule, pair);
      const Answer answer =
          asked(bench, pair, rule + "(" + kLopsided + draw + ")", {.gamma = 3, .horizon = 4});
      CHECK(answer.fraction(QuantityId::tv_to_target) == 0);
    }
  }
}

TEST_CASE("without context E[tau] is the sum over the nodes of the products of acceptances") {
  Bench bench;
  for (const char* pair : {kToy, kThree}) {
    const auto accepted =
        AcceptanceByRank<Rational>(*bench.rationals(bench.pair(pair)), 0, 3).accepted();
    for (const auto& shape : ordered_shapes(4, 3, static_cast<int>(accepted.size()))) {
      Rational sum(0);
      std::string ranks;
      std::size_t depth = 0;
      for (const RankPath& path : shape) {
        Rational product(1);
        ranks += ranks.empty() ? "[" : ",[";
        for (std::size_t i = 0; i < path.size(); ++i) {
          product *= accepted[static_cast<std::size_t>(path[i])];
          ranks += (i > 0 ? "," : "") + std::to_string(path[i]);
        }
        ranks += "]";
        sum += product;
        depth = std::max(depth, path.size());
      }
      CAPTURE(pair, ranks);
      CHECK(asked(bench, pair, "rrs-without(ranks=[" + ranks + "])",
                  {.gamma = static_cast<int>(depth)})
                .fraction(QuantityId::expected_accepted) == sum);
    }
  }
}

TEST_CASE("the shapes: ordered trees, each once") {
  CHECK(ordered_shapes(1, 1, 1) == std::vector<std::vector<RankPath>>{{{0}}});
  CHECK(ordered_shapes(2, 2, 2) ==
        std::vector<std::vector<RankPath>>{{{0}}, {{0}, {0, 0}}, {{0}, {1}}});
  const auto all = ordered_shapes(5, 5, 5);
  CHECK(all.size() == 1 + 2 + 5 + 14 + 42);
  CHECK(std::set(all.begin(), all.end()).size() == all.size());
  CHECK(ordered_shapes(5, 5, 1).size() == 5);
  CHECK(ordered_shapes(5, 1, 3).size() == 3);
  CHECK_THROWS_WITH(ordered_shapes(12, 12, 12), Containing("more than 5000 shapes"));
}

TEST_CASE("the best shape and the share of it that grown trees reach") {
  Bench bench;
  const BestShape best = best_shape(bench, bench.pair(kToy), "rrs-without", 3, 3);
  CHECK(best.shapes == 7);  // of 1 + 2 + 5 those of three children are none: there are two tokens
  REQUIRE(best.trees.size() == 4);
  CHECK(best.trees[0].tree == "best");
  CHECK(best.trees[0].verifier == "rrs-without(ranks=[[0],[0,0],[1]])");
  CHECK(best.trees[0].accepted == Rational(13, 9));
  CHECK(best.trees[0].share == 1);
  CHECK(best.trees[1].tree == "grow=sequoia");
  CHECK(best.trees[1].accepted == Rational(13, 9));
  CHECK(best.trees[2].tree == "siblings");
  CHECK(best.trees[2].accepted == 1);
  CHECK(best.trees[3].tree == "chain");
  CHECK(best.trees[3].accepted == Rational(2, 3) + Rational(4, 9) + Rational(8, 27));
  CHECK(best.trees[3].share == Rational(38, 39));
  CHECK_THROWS_AS(best_shape(bench, bench.pair(kToy), "token", 2, 2), UsageError);
}

TEST_CASE("in context Sequoia's shape may accept less than the best") {
  // Acceptances 2/3 and 1/3 at the start, so that a path looks best; below it nothing is accepted.
  constexpr const char* kTurning =
      "automaton(draft=[[2/3,1/3],[1,0]],target=[[1/3,2/3],[0,1]],next=[[1,1],[1,1]])";
  Bench bench;
  const BestShape best = best_shape(bench, bench.pair(kTurning), "rrs-without", 2, 2);
  CHECK(best.trees[0].verifier == "rrs-without(ranks=[[0],[1]])");
  CHECK(best.trees[0].accepted == 1);
  CHECK(best.trees[1].tree == "grow=sequoia");
  CHECK(best.trees[1].share == Rational(2, 3));
}

TEST_CASE("trees that are not sampled: the best one has the most of the target's mass") {
  Bench bench;
  for (const char* pair : {kToy, kThree, kTree}) {
    for (const int nodes : {1, 3, 5}) {
      CAPTURE(pair, nodes);
      const PairPointer made = bench.pair(pair);
      const auto rows = bench.rationals(made);
      std::vector<Rational> masses;
      const auto walk = [&](const auto& self, State state, const Rational& mass, int left) -> void {
        for (Token x = 0; left > 0 && x < rows->vocabulary(); ++x) {
          masses.push_back(mass * rows->target(state)[static_cast<std::size_t>(x)]);
          self(self, rows->next(state, x), Rational(masses.back()), left - 1);
        }
      };
      REQUIRE(made->start().size() == 1);
      walk(walk, made->start()[0].state, Rational(1), 3);
      std::sort(masses.begin(), masses.end(), std::greater<>());
      Rational most(0);
      for (int i = 0; i < nodes; ++i) most += masses[static_cast<std::size_t>(i)];
      const BestShape best = best_shape(bench, made, "target-only", 3, nodes);
      CHECK(best.shapes == 0);
      CHECK(best.trees.size() == 5);
      if (nodes >= 3) CHECK(best.trees[0].accepted == most);
      for (const ShapeWorth& tree : best.trees) CHECK(tree.share <= 1);
    }
  }
}

}  // namespace
}  // namespace speclab::shapes_test
