// Trees of likeliest and sampled children: the enumeration against the closed form of memoryless
// pairs, and a tree in context by hand.
#include "theory/best_and_tail.h"

#include <fmt/format.h>

#include "catch.h"
#include "toy.h"

namespace speclab::best_and_tail_exact_test {
namespace {

ExactNumbers<Rational> iteration(std::string_view verifier, std::string_view pair, int gamma) {
  return run_named(std::string(verifier), pair, {.lengths = {.gamma = gamma}});
}

std::vector<Rational> closed_form(std::string_view pair, int nodes, int gamma) {
  const Rows<Rational> rows(make_pair(pair));
  return BestAndTailLength<Rational>(rows.draft(0), rows.target(0), nodes, gamma).tail();
}

constexpr std::string_view kHalf = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";

TEST_CASE("best-and-tail: the closed form by hand") {
  CHECK(closed_form(kHalf, 4, 2) == std::vector<Rational>{1, 1, Rational(1, 25) + Rational(4, 25)});
  // a = 2/3: 0, 0 0 (4/9), then the tail (1/3); t(b) = 1/3, A = 2/3.
  CHECK(closed_form(kToy, 3, 2) == std::vector<Rational>{1, 1, Rational(1, 9)});
  CHECK(closed_form(kToy, 1, 3) == std::vector<Rational>{1, Rational(1, 3), 0, 0});
}

TEST_CASE("best-and-tail: the law of tau of memoryless pairs is the closed form's") {
  for (const std::string_view pair :
       {kHalf, std::string_view(kToy), std::string_view("iid(draft=[1/2,1/2],target=[2/7,5/7])"),
        std::string_view("iid(draft=[1/5,2/5,2/5],target=[1/3,1/6,1/2])"),
        std::string_view("iid(draft=[3/4,1/8,1/8],target=[0,1/4,3/4])"),
        std::string_view("iid(draft=[0,1],target=[1/2,1/2])")}) {
    for (int nodes = 1; nodes <= 6; ++nodes) {
      for (int gamma = 1; gamma <= 3; ++gamma) {
        CAPTURE(pair, nodes, gamma);
        const auto law =
            iteration(fmt::format("best-and-tail(nodes={})", nodes), pair, gamma).accepted_law;
        auto tail = closed_form(pair, nodes, gamma);
        tail.push_back(0);
        for (std::size_t i = 0; i < law.size(); ++i) CHECK(law[i] == tail[i] - tail[i + 1]);
      }
    }
  }
}

TEST_CASE("best-and-tail: in context the tree follows the laws of each node") {
  // After 0 the draft is sure of 1; after 1 it is (1/2, 1/2). Scores: 0 2/3, 0 1 2/3, then the tail
  // 1, which is 1/3; it is accepted with 1/2 (t(1) = 1/2 of a draft that is certain to be 1).
  constexpr std::string_view kPair =
      "automaton(draft=[[2/3,1/3],[0,1],[1/2,1/2]],target=[[1/2,1/2],[1/4,3/4],[1/2,1/2]],"
      "next=[[1,2],[2,2],[2,2]],start=0)";
  const auto found = iteration("best-and-tail(nodes=3)", kPair, 2);
  CHECK(found.accepted_law == std::vector<Rational>{0, Rational(5, 8), Rational(3, 8)});
  // Ranked by the tail before 0 1, it would be missing.
  CHECK(iteration("best-and-tail(nodes=2)", kPair, 2).accepted_law ==
        std::vector<Rational>{Rational(1, 2), Rational(1, 8), Rational(3, 8)});
}

}  // namespace
}  // namespace speclab::best_and_tail_exact_test
