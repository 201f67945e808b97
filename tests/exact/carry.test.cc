// Greedy block verification needs its carry, and the carry must nest: without it, or with one
// computed from the original target, the exact joint law is off by what the theory says.
#include "catch.h"
#include "greedy_carry.h"
#include "toy.h"

namespace speclab::carry_test {
namespace {

template <Carry kCarry>
Rational toy_tv(int gamma, int horizon) {
  ExactRequest request;
  request.lengths.gamma = gamma;
  request.lengths.horizon = horizon;
  const auto result = run_program(Greedy<kCarry>{}, kToy, request);
  CHECK(result.decode->undefined_mass == 0);
  return result.decode->tv_to_target;
}

TEST_CASE("without a carry the first token is right and the block is wrong") {
  CHECK(toy_tv<Carry::none>(2, 1) == 0);
  CHECK(toy_tv<Carry::none>(3, 1) == 0);
  CHECK(toy_tv<Carry::none>(2, 2) == Rational(1, 9));
  CHECK(toy_tv<Carry::none>(3, 3) == Rational(4, 27));
}

TEST_CASE("a carry from the original target is wrong from the third token on") {
  CHECK(toy_tv<Carry::flat>(2, 2) == 0);
  CHECK(toy_tv<Carry::flat>(2, 3) == Rational(1, 27));
  CHECK(toy_tv<Carry::flat>(2, 4) == Rational(4, 81));
}

TEST_CASE("the same program with a nested carry is lossless and is the registry's") {
  CHECK(toy_tv<Carry::nested>(2, 4) == 0);
  CHECK(toy_tv<Carry::nested>(3, 5) == 0);
  ExactRequest request;
  request.lengths.gamma = 3;
  request.lengths.horizon = 5;
  request.lengths.iterations = 2;
  for (const char* pair :
       {"iid(draft=[2/3,1/3],target=[1/3,2/3])", "tree(vocabulary=2,depth=4,seed=3)",
        "tree(vocabulary=2,depth=4,seed=4)"}) {
    const auto here = run_program(Greedy<Carry::nested>{}, pair, request);
    const auto there = run_named("greedy-block", pair, request);
    CHECK(here.accepted_law == there.accepted_law);
    CHECK(here.expected_tokens == there.expected_tokens);
    CHECK(here.decode->rejections == there.decode->rejections);
    CHECK(here.decode->target_calls == there.decode->target_calls);
  }
}

}  // namespace
}  // namespace speclab::carry_test
