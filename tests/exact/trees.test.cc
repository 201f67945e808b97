// The rules that verify a draft tree: what they accept, and what they have to do with each other.
// That they are lossless is checked in rules_lossless.test.cc.
#include <fmt/format.h>

#include "catch.h"
#include "toy.h"
#include "verifiers/several/naive_tree.h"
#include "verifiers/several/one_hot.h"
#include "verifiers/several/rrs_without.h"
#include "verifiers/several/sglang.h"
#include "verifiers/several/target_only.h"
#include "verifiers/several/traversal.h"

namespace speclab::trees_test {
namespace {

constexpr std::string_view kThree = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";

DraftSource paths(int count) { return {Draw::with, count, {}}; }
DraftSource shape(Draw draw, std::vector<int> profile) { return {draw, 1, std::move(profile)}; }

template <class Program>
ExactNumbers<Rational> iteration(const Program& program, std::string_view pair, int gamma) {
  return run_program(program, pair, {.lengths = {.gamma = gamma}});
}

TEST_CASE("the toy's values for one, two and three tokens") {
  const auto accepted = [](const auto& program, int gamma) {
    return iteration(program, kToy, gamma).expected_accepted;
  };
  const std::vector<Rational> target_only{Rational(2, 3), Rational(82, 81), Rational(286, 243)};
  const std::vector<Rational> naive{Rational(7, 9), Rational(4, 3), Rational(139, 81)};
  const std::vector<Rational> traversal{Rational(7, 9), Rational(115, 81), Rational(1415, 729)};
  for (int gamma = 1; gamma <= 3; ++gamma) {
    const auto at = static_cast<std::size_t>(gamma) - 1;
    CHECK(accepted(TargetOnly{paths(2)}, gamma) == target_only[at]);
    CHECK(accepted(OneHot{paths(2)}, gamma) == target_only[at]);
    CHECK(accepted(NaiveTree{paths(2)}, gamma) == naive[at]);
    CHECK(accepted(TraversalCounted{paths(2)}, gamma) == traversal[at]);
    CHECK(accepted(TraversalMerged{paths(2)}, gamma) == traversal[at]);
  }
}

TEST_CASE("duplicates merged are slower than counted, and without replacement is faster") {
  constexpr std::string_view kApart = "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])";
  CHECK(iteration(TraversalMerged{paths(2)}, kApart, 1).expected_accepted == Rational(4, 9));
  CHECK(iteration(TraversalCounted{paths(2)}, kApart, 1).expected_accepted == Rational(5, 9));
  const DraftSource both = shape(Draw::without, {2});
  CHECK(iteration(TraversalWithout{both}, kApart, 1).expected_accepted == Rational(2, 3));
  CHECK(iteration(RecursiveWithout{both}, kApart, 1).expected_accepted == Rational(2, 3));
  CHECK(iteration(TraversalMerged{paths(2)}, kThree, 1).expected_accepted == Rational(4, 5));
  CHECK(iteration(TraversalCounted{paths(2)}, kThree, 1).expected_accepted == Rational(33, 40));
}

TEST_CASE("sglang at its thresholds of 1 and one-hot accept as target-only does") {
  for (int seed = 1; seed <= 10; ++seed) {
    const std::string pair = fmt::format("tree(vocabulary=3,depth=2,seed={})", seed);
    for (const DraftSource& source :
         {paths(2), shape(Draw::top, {2, 2}), shape(Draw::without, {2, 2})}) {
      const auto law = iteration(TargetOnly{source}, pair, 2).accepted_law;
      CHECK(iteration(OneHot{source}, pair, 2).accepted_law == law);
      CHECK(iteration(Sglang{source, 1, 1}, pair, 2).accepted_law == law);
    }
  }
}

TEST_CASE("sglang below its thresholds of 1 is biased") {
  const auto bias = [](std::string_view pair, const Rational& single, const Rational& acc) {
    return run_program(Sglang{shape(Draw::top, {1}), single, acc}, pair,
                       {.lengths = {.horizon = 1}})
        .decode->tv_to_target;
  };
  CHECK(bias(kToy, 1, 1) == 0);
  CHECK(bias(kToy, 1, Rational(1, 2)) == Rational(1, 3));  // accepts 0 with 2/3 in place of 1/3
  CHECK(bias(kToy, Rational(1, 3), 1) == Rational(2, 3));  // accepts 0 with probability 1
}

TEST_CASE("a tree of another depth than the window is refused, a cut window cuts it") {
  const RecursiveWithout rule{shape(Draw::without, {2, 1})};
  CHECK_THROWS_AS(iteration(rule, kToy, 3), InputError);
  CHECK(iteration(rule, kToy, 1).accepted_law ==
        iteration(RecursiveWithout{shape(Draw::without, {2})}, kToy, 1).accepted_law);
}

/// The law of the first token from a node that carries a modified target.
template <class Program>
void check_carried(const Program& program) {
  using View = CarriedView<Rational>;
  const Rows<Rational> rows(make_pair(kThree));
  const View view(rows);
  const auto root = view.modified(view.root(0), Rational(1, 3), 2);
  std::vector<Rational> law(3);
  any_runner<View>(program).visit_part(view, root, {.drafts = 2, .bonus = true}, true, {},
                                       [&](const Emitted<View::Node>& out, const Rational& weight) {
                                         law[static_cast<std::size_t>(out.tokens.at(0))] += weight;
                                       });
  const auto laws = view.at(root);
  CAPTURE(Program::kInfo.name);
  CHECK(laws.target(0) != rows.target(0)[0]);
  for (Token x = 0; x < 3; ++x) CHECK(law[static_cast<std::size_t>(x)] == laws.target(x));
}

TEST_CASE("the tree rules follow a modified target too") {
  check_carried(TargetOnly{shape(Draw::top, {2, 1})});
  check_carried(OneHot{paths(2)});
  check_carried(NaiveTree{paths(2)});
  check_carried(RecursiveWithout{shape(Draw::without, {2, 1})});
  check_carried(TraversalWithout{shape(Draw::without, {2, 2})});
  check_carried(TraversalMerged{paths(2)});
  check_carried(TraversalCounted{paths(2)});
}

}  // namespace
}  // namespace speclab::trees_test
