// path-block, recursive-block and recursive-greedy: what they are at gamma = 1 and what they
// accept. That they are lossless is checked in rules_lossless.test.cc.
#include <fmt/format.h>

#include "catch.h"
#include "toy.h"
#include "verifiers/chain/block.h"
#include "verifiers/several/path_block.h"
#include "verifiers/several/recursive_block.h"
#include "verifiers/several/recursive_greedy.h"
#include "verifiers/several/rrs.h"

namespace speclab::block_rules_test {
namespace {

std::string random_tree(int vocabulary, int gamma, int seed) {
  return fmt::format("tree(vocabulary={},depth={},seed={},denominator={})", vocabulary, gamma + 1,
                     seed, 2 + seed % 6);
}

TEST_CASE("recursive-greedy: the carry nests over three tokens") {
  for (int seed = 1; seed <= 20; ++seed) {
    const auto result = run_program(RecursiveGreedy{2}, random_tree(2, 3, seed),
                                    {.lengths = {.gamma = 3, .horizon = 5}});
    CAPTURE(seed);
    CHECK(result.decode->tv_to_target == 0);
  }
}

template <class Left, class Right>
void check_alike(const Left& left, const Right& right, const std::string& pair, int gamma) {
  CAPTURE(pair, gamma);
  const ExactRequest request{.lengths = {.gamma = gamma, .iterations = 2}};
  const auto one = run_program(left, pair, request);
  const auto other = run_program(right, pair, request);
  CHECK(one.accepted_law == other.accepted_law);
  CHECK(one.expected_tokens == other.expected_tokens);
}

TEST_CASE("one token a draft: recursive-block and recursive-greedy are rrs") {
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string pair = random_tree(3, 2, 600 + seed);
    check_alike(RecursiveBlock{3}, RecursiveRejection{3}, pair, 1);
    check_alike(RecursiveGreedy{3}, RecursiveRejection{3}, pair, 1);
  }
}

/// E[tau] of one iteration.
template <class Program>
Rational accepts(const Program& program, const std::string& pair, int gamma) {
  return run_program(program, pair, {.lengths = {.gamma = gamma}}).expected_accepted;
}

TEST_CASE("recursive-block accepts at least what block does, and gains") {
  int gained = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    const std::string pair = random_tree(3, 2, 700 + seed);
    const Rational block = accepts(BlockVerification{}, pair, 2);
    const Rational recursive = accepts(RecursiveBlock{2}, pair, 2);
    CAPTURE(pair);
    CHECK(recursive >= block);
    gained += recursive > block;
  }
  CHECK(gained > 20);
}

TEST_CASE("path-block is neither monotone in K nor at least block") {
  const std::string pair = "iid(draft=[1/2,1/2],target=[3/5,2/5])";
  CHECK(accepts(PathBlock{1}, pair, 1) == Rational(9, 10));
  CHECK(accepts(PathBlock{2}, pair, 1) == Rational(17, 20));
  CHECK(accepts(PathBlock{3}, pair, 1) == Rational(29, 40));
}

TEST_CASE("path-block prefers by t/d also among tokens that the target wants more") {
  // Order 2, 1, 0: s = (1/4, 5/16, 7/16), 1/5 + 3/10 + 7/16; by the ratio clipped at 1 and the
  // token it would be 1, 2, 0 and 13/16.
  CHECK(accepts(PathBlock{2}, "iid(draft=[1/2,1/4,1/4],target=[1/5,3/10,1/2])", 1) ==
        Rational(15, 16));
}

}  // namespace
}  // namespace speclab::block_rules_test
