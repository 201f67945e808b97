// Batches of every rule of one chain, and what a batch of any split and budget has.
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "catch.h"
#include "exact/batch.h"
#include "model/families/json_law.h"
#include "simulated_batches.h"
#include "toy.h"

namespace speclab::batch_rules_test {
namespace {

TEST_CASE("a budget for every draft makes a batch of decodes side by side") {
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    CAPTURE(verifier);
    const BatchRequest request{
        .setting = {.gamma = 2, .horizon = 5, .requests = 3, .budget = 6, .split = BatchSplit::own},
        .trials = 20000};
    const BatchEstimates found = simulated(kContexts, request, verifier);
    const ExactNumbers<Rational> exact =
        run_named(verifier, kContexts, {.lengths = {.gamma = 2, .horizon = 5}});
    check_holds(found.mean_steps, exact.decode->target_calls);
    check_holds(found.tokens_per_request_step, 5 / exact.decode->target_calls);
    CHECK(found.steps.mean > found.mean_steps.mean);
    for (const Estimate& tv : found.tv) CHECK(tv.least == 0);
  }
}

TEST_CASE("without a budget each step gives every request one token of the target") {
  for (const BatchSplitInfo& split : kBatchSplits) {
    const BatchEstimates found = simulated(
        kContexts, {.setting = {.gamma = 2, .horizon = 4, .split = split.split}, .trials = 2000});
    CHECK(found.steps.mean == 4);
    CHECK(found.mean_steps.mean == 4);
    CHECK(found.tokens_per_step.mean == 2);
    CHECK(found.tokens_per_request_step.mean == 1);
    CHECK(found.verified_per_step.mean == 0);
    REQUIRE(found.joint_tv);
    CHECK(found.joint_tv->least == 0);
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

TEST_CASE("a batch's tally is the same on any number of threads and adds up over trials") {
  const Rows<double> rows(make_pair("tree(vocabulary=3,depth=3,seed=5)"));
  const Verifier block = make_verifier("block");
  const BatchRequest request{.setting = {.gamma = 3,
                                         .horizon = 9,
                                         .requests = 5,
                                         .budget = 7,
                                         .split = BatchSplit::survival},
                             .trials = 1000,
                             .seed = 3,
                             .threads = 1};
  const BatchTally whole = run_batches(block, rows, request).tally;
  BatchRequest other = request;
  other.threads = 3;
  CHECK(run_batches(block, rows, other).tally == whole);
  other.trials = 300;
  BatchTally sum = run_batches(block, rows, other).tally;
  other.first_trial = 300;
  other.trials = 700;
  // The longest law depends on the number of trials.
  BatchTally rest = run_batches(block, rows, other).tally;
  sum += rest;
  CHECK(sum.sums == whole.sums);
  CHECK(sum.products == whole.products);
  CHECK(whole.sums[BatchTally::tokens] == 1000 * 5 * 9);
}

TEST_CASE("a request ends with its end token, and its text goes on with them") {
  const std::string pair = "bernoulli(draft=2/3,target=1/3,eos=1)";
  const BatchRequest request{
      .setting = {.gamma = 2, .horizon = 4, .budget = 2, .split = BatchSplit::known},
      .trials = 20000};
  const BatchEstimates found = simulated(pair, request);
  CHECK(found.law_tokens == 3);
  CHECK(found.joint_tv->least == 0);
  CHECK(found.joint_tv->low == 0);
  CHECK(found.tokens_per_step.mean * found.steps.mean < 2 * 4);
  // min(G, 4) tokens, G geometric with the end token's 1/3: 1 + 2/3 + 4/9 + 8/27.
  const double tokens = found.tokens_per_request_step.mean * found.mean_steps.mean;
  CHECK(std::abs(tokens - 65.0 / 27) < 0.03);
}

TEST_CASE("requests begin at prompts of their own") {
  const PairPointer pair =
      read_json_pair(parse_json(R"({"vocabulary":2,"kind":"chain","prompt":["1/8","7/8"],
        "draft":[["3/4","1/4"],["1/4","3/4"]],"target":[["1/4","3/4"],["1/2","1/2"]]})",
                                "test"),
                     "test");
  const Rows<double> rows(pair);
  const Verifier token = make_verifier("token");
  const BatchRequest request{
      .setting = {.gamma = 1, .horizon = 2, .budget = 1, .split = BatchSplit::known},
      .trials = 20000};
  const BatchTally tally = run_batches(token, rows, request).tally;
  const BatchEstimates found = estimate_batches(tally, token, rows, request);
  CHECK(found.joint_tv->least == 0);
  CHECK(found.joint_tv->mean < 0.03);
  // Cells of the second prompt, of both requests: four sequences each.
  for (const auto& counts : tally.outputs) {
    const auto second = std::accumulate(counts.begin() + 4, counts.end(), std::uint64_t{0});
    CHECK(std::abs(static_cast<double>(second) / 20000 - 7.0 / 8) < 0.01);
  }
  // Independent ones: both the second with 49/64.
  std::uint64_t both = 0;
  for (std::size_t cell = 0; cell < tally.joint.size(); ++cell) {
    if (cell / 8 >= 4 && cell % 8 >= 4) both += tally.joint[cell];
  }
  CHECK(std::abs(static_cast<double>(both) / 20000 - 49.0 / 64) < 0.015);
}

TEST_CASE("every rule of one chain decodes batches, and others are refused") {
  int chains = 0;
  const PairPointer pair = make_pair(kContexts);
  const Rows<double> rows(pair);
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind == VerifierKind::wrong) continue;
    CAPTURE(row.example);
    const Verifier verifier = make_verifier(row.example);
    const std::string why = why_no_batch(verifier, *pair);
    const bool chain =
        row.drafting == Drafting::window && verifier.drafts == 1 && verifier.drafts_iid;
    CHECK(why.empty() == chain);
    if (!chain) continue;
    ++chains;
    const BatchRequest request{
        .setting = {.gamma = 3, .horizon = 4, .budget = 3, .split = BatchSplit::even},
        .trials = 20000};
    const BatchEstimates found =
        estimate_batches(run_batches(verifier, rows, request).tally, verifier, rows, request);
    if (row.kind == VerifierKind::lossless) CHECK(found.joint_tv->least == 0);
  }
  CHECK(chains >= 10);
  CHECK_THAT(why_no_batch(make_verifier("rrs(K=2)"), *pair),
             Containing("rrs(K=2) does not verify one chain"));
  CHECK(why_no_batch(make_verifier("autoregressive"), *pair) != "");
}

