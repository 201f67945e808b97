// Rules on grown trees: what is accepted is the target's mass of the tree's nodes, and decodes,
// which end above some leaves' depth, stay lossless and call the target as often as they should.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "catch.h"
#include "toy.h"

namespace speclab::grown_test {
namespace {

ExactNumbers<Rational> decode(const std::string& verifier, std::string_view pair, int gamma,
                              int horizon) {
  return run_named(verifier, pair, {.lengths = {.gamma = gamma, .horizon = horizon}});
}

TEST_CASE("the accepted tokens are the target's mass of the nodes") {
  // Nodes 0 (t 1/3), 1 (2/3) and 0 0 (1/9).
  for (const char* rule : {"target-only", "one-hot", "sglang"}) {
    CAPTURE(rule);
    const std::string verifier = std::string(rule) + "(grow=best,nodes=3)";
    const auto found = decode(verifier, kToy, 2, 2);
    CHECK(found.expected_accepted == 1 + Rational(1, 9));
    CHECK(found.accepted_law == std::vector<Rational>{0, Rational(8, 9), Rational(1, 9)});
    // One call: after a leaf of depth 1 the token from the target is the second.
    CHECK(found.decode->target_calls == 1);
    CHECK(found.decode->tokens == 2);
    CHECK(found.decode->tv_to_target == 0);
  }
}

TEST_CASE("no tree of as many nodes has more than the one grown by the target") {
  for (int seed = 1; seed <= 12; ++seed) {
    const std::string pair = fmt::format("tree(vocabulary=3,depth=3,seed={})", seed);
    for (const int nodes : {1, 3, 6}) {
      CAPTURE(pair, nodes);
      const auto accepted = [&](const std::string& tree) {
        return decode(fmt::format("target-only({},nodes={})", tree, nodes), pair, 2, 2)
            .expected_accepted;
      };
      const Rational most = accepted("grow=target");
      CHECK(accepted("grow=best") <= most);
      CHECK(accepted("grow=beam,width=2") <= most);
      if (nodes == 1) continue;
      CHECK(accepted("depth=2,grow=static") <= most);
    }
  }
  // From one start ranks name every path that the draft can draw: nothing is lost.
  CHECK(decode("target-only(grow=static,nodes=3,depth=2)", kToy, 2, 2).expected_accepted ==
        decode("target-only(grow=target,nodes=3)", kToy, 2, 2).expected_accepted);
}

TEST_CASE("rules on grown trees are lossless") {
  for (const char* pair :
       {"tree(vocabulary=3,depth=4,seed=58)", "diffusion(target=[[1/3,2/3],[3/4,1/4]],length=3)",
        "tree(vocabulary=3,depth=2,seed=8,eos=0)"}) {
    for (const char* tree :
         {"grow=best,nodes=4", "grow=beam,nodes=5,width=2", "grow=target,nodes=4",
          "grow=static,nodes=4,depth=3", "ranks=[[0],[0,0],[1],[0,0,1]]"}) {
      for (const char* rule : {"target-only", "one-hot", "sglang"}) {
        CAPTURE(pair, tree, rule);
        const auto found = decode(fmt::format("{}({})", rule, tree), pair, 3, 5);
        CHECK(found.decode->tv_to_target == 0);
        CHECK(found.decode->undefined_mass == 0);
      }
    }
  }
}

TEST_CASE("a leaf above the depth that a horizon cuts at is followed by a bonus") {
  // Without context a window of n drafts accepts what a full iteration of n accepts, and emits one
  // token more where it fits.
  constexpr const char* kEqual = "iid(draft=[1/2,1/2],target=[1/2,1/2])";
  CHECK(decode("traversal-without(ranks=[[0],[1],[1,0]])", kEqual, 2, 2).decode->target_calls == 1);
  for (const char* verifier :
       {"rrs-without(ranks=[[0],[1],[1,0]])", "rrs-without(grow=sequoia,nodes=3,depth=2)",
        "traversal-without(ranks=[[0],[1],[1,0]])",
        "traversal-without(grow=sequoia,nodes=3,depth=2)", "one-hot(ranks=[[0],[1],[1,0]])",
        "target-only(ranks=[[0],[1],[1,0]],draw=without)", "best-and-tail(nodes=3)"}) {
    for (const char* pair : {kEqual, "iid(draft=[1/2,1/4,1/4],target=[1/3,1/3,1/3])"}) {
      std::vector<Rational> calls{0};
      for (int horizon = 1; horizon <= 4; ++horizon) {
        CAPTURE(verifier, pair, horizon);
        const auto law = decode(verifier, pair, std::min(horizon, 2), horizon).accepted_law;
        Rational least(1);
        for (std::size_t left = 1; left < calls.size(); ++left) {
          const std::size_t accepted = calls.size() - left - 1;
          if (accepted < law.size()) least += law[accepted] * calls[left];
        }
        calls.push_back(decode(verifier, pair, 2, horizon).decode->target_calls);
        CHECK(calls.back() == least);
      }
    }
  }
}

TEST_CASE("rules of the target's mode and of typical tokens walk grown trees too") {
  // The mode is 1 at every position: node 1 alone is entered, and the bonus is 1 as well.
  const auto found = decode("target-argmax(grow=best,nodes=3)", kToy, 2, 4);
  CHECK(found.expected_accepted == 1);
  CHECK(found.decode->target_calls == 2);
  const auto typical = decode("typical-match(eps=0,alpha=0,grow=best,nodes=3)", kToy, 2, 2);
  CHECK(typical.expected_accepted == 1 + Rational(1, 9));
  CHECK(typical.decode->target_calls == 1);
}

}  // namespace
}  // namespace speclab::grown_test
