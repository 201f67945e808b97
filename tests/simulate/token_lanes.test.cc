#include "simulate/token_lanes.h"

#include <cmath>
#include <string_view>

#include "catch.h"
#include "model/families/json_law.h"
#include "model/registry.h"
#include "simulate/engine.h"
#include "simulate/lane_words.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"
#include "simulate/trial.h"
#include "verifiers/chain/token.h"

namespace speclab::token_lanes_test {
namespace {

struct Case {
  std::string_view pair;
  int horizon;
  int gamma;
};

/// Pairs of one state and many, with zeros in either support, equal and one-token models.
constexpr Case kServed[] = {
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, kUnbounded},
    {"markov(vocabulary=7,horizon=50,seed=10)", 13, 13},
    {"markov(vocabulary=2,horizon=30,seed=4)", 30, kUnbounded},
    {"bernoulli(draft=1/3,target=2/3)", 40, 40},
    {"iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 33, kUnbounded},
    {"iid(draft=[1/2,1/2],target=[1/2,1/2])", 25, kUnbounded},
    {"tree(vocabulary=3,depth=3,seed=5)", 21, kUnbounded},
    {"uniform(draft=40,target=30)", 19, kUnbounded},
};

Tally tally(const Case& item, SimulateRequest request, bool batched) {
  const Rows<double> rows(make_pair(item.pair));
  request.lengths.gamma = item.gamma;
  request.lengths.horizon = item.horizon;
  request.batched = batched;
  return run_trials(make_verifier("token"), rows, request).tally;
}

}  // namespace

TEST_CASE("the batched kernel's tallies are the generic program's, bit for bit") {
  for (const Case& item : kServed) {
    CAPTURE(item.pair, item.horizon);
    SimulateRequest request;
    request.trials = 3001;
    request.seed = 99;
    for (const std::uint64_t first : {0U, 5U, 4096U}) {
      request.first_trial = first;
      for (const int threads : {1, 3}) {
        request.threads = threads;
        CHECK(tally(item, request, true) == tally(item, request, false));
      }
    }
  }
}

TEST_CASE("every kernel makes the generic tallies, also of a few trials") {
  int compared = 0;
  for (const Case& item : kServed) {
    const Rows<double> rows(make_pair(item.pair));
    TrialPlan plan;
    plan.key = 17;
    plan.lengths.gamma = kUnbounded;
    plan.lengths.horizon = item.horizon;
    plan.window = window_within(plan.lengths.gamma, item.horizon);
    for (const Start& start : rows.pair().start()) {
      plan.starts.push_back(start.state);
      plan.start_law.push_back(to_double(start.probability));
    }
    for (const std::uint64_t trials : {8U, 32U, 40U, 2048U}) {
      constexpr std::uint64_t kFirst = (std::uint64_t{1} << 32U) - 16;  // across a carry
      Tally generic;
      const TokenVerification token;
      Trials<TokenVerification>(token, rows, plan).run(kFirst, kFirst + trials, generic);
      for (const TokenKernel& kernel : token_kernels()) {
        if (!kernel.supported) continue;
        CAPTURE(item.pair, trials, kernel.name);
        Tally batched;
        TokenLanes(rows, plan, kernel).run(kFirst, kFirst + trials, batched);
        CHECK(batched == generic);
        ++compared;
      }
    }
  }
  CHECK(compared >= 32);
}

TEST_CASE("every kernel rejects a coin that is the ratio itself, and accepts one just below") {
  // One position of 32 trials, all cells with one ratio: the coin of one lane, and the next number.
  const Rows<double> rows(make_pair("bernoulli(draft=1/3,target=2/3)"));
  constexpr std::uint64_t kKey = 17;
  int compared = 0;
  for (const TokenKernel& kernel : token_kernels()) {
    if (!kernel.supported) continue;
    const std::size_t lanes = kernel.groups * TokenBatch::kLanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double coin = Stream(kKey, lane, kOnlyRun, Purpose::accept).uniform();
      for (const bool accepts : {false, true}) {
        TokenCells cells(rows);
        const double ratio = accepts ? std::nextafter(coin, 1.0) : coin;
        for (TokenCells::Draft& cell : cells.draft) cell.ratio = {ratio, ratio};
        TokenBatch batch{};
        batch.key = kKey;
        batch.first_trial = 0;
        batch.horizon = 1;
        for (auto& corrections : batch.corrections) {
          corrections.resize(LaneWords::kWords * TokenBatch::kLanes);
        }
        kernel.run(cells, batch);
        CAPTURE(kernel.name, lane, accepts);
        CHECK(batch.rejections[lane] == (accepts ? 0U : 1U));
        CHECK(batch.last[lane] == (accepts ? 0U : 1U));
        CHECK(batch.first[lane] == (accepts ? 1U : 0U));
        ++compared;
      }
    }
  }
  CHECK(compared >= 16);
}