void check_trials(const std::string& pair, const std::string& verifier,
                  const BatchSetting& setting) {
  CAPTURE(pair, verifier);
  const BatchEstimates found = simulated(pair, {.setting = setting, .trials = 10000}, verifier);
  const ExactBatch<double> exact =
      run_exact_batch(make_verifier(verifier), Rows<double>(make_pair(pair)), {.setting = setting});
  const auto holds = [](const Estimate& estimate, double truth) {
    check_holds(estimate, Rational(truth));
  };
  holds(found.tokens_per_step, exact.tokens / exact.steps);
  holds(found.tokens_per_request_step, exact.tokens / exact.request_steps);
  holds(found.steps, exact.steps);
  holds(found.mean_steps, exact.request_steps / 2);
  holds(found.verified_per_step, exact.verified / exact.steps);
  REQUIRE(exact.law_tokens == 3);
  REQUIRE(found.law_tokens == 3);
  for (std::size_t i = 0; i < 2; ++i) holds(found.tv[i], exact.tv[i]);
  if (found.joint_tv) holds(*found.joint_tv, *exact.joint_tv);
}

// 5 rules, 7 splits, 2 budgets, 2 pairs, 8 intervals each: 1120, each misses with at most 5e-5.
TEST_CASE("trials of two requests agree with every sequence of their decisions") {
  const std::string three =
      "automaton(draft=[[1/2,1/3,1/6],[1/4,1/4,1/2]],target=[[1/6,1/3,1/2],[1/2,1/4,1/4]],"
      "next=[[0,1,1],[1,0,0]],start=0)";
  for (const std::string& pair : {three, std::string("zipf(vocabulary=4,draft=1,target=1.4)")}) {
    for (const char* verifier : {"token", "block", "greedy-block", "gumbel", "lenient(l=1/2)"}) {
      for (const BatchSplitInfo& split : kBatchSplits) {
        for (const int budget : {1, 3}) {
          CAPTURE(split.name, budget);
          check_trials(pair, verifier,
                       {.gamma = 2, .horizon = 4, .budget = budget, .split = split.split});
        }
      }
    }
  }
}

TEST_CASE("a batch that is too large, or whose rule accepts what was not drafted, is refused") {
  const Rows<double> rows(make_pair(kToy));
  const BatchRequest large{.setting = {.gamma = 2, .horizon = 1 << 15, .requests = 1 << 9}};
  CHECK_THROWS_AS(run_batches(make_verifier("token"), rows, large), LimitError);
  const BatchRequest request{.setting = {.gamma = 2, .horizon = 4, .budget = 4}, .trials = 100};
  CHECK_THROWS_WITH(run_batches(make_verifier("wrong-greedy-draft"), rows, request),
                    Containing("wrong-greedy-draft accepts other tokens"));
}

}  // namespace
}  // namespace speclab::batch_rules_test
