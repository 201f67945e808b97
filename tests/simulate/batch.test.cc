// Batches that share a budget: against fractions from every sequence of a small batch's decisions.
#include "simulate/batch.h"

#include "catch.h"
#include "simulated_batches.h"
#include "two_requests.h"

namespace speclab::batch_test {
namespace {

// 630 intervals, each of which misses with a probability of at most 5e-5.
TEST_CASE("two requests are decoded as every sequence of their decisions has it") {
  for (const std::string& pair : {kMemoryless, kContexts}) {
    for (const BatchSplitInfo& split : batch_splits()) {
      for (const int budget : {0, 1, 3}) {
        CAPTURE(pair, split.name, budget);
        const BatchRequest request{
            .setting = {.gamma = 2, .horizon = 3, .budget = budget, .split = split.split},
            .trials = 20000,
            .threads = 1};
        const TwoRequests exact(pair, request.setting);
        const BatchEstimates found = simulated(pair, request);
        check_holds(found.steps, exact.steps);
        check_holds(found.mean_steps, exact.request_steps / 2);
        check_holds(found.tokens_per_step, 6 / exact.steps);
        check_holds(found.tokens_per_request_step, 6 / exact.request_steps);
        check_holds(found.verified_per_step, exact.verified / exact.steps);
        CHECK(found.law_tokens == 3);
        REQUIRE(found.tv.size() == 2);
        REQUIRE(found.joint_tv);
        check_holds(found.tv[0], exact.distance(3, true, false));
        check_holds(found.tv[1], exact.distance(3, false, true));
        check_holds(*found.joint_tv, exact.distance(3, true, true));
        const bool biased = exact.distance(3, true, true) != 0;
        // Of no budget there is nothing to split.
        CHECK(biased == (split.anticipates && budget > 0));
        CHECK((found.joint_tv->least > 0) == biased);
      }
    }
  }
}

TEST_CASE("drafts of an adaptive length grow by two and fall by one, within gamma") {
  // Three drafts are refused, all later ones accepted.
  const std::string pair =
      "automaton(draft=[[1,0],[1,0],[1,0],[1,0]],target=[[0,1],[0,1],[0,1],[1,0]],"
      "next=[[1,1],[2,2],[3,3],[3,3]],start=0)";
  BatchRequest request{
      .setting = {
          .gamma = 5, .horizon = 17, .requests = 1, .budget = 5, .split = BatchSplit::adaptive}};
  const BatchEstimates adapted = simulated(pair, request);
  CHECK(adapted.steps.mean == 6);
  CHECK(adapted.verified_per_step.mean == Approx((5 + 4 + 3 + 2 + 4 + 5) / 6.0).epsilon(1e-15));
  request.setting.split = BatchSplit::even;
  const BatchEstimates even = simulated(pair, request);
  CHECK(even.steps.mean == 6);
  CHECK(even.verified_per_step.mean == Approx((3 * 5 + 5 + 5 + 2) / 6.0).epsilon(1e-15));
  // The first draft is accepted in part: 2, 3 and 4 tokens are emitted.
  request = {
      .setting = {
          .gamma = 3, .horizon = 9, .requests = 1, .budget = 3, .split = BatchSplit::adaptive}};
  const BatchEstimates part = simulated(
      "automaton(draft=[[1,0],[1,0],[1,0]],target=[[1,0],[0,1],[1,0]],"
      "next=[[1,1],[2,2],[2,2]],start=0)",
      request);
  CHECK(part.verified_per_step.mean == Approx((3 + 2 + 3) / 3.0).epsilon(1e-15));
  // Always refused, a draft is of one token at least.
  request = {
      .setting = {
          .gamma = 3, .horizon = 6, .requests = 1, .budget = 3, .split = BatchSplit::adaptive}};
  const BatchEstimates refused = simulated("iid(draft=[1,0],target=[0,1])", request);
  CHECK(refused.verified_per_step.mean == Approx((3 + 2 + 1 + 1 + 1 + 1) / 6.0).epsilon(1e-15));
}

TEST_CASE("the split by the drafted tokens' own probabilities has the bias of the claim") {
  const std::string pair = "iid(draft=[2/3,1/3],target=[2/3,1/3])";
  const BatchRequest request{
      .setting = {.gamma = 1, .horizon = 2, .budget = 1, .split = BatchSplit::own},
      .trials = 20000};
  // speclab.batch.own-confidence: the smallest counterexample.
  CHECK(TwoRequests(pair, request.setting).distance(2, true, true) == Rational(4, 27));
  const BatchEstimates found = simulated(pair, request);
  check_holds(*found.joint_tv, Rational(4, 27));
  CHECK(found.joint_tv->least > 0.1);
}

}  // namespace
}  // namespace speclab::batch_test