TEST_CASE("every kernel takes a trial's prompt by its weight") {
  // A prompt of 0 or 1 with 1/8 and 7/8; after 0 nothing is accepted, after 1 all is.
  const Rows<double> rows(
      read_json_pair(parse_json(R"({"vocabulary":2,"kind":"chain","prompt":["1/8","7/8"],
                     "draft":[["1","0"],["0","1"]],"target":[["0","1"],["0","1"]]})",
                                "test"),
                     "test"));
  SimulateRequest request;
  request.lengths.gamma = kUnbounded;
  request.lengths.horizon = 20;  // too many outputs to tally: a kernel's plan
  request.trials = 64000;
  request.seed = 5;
  request.threads = 1;
  for (const bool batched : {true, false}) {
    request.batched = batched;
    TrialPlan plan = make_plan(rows, request);
    CHECK((TokenLanes::make(rows, plan) != nullptr) == batched);
    const Tally tally = run_trials(make_verifier("token"), rows, request).tally;
    CAPTURE(batched);
    CHECK(tally.rejections.sum == static_cast<WideCount>(tally.accepted[0]));
    CHECK(binomial_p_value(tally.accepted[0], request.trials, 1.0 / 8) > 1e-9);
    CHECK(tally.accepted[0] + tally.accepted[20] == request.trials);
  }
}

TEST_CASE("the kernel serves what it says it serves, and nothing else") {
  TrialPlan plan;
  plan.lengths.gamma = kUnbounded;
  for (const Case& item : kServed) {
    const Rows<double> rows(make_pair(item.pair));
    plan.lengths.gamma = item.gamma;
    plan.lengths.horizon = item.horizon;
    // Small decodes are tallied output by output, which the kernel leaves to the generic program.
    plan.tally_outputs = false;
    CAPTURE(item.pair);
    CHECK(TokenLanes::make(rows, plan) != nullptr);
  }
  const Rows<double> rows(make_pair("bernoulli(draft=1/3,target=2/3)"));
  plan.lengths.horizon = 40;
  for (const auto change :
       {+[](TrialPlan& p) { p.lengths.gamma = 8; }, +[](TrialPlan& p) { p.single = true; },
        +[](TrialPlan& p) { p.lengths.iterations = 1; },
        +[](TrialPlan& p) { p.tally_outputs = true; }, +[](TrialPlan& p) { p.batched = false; },
        +[](TrialPlan& p) { p.end_token = 0; }, +[](TrialPlan& p) { p.lengths.horizon.reset(); }}) {
    TrialPlan other = plan;
    change(other);
    CHECK(TokenLanes::make(rows, other) == nullptr);
  }
  const Rows<double> large(make_pair("uniform(draft=80,target=70)"));
  CHECK(TokenLanes::make(large, plan) == nullptr);
  // 1/4 - 2^-55 and 3/4 + 2^-55: in doubles a rejection after one of the tokens has no correction.
  const std::string even = R"(["1/4","3/4"])";
  const std::string near =
      R"(["9007199254740991/36028797018963968","27021597764222977/36028797018963968"])";
  for (const auto& [after_0, after_1] : {std::pair{even, near}, std::pair{near, even}}) {
    const std::string text = R"({"vocabulary":2,"kind":"chain","prompt":["1","0"],"draft":[)" +
                             even + "," + even + R"(],"target":[)" + after_0 + "," + after_1 + "]}";
    const Rows<double> rounded(read_json_pair(parse_json(text, "test"), "test"));
    CHECK(TokenLanes::make(rounded, plan) == nullptr);
  }
}

}  // namespace speclab::token_lanes_test
