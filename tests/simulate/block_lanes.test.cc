#include "simulate/block_lanes.h"

#include <string_view>

#include "catch.h"
#include "model/registry.h"
#include "simulate/engine.h"
#include "simulate/ranges.h"
#include "verifiers/chain/block.h"

namespace speclab::block_lanes_test {
namespace {

struct Case {
  std::string_view pair;
  int horizon;
  int gamma;
};

/// Pairs of one state and many; zeros in either support, equal models; drafts that are cut by the
/// horizon, as long as it, and too long for counters of positions. kTie: after its third token w is
/// 1/5, and w t = d for the first two; their sums in doubles leave 1.7e-18 of [w t - d]+, and only
/// the law itself knows that it is 0 and that no coin is tossed.
constexpr const char* kTie =
    "iid(draft=[1/200,2/200,55/200,142/200],target=[5/200,10/200,11/200,174/200])";
constexpr Case kServed[] = {
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 8},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, 49},
    {"markov(vocabulary=7,horizon=50,seed=10)", 50, kUnbounded},
    {"markov(vocabulary=2,horizon=30,seed=4)", 30, 1},
    {"markov(vocabulary=32,horizon=7,seed=1)", 7, 5},
    {"bernoulli(draft=1/3,target=2/3)", 255, 9},
    {"bernoulli(draft=49/100,target=1/2)", 301, 65},
    {"iid(draft=[1/3,2/3],target=[2/3,1/3])", 60, 7},
    {"iid(draft=[1/7,2/7,4/7],target=[4/7,2/7,1/7])", 60, 8},
    {"iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 60, 7},
    {"iid(draft=[1/2,1/2,0],target=[1/4,1/2,1/4])", 60, 6},
    {"iid(draft=[1/2,1/2],target=[1/2,1/2])", 60, 4},
    {"iid(draft=[1],target=[1])", 100, 3},
    {kTie, 60, 2},
    {kTie, 60, 9},
    {"tree(vocabulary=3,depth=3,seed=5)", 41, 5},
    {"uniform(draft=30,target=20)", 19, 3},
    {"zipf(vocabulary=32,draft=1.0,target=1.1)", 128, 16},
};

TrialPlan plan_of(const Rows<double>& rows, int gamma, int horizon) {
  TrialPlan plan = make_plan(rows, {.lengths = {.gamma = gamma, .horizon = horizon}});
  plan.tally_outputs = false;
  return plan;
}

}  // namespace

TEST_CASE("decodes by block side by side have the tallies of the verifier's own, bit for bit") {
  const BlockVerification program;
  for (const Case& item : kServed) {
    CAPTURE(item.pair, item.horizon, item.gamma);
    const Rows<double> rows(make_pair(item.pair));
    const TrialPlan plan = plan_of(rows, item.gamma, item.horizon);
    TrialPlan apart = plan;
    apart.batched = false;
    const TrialRange own = trials_of<BlockVerification>(&program, rows, apart);
    const TrialRange lanes = block_lanes(rows, plan);
    REQUIRE(lanes);
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0xfffffff0}}) {
      for (const std::uint64_t trials : {0U, 1U, 8U, 1501U}) {
        Tally expected;
        own(first, first + trials, expected);
        Tally found;
        lanes(first, first + trials / 3, found);
        lanes(first + trials / 3, first + trials, found);
        CHECK(found == expected);
        CHECK(found.trials == trials);
      }
    }
  }
}

TEST_CASE("block runs side by side where all is counted, and nowhere else") {
  const Rows<double> rows(make_pair("bernoulli(draft=1/3,target=2/3)"));
  const TrialPlan plan = plan_of(rows, 8, 40);
  CHECK(block_lanes(rows, plan));
  for (const auto change :
       {+[](TrialPlan& p) { p.single = true; }, +[](TrialPlan& p) { p.lengths.iterations = 1; },
        +[](TrialPlan& p) { p.tally_outputs = true; },
        +[](TrialPlan& p) { p.tally_decodes = true; }, +[](TrialPlan& p) { p.batched = false; },
        +[](TrialPlan& p) { p.end_token = 0; }, +[](TrialPlan& p) { p.lengths.horizon.reset(); },
        +[](TrialPlan& p) { p.lengths = {.gamma = 5000, .horizon = 5000}; }}) {
    TrialPlan other = plan;
    change(other);
    CHECK_FALSE(block_lanes(rows, other));
  }
  for (const char* pair :
       {"zipf(vocabulary=33,draft=1.0,target=1.1)", "markov(vocabulary=32,horizon=8,seed=1)"}) {
    const Rows<double> large(make_pair(pair));
    CHECK_FALSE(block_lanes(large, plan_of(large, 4, 8)));
  }
  // Clusters of trials, which compare verifiers, make no tables.
  CHECK_FALSE(block_lanes(
      rows, make_plan(rows, {.lengths = {.gamma = 8, .horizon = 40}, .draws = Draws::decisions})));
}

}  // namespace speclab::block_lanes_test
