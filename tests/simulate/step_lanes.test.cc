#include "simulate/step_lanes.h"

#include <cmath>
#include <string_view>

#include "catch.h"
#include "model/families/json_law.h"
#include "model/registry.h"
#include "simulate/engine.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"
#include "simulate/step_program.h"

namespace speclab::step_lanes_test {
namespace {

struct Case {
  std::string_view pair;
  int horizon;
  int gamma;
  std::string_view verifier = "token";
};

/// Pairs of one state and many, with zeros in either support, equal and one-token models; horizons
/// of counters of 8 and of 16 bits; drafts of one word of counters and several, odd horizons, last
/// iterations that are cut, and decodes that end with a bonus.
constexpr Case kServed[] = {
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, kUnbounded},
    {"markov(vocabulary=7,horizon=50,seed=10)", 13, 13},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 8},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 49},
    {"markov(vocabulary=7,horizon=50,seed=10)", 9, 8},
    {"markov(vocabulary=2,horizon=30,seed=4)", 30, kUnbounded},
    {"markov(vocabulary=2,horizon=30,seed=4)", 30, 1},
    {"bernoulli(draft=1/3,target=2/3)", 40, 40},
    {"bernoulli(draft=1/3,target=2/3)", 255, 9},
    {"bernoulli(draft=1/3,target=2/3)", 256, 9},
    {"iid(draft=[1/2,1/2],target=[1/2,1/2])", 600, 1},
    {"bernoulli(draft=49/100,target=1/2)", 301, 64},
    {"bernoulli(draft=49/100,target=1/2)", 301, 65},
    {"iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 33, kUnbounded},
    {"iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 33, 7},
    {"iid(draft=[1/2,1/2],target=[1/2,1/2])", 25, kUnbounded},
    {"iid(draft=[1/2,1/2],target=[1/2,1/2])", 25, 4},
    {"iid(draft=[1],target=[1])", 25, 3},
    {"tree(vocabulary=3,depth=3,seed=5)", 21, 5},
    {"uniform(draft=40,target=30)", 19, 3},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 8, "lenient(l=1/2)"},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 8, "sample-match"},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 8, "sample-match(draft=argmax)"},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, kUnbounded, "target-only(K=1)"},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 8, "biased(eps=1/10,residual=target)"},
};

Tally tally(const Case& item, SimulateRequest request, bool batched) {
  const Rows<double> rows(make_pair(item.pair));
  request.lengths.gamma = item.gamma;
  request.lengths.horizon = item.horizon;
  request.batched = batched;
  return run_trials(make_verifier(item.verifier), rows, request).tally;
}

/// The plan of a case, as run_trials makes it.
TrialPlan plan_of(const Case& item, const Rows<double>& rows) {
  TrialPlan plan = make_plan(rows, {.lengths = {.gamma = item.gamma, .horizon = item.horizon}});
  plan.tally_outputs = false;
  plan.steps = StepTable::make(make_verifier(item.verifier), rows);
  REQUIRE(plan.steps != nullptr);
  return plan;
}

Tally one_by_one(const Rows<double>& rows, const TrialPlan& plan, std::uint64_t first,
                 std::uint64_t last) {
  Tally tally;
  StepTrials({plan.steps.get()}, rows, plan, Drafting::window).run(first, last, tally);
  return tally;
}

}  // namespace

TEST_CASE("trials side by side have the tallies of trials one after another, bit for bit") {
  for (const Case& item : kServed) {
    CAPTURE(item.pair, item.horizon, item.gamma, item.verifier);
    SimulateRequest request{.trials = 1501, .seed = 99};
    for (const std::uint64_t first : {0U, 5U}) {
      request.first_trial = first;
      request.threads = 1;
      const Tally expected = tally(item, request, false);
      for (const int threads : {1, 3}) {
        request.threads = threads;
        CHECK(tally(item, request, true) == expected);
      }
    }
  }
}

TEST_CASE("every kernel makes the same tallies, also of a few trials") {
  int compared = 0;
  for (const Case& item : kServed) {
    const Rows<double> rows(make_pair(item.pair));
    const TrialPlan plan = plan_of(item, rows);
    for (const std::uint64_t trials : {8U, 32U, 40U, 1096U}) {
      constexpr std::uint64_t kFirst = (std::uint64_t{1} << 32U) - 16;  // across a carry
      const Tally expected = one_by_one(rows, plan, kFirst, kFirst + trials);
      for (const StepKernel& kernel : step_kernels()) {
        if (!kernel.supported) continue;
        CAPTURE(item.pair, item.horizon, item.gamma, item.verifier, trials, kernel.name);
        Tally batched;
        StepLanes(plan, kernel).run(kFirst, kFirst + trials, batched);
        CHECK(batched == expected);
        ++compared;
      }
    }
  }
  CHECK(compared >= 96);
}

