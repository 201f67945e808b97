// Tallies depend on the task, the seed and the range of trials, and on nothing else.
#include "simulate/engine.h"

#include <cmath>
#include <vector>

#include "base/error.h"
#include "catch.h"
#include "contract_breakers.h"
#include "model/families/json_law.h"
#include "simulate/estimate.h"
#include "simulate/statistics.h"
#include "simulate/trial.h"
#include "toy.h"

namespace speclab::engine_test {
namespace {

SimulateRequest small_request() {
  return {.lengths = {.gamma = 3, .horizon = 7, .iterations = 2}, .trials = 3001, .seed = 11};
}

constexpr std::string_view kTree = "tree(vocabulary=3,depth=4,seed=5)";

TEST_CASE("the same bits for any number of threads") {
  const Rows<double> rows(make_pair(kTree));
  for (const VerifierInfo& row : all_verifier_rows()) {
    CAPTURE(row.name);
    const Verifier verifier = make_verifier(row.example);
    SimulateRequest request = small_request();
    request.threads = 1;
    const Tallied one = run_trials(verifier, rows, request);
    CHECK(one.tally.trials == 3001);
    CHECK_FALSE(one.interrupted);
    for (const int threads : {2, 8}) {
      request.threads = threads;
      const Tallied many = run_trials(verifier, rows, request);
      CHECK(many.tally == one.tally);
      CHECK(many.threads == threads);
    }
  }
}

TEST_CASE("the same bits for any division of the range of trials") {
  const Rows<double> rows(make_pair(kTree));
  const Verifier verifier = make_verifier("greedy-block");
  SimulateRequest request = small_request();
  request.first_trial = 1000;
  const Tally whole = run_trials(verifier, rows, request).tally;
  for (const std::uint64_t cut : {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{2999}}) {
    SimulateRequest part = request;
    part.trials = cut;
    Tally sum = run_trials(verifier, rows, part).tally;
    part.first_trial += cut;
    part.trials = request.trials - cut;
    sum += run_trials(verifier, rows, part).tally;
    CHECK(sum == whole);
  }
}

TEST_CASE("progress grows to the number of trials and does not touch the tally") {
  const Rows<double> rows(make_pair(kTree));
  const Verifier verifier = make_verifier("block");
  const SimulateRequest request = small_request();
  std::vector<std::uint64_t> seen;
  const Tallied watched =
      run_trials(verifier, rows, request, [&](std::uint64_t done) { seen.push_back(done); });
  REQUIRE_FALSE(seen.empty());
  for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i] > seen[i - 1]);
  CHECK(seen.back() == request.trials);
  CHECK(watched.tally == run_trials(verifier, rows, request).tally);
}

TEST_CASE("seed, verifier, draft length and trials each change the numbers") {
  const Rows<double> rows(make_pair(kToy));
  const auto tally = [&](const char* verifier, const SimulateRequest& request) {
    return run_trials(make_verifier(verifier), rows, request).tally;
  };
  SimulateRequest request = small_request();
  const Tally base = tally("token", request);
  request.seed = 12;
  CHECK_FALSE(tally("token", request) == base);
  request = small_request();
  // All 64 bits of a seed and of a trial's number count.
  for (const int bit : {31, 32, 40, 63}) {
    request.seed = 11 + (std::uint64_t{1} << bit);
    CAPTURE(bit);
    CHECK_FALSE(tally("token", request) == base);
    request = small_request();
    request.first_trial = std::uint64_t{1} << bit;
    CHECK_FALSE(tally("token", request) == base);
    request = small_request();
  }
  request.first_trial = 5000;
  CHECK_FALSE(tally("token", request) == base);
  request = small_request();
  request.lengths.gamma = 4;
  CHECK_FALSE(tally("token", request) == base);
  CHECK_FALSE(tally("block", small_request()) == base);
}

