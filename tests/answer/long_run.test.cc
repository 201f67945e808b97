// A long simulation agrees with the exact long run.
#include "answer/answer.h"
#include "answer/bench.h"
#include "catch.h"

namespace speclab::long_run_test {
namespace {

TEST_CASE("long simulated decodes reach the exact long run") {
  // Each interval misses with a chance of at most 1 in 10,000 (see docs/formats.md): 12
  // comparisons, a false alarm of 0.0012 over seeds; the seed is fixed. The ends of a decode of T
  // tokens move the ratios by less than (gamma + 1) / T.
  constexpr int kHorizon = 20'000;
  constexpr int kGamma = 3;
  const double ends = (kGamma + 1.0) / kHorizon;
  Bench bench;
  for (const char* pair :
       {"iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])", "tree(vocabulary=3,depth=3,seed=5)"}) {
    for (const char* verifier : {"token", "block"}) {
      CAPTURE(pair, verifier);
      Question question = bench.question(pair, verifier, {.gamma = kGamma, .horizon = {}});
      question.long_run = true;
      const Answer exact = bench.answer(question, ByEnumeration{});
      question.long_run = false;
      question.lengths.horizon = kHorizon;
      const Answer drawn = bench.answer(question, BySimulation{.trials = 200, .seed = 7});
      const auto agree = [&](QuantityId limit, QuantityId id, const QuantityIndex& index) {
        const auto& estimate = drawn.find(id, index)->estimate;
        REQUIRE(estimate);
        const double value = exact.find(limit, index)->number;
        CHECK(value > estimate->least - ends);
        CHECK(value < estimate->most + ends);
      };
      agree(QuantityId::long_run_length, QuantityId::acceptance_length, {});
      agree(QuantityId::long_run_rates, QuantityId::position_rates, {1});
      agree(QuantityId::long_run_rates, QuantityId::position_rates, {3});
    }
  }
}

}  // namespace
}  // namespace speclab::long_run_test