TEST_CASE("every kernel draws the other outcome at the cell's bound, and the own one just below") {
  // A row of four cells: two that keep nothing, the rarer outcome's, and a full one.
  const Rows<double> rows(make_pair("iid(draft=[1],target=[1])"));
  constexpr std::uint64_t kKey = 17;
  constexpr std::uint64_t kInside = ~std::uint64_t{0} >> 2;
  int compared = 0;
  for (std::uint64_t trial = 0; trial < 200000; ++trial) {
    const std::uint64_t word = Stream(kKey, trial, kOnlyRun, Purpose::draft)();
    // The bound is a double of at most 53 bits.
    if (word >> 62 != 2 || (word & 0x7ff) != 0 || (word & kInside) == 0) continue;
    for (const bool own : {false, true}) {
      const double bound = static_cast<double>((word & kInside) + (own ? 0x800 : 0)) * 0x1p-64;
      TrialPlan plan;
      plan.key = kKey;
      plan.lengths = {1, 1};
      plan.starts = {0};
      plan.start_law = {1};
      // The rarer outcome is accepted.
      plan.steps = std::make_shared<StepTable>(rows, std::vector<double>{bound, 1 - bound, 0, 1});
      const std::uint64_t first = trial / StepBatch::kLanes * StepBatch::kLanes;
      for (const StepKernel& kernel : step_kernels()) {
        if (!kernel.supported) continue;
        StepBatch batch;
        batch.key = kKey;
        batch.first_trial = first;
        batch.count = StepBatch::kLanes;
        batch.horizon = 1;
        batch.gamma = 1;
        batch.at.fill(plan.steps->row(0));
        batch.spent.fill(0);
        batch.first.resize(2);
        kernel.run(*plan.steps, batch);
        CAPTURE(kernel.name, trial, own);
        CHECK(batch.at[trial - first] >> 32 == (own ? 1U : 0U));
        CHECK(batch.spent[trial - first] >> 16 == (own ? 0U : 1U));
        ++compared;
      }
    }
  }
  CHECK(compared >= 20);
}

TEST_CASE("trials side by side take a prompt by its weight") {
  // A prompt of 0 or 1 with 1/8 and 7/8; after 0 nothing is accepted, after 1 all is.
  const Rows<double> rows(
      read_json_pair(parse_json(R"({"vocabulary":2,"kind":"chain","prompt":["1/8","7/8"],
                     "draft":[["1","0"],["0","1"]],"target":[["0","1"],["0","1"]]})",
                                "test"),
                     "test"));
  // Too many outputs to tally: a kernel's plan.
  SimulateRequest request{
      .lengths = {.gamma = kUnbounded, .horizon = 20}, .trials = 64000, .seed = 5, .threads = 1};
  for (const bool batched : {true, false}) {
    request.batched = batched;
    const Tally tally = run_trials(make_verifier("token"), rows, request).tally;
    CAPTURE(batched);
    CHECK(tally.rejections.sum == static_cast<WideCount>(tally.accepted[0]));
    CHECK(binomial_p_value(tally.accepted[0], request.trials, 1.0 / 8) > 1e-9);
    CHECK(tally.accepted[0] + tally.accepted[20] == request.trials);
  }
}

TEST_CASE("the kernels serve what they say they serve, and nothing else") {
  for (const Case& item : kServed) {
    const Rows<double> rows(make_pair(item.pair));
    CAPTURE(item.pair);
    CHECK(StepLanes::make(plan_of(item, rows)) != nullptr);
  }
  const Rows<double> rows(make_pair("bernoulli(draft=1/3,target=2/3)"));
  const TrialPlan plan = plan_of({"", 40, 8}, rows);
  for (const auto change :
       {+[](TrialPlan& p) { p.steps.reset(); }, +[](TrialPlan& p) { p.single = true; },
        +[](TrialPlan& p) { p.lengths.iterations = 1; },
        +[](TrialPlan& p) { p.tally_outputs = true; }, +[](TrialPlan& p) { p.batched = false; },
        +[](TrialPlan& p) { p.end_token = 0; }, +[](TrialPlan& p) { p.lengths.horizon.reset(); },
        +[](TrialPlan& p) { p.lengths.horizon = StepBatch::kMostHorizon + 1; }}) {
    TrialPlan other = plan;
    change(other);
    CHECK(StepLanes::make(other) == nullptr);
  }
}

}  // namespace speclab::step_lanes_test