TEST_CASE("counts hang together") {
  const Rows<double> rows(make_pair(kTree));
  const SimulateRequest request = small_request();
  for (const char* name : {"autoregressive", "token", "block", "greedy-block"}) {
    CAPTURE(name);
    const Tally tally = run_trials(make_verifier(name), rows, request).tally;
    std::uint64_t accepted = 0;
    for (const std::uint64_t count : tally.accepted) accepted += count;
    CHECK(accepted == request.trials);
    std::uint64_t outputs = 0;
    for (const std::uint64_t count : tally.outputs) outputs += count;
    CHECK(outputs == request.trials);
    CHECK(tally.tokens.sum == 7 * request.trials);
    CHECK(tally.tokens_times_calls == 7 * static_cast<WideCount>(tally.target_calls.sum));
    CHECK(tally.rejections.sum <= tally.tokens.sum);
    CHECK(tally.undefined_trials == 0);
  }
}

TEST_CASE("decodes are counted by calls, steps and tokens where that is asked for") {
  SimulateRequest request = small_request();
  request.lengths.iterations = 0;  // steps are drawn, in lanes, where nothing is counted
  for (const char* pair : {kTree.data(), "iid(draft=[1/2,1/2],target=[2/3,1/3],eos=1)"}) {
    const Rows<double> rows(make_pair(pair));
    for (const char* name : {"token", "block"}) {
      CAPTURE(pair, name);
      request.decode_counts = false;
      Tally plain = run_trials(make_verifier(name), rows, request).tally;
      CHECK(plain.by_calls.empty());
      CHECK(plain.by_steps.empty());
      CHECK(plain.by_tokens.empty());
      request.decode_counts = true;
      Tally counted = run_trials(make_verifier(name), rows, request).tally;
      for (const auto& [counts, moments] : {std::pair(counted.by_calls, counted.target_calls),
                                            {counted.by_steps, counted.draft_steps},
                                            {counted.by_tokens, counted.tokens}}) {
        Moments sums;
        std::uint64_t decodes = 0;
        for (std::size_t value = 0; value < counts.size(); ++value) {
          decodes += counts[value];
          sums.sum += static_cast<WideCount>(value) * counts[value];
          sums.squares += static_cast<WideCount>(value) * value * counts[value];
        }
        CHECK(decodes == request.trials);
        CHECK(sums == moments);
      }
      // Nothing else differs.
      counted.by_calls.clear();
      counted.by_steps.clear();
      counted.by_tokens.clear();
      CHECK(counted == plain);
    }
  }
}

TEST_CASE("a correction after the end of the sequence is no rejection") {
  // Every draft is accepted, then the target corrects. With the end's probability q = 1/3 in both:
  // a first iteration of two drafts counts its correction unless one of the two ends it.
  const Rows<double> rows(make_pair("bernoulli(draft=1/3,target=1/3,eos=1)"));
  const TrialPlan plan = make_plan(rows, {.lengths = {.gamma = 2, .horizon = 3}, .seed = 3});
  Tally tally;
  const CorrectsAfterAll program;
  Trials<CorrectsAfterAll>(program, rows, plan).run(0, 20000, tally);
  // (2/3)^2 of the trials, and never a second iteration.
  CHECK(binomial_p_value(static_cast<std::uint64_t>(tally.rejections.sum), tally.trials, 4.0 / 9) >
        1e-12);
  CHECK(tally.target_calls.sum == static_cast<WideCount>(tally.trials));
  CHECK(static_cast<std::uint64_t>(tally.rejections.squares) ==
        static_cast<std::uint64_t>(tally.rejections.sum));
}

