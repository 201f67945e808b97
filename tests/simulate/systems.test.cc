// Simulation of the batches and of SPRINTER against the values of yin2024 and the exact laws.
#include <fmt/format.h>

#include <cmath>

#include "catch.h"
#include "simulate/estimate.h"
#include "toy.h"
#include "trained.h"

namespace speclab::systems_test {
namespace {

/// Standard errors allowed; a false alarm in 15,000 comparisons, and the seed is fixed.
constexpr double kErrors = 4;

Estimates simulated(std::string_view verifier, std::string_view pair, int gamma, int horizon,
                    std::uint64_t trials) {
  const Rows<double> rows(make_pair(pair));
  const SimulateRequest request{
      .lengths = {.gamma = gamma, .horizon = horizon}, .trials = trials, .seed = 7, .threads = 2};
  const Tallied run = run_trials(make_verifier(verifier), rows, request);
  return estimate(run.tally, rows, request);
}

void check_near(const Estimate& estimate, double expected) {
  CHECK(std::abs(estimate.mean - expected) <= kErrors * estimate.standard_error + 1e-12);
}

TEST_CASE("batch: rejections of the chains of yin2024's figures") {
  const std::vector<std::pair<int, double>> printed{
      {1, 16.404890}, {2, 15.002349}, {4, 14.090080}, {5, 13.868446}};
  for (const auto& [batch, expected] : printed) {
    CAPTURE(batch);
    const auto decode =
        simulated(fmt::format("batch(M={})", batch), "markov(vocabulary=7,horizon=50,seed=10)",
                  kUnbounded, 50, 100000);
    const Estimate& rejections = decode.found.at(QuantityId::rejections);
    check_near(rejections, expected);
    CHECK(rejections.standard_error < 0.02);
  }
}

TEST_CASE("simulated draft steps and modelled time are those of the exact law") {
  const TrainedFile file("tree(vocabulary=3,depth=3,seed=5)", Training{.samples = 500});
  const std::vector<std::string> verifiers{"autoregressive",
                                           "token",
                                           "block",
                                           "greedy-block",
                                           "batch(M=2)",
                                           "kseq(K=2)",
                                           "sprinter(fp=1/10,tp=9/10)",
                                           file.verifier()};
  for (const std::string& verifier : verifiers) {
    for (const char* pair :
         {"tree(vocabulary=3,depth=3,seed=5)", "bernoulli(draft=2/3,target=1/3,eos=1)"}) {
      CAPTURE(verifier, pair);
      const auto exact =
          *run_named<double>(verifier, pair, {.lengths = {.gamma = 2, .horizon = 4}}).decode;
      const auto here = simulated(verifier, pair, 2, 4, 20000);
      check_near(here.found.at(QuantityId::draft_steps), exact.draft_steps);
      check_near(here.found.at(QuantityId::target_calls), exact.target_calls);
      const auto modelled = estimate_time(*here.decode, 0.1, 1, 1);
      const double time = 0.1 * exact.draft_steps + exact.target_calls;
      check_near(modelled.time, time);
      check_near(modelled.speedup, exact.tokens / time);
    }
  }
}

}  // namespace
}  // namespace speclab::systems_test