TEST_CASE("a trial's start is drawn by the prompt's weights") {
  const Rows<double> rows(
      read_json_pair(parse_json(R"({"vocabulary":2,"kind":"chain","prompt":["1/8","7/8"],
                     "draft":[["1","0"],["0","1"]],"target":[["0","1"],["0","1"]]})",
                                "test"),
                     "test"));
  // After 0 nothing is accepted, after 1 all is: P(tau = 2) = 7/8 of a block or of two drafts.
  for (const char* name : {"token", "block", "greedy-block", "rrs(K=2)"}) {
    SimulateRequest request = small_request();
    request.lengths.gamma = 2;
    request.trials = 20000;
    const Tally tally = run_trials(make_verifier(name), rows, request).tally;
    CAPTURE(name);
    REQUIRE(tally.accepted.size() == 3);
    CHECK(tally.accepted[1] == 0);
    CHECK(binomial_p_value(tally.accepted[2], request.trials, 7.0 / 8) > 1e-12);
  }
}

TEST_CASE("mean rejections of the papers' Markov chain: 16.404890") {
  const Rows<double> rows(make_pair("markov(vocabulary=7,horizon=50,seed=10)"));
  const SimulateRequest request{
      .lengths = {.gamma = kUnbounded, .horizon = 50}, .trials = 100000, .seed = 1};
  const auto tallied = run_trials(make_verifier("token"), rows, request);
  const Estimate rejections =
      estimate(tallied.tally, rows, request).found.at(QuantityId::rejections);
  CHECK(rejections.low < 16.404890);
  CHECK(rejections.high > 16.404890);
  CHECK(rejections.standard_error < 0.015);
  CHECK(rejections.standard_error > 0.005);
}

TEST_CASE("expected accepted lengths of very long drafts tend to 2, 8 and 5") {
  const Rows<double> rows(make_pair(kToy));
  const SimulateRequest request{.lengths = {.gamma = 300}, .trials = 20000};
  const auto check = [&](const char* verifier, double limit) {
    const auto tallied = run_trials(make_verifier(verifier), rows, request);
    const Estimate mean =
        estimate(tallied.tally, rows, request).found.at(QuantityId::expected_accepted);
    CAPTURE(verifier, mean.mean, mean.standard_error);
    // Six standard errors; what gamma = 300 cuts off is below 1e-6.
    CHECK(std::abs(mean.mean - limit) < 6 * mean.standard_error);
    CHECK(mean.standard_error < limit / 50);
  };
  check("token", 2);
  check("greedy-block", 8);
  check("block", 5);
}

TEST_CASE("positions beyond the end of the pair are refused") {
  const Rows<double> rows(make_pair("markov(vocabulary=2,horizon=3,seed=1)"));
  const Verifier token = make_verifier("token");
  SimulateRequest request{.lengths = {.gamma = 2, .horizon = 4}};
  CHECK_THROWS_AS(run_trials(token, rows, request), InputError);
  request.lengths.horizon.reset();
  request.lengths.iterations = 2;
  CHECK_THROWS_AS(run_trials(token, rows, request), InputError);
  request.lengths.gamma = kUnbounded;
  CHECK_THROWS_AS(run_trials(token, rows, request), UsageError);
}

TEST_CASE("decodes end at the end-of-sequence token") {
  // The target ends with probability 1/3 at every position: 1 + q + q^2 + q^3 tokens, q = 2/3.
  const Rows<double> rows(make_pair("bernoulli(draft=2/3,target=1/3,eos=1)"));
  const SimulateRequest request{
      .lengths = {.gamma = 2, .horizon = 4}, .law = true, .trials = 50000};
  for (const char* name : {"autoregressive", "token", "block", "greedy-block"}) {
    CAPTURE(name);
    const Tally tally = run_trials(make_verifier(name), rows, request).tally;
    const Estimates estimates = estimate(tally, rows, request);
    const Estimate& tokens = estimates.found.at(QuantityId::decode_tokens);
    CHECK(std::abs(tokens.mean - 65.0 / 27) < 6 * tokens.standard_error);
    CHECK(estimates.found.list(QuantityId::output_law).size() ==
          5);  // 1..., 01.., 001., 0001, 0000 and no other
  }
}

}  // namespace
}  // namespace speclab::engine_test
