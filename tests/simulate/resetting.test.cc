// Trials of pairs whose draft begins anew with each iteration, against the exact laws: tables of
// steps, the generic program, a carry, and roots that are drawn.
#include <cmath>
#include <tuple>

#include "catch.h"
#include "exact/exact.h"
#include "resetting_pairs.h"
#include "simulate/estimate.h"
#include "simulate/lossless_decodes.h"
#include "simulate/step_table.h"
#include "toy.h"

namespace speclab::resetting_trials_test {
namespace {

const std::string kShown = latent("conditioned");
const std::string kStrings =
    "retokenised(tokens=a-b-ab,target=[[1/4,1/4,1/2],[1/2,1/4,1/4],[0,1/2,1/2]],draft-tokens=a-b,"
    "draft=[[1/4,3/4],[2/3,1/3]],length=3)";

SimulateRequest request_of(int gamma, int horizon = 9) {
  return {.lengths = {.gamma = gamma, .horizon = horizon, .iterations = 3},
          .trials = 20'000,
          .seed = 3,
          .threads = 1};
}

/// Fails where an estimate is further from the exact number than chance explains once in 10^6.
void check_near(const Findings<Estimate>& found, const ExactResult<Rational>& wanted, QuantityId id,
                const QuantityIndex& index = {}) {
  const Estimate& estimate = found.at(id, index);
  const double off = estimate.mean - to_double(wanted.at(id, index));
  CAPTURE(quantity(id).path(), estimate.mean, estimate.standard_error);
  CHECK(std::abs(off) <= 5 * estimate.standard_error + 1e-12);
}

TEST_CASE("estimates agree with the exact laws from one iteration to the next") {
  for (const auto& [pair, gamma, horizon] :
       {std::tuple(kFalling, 3, 9), std::tuple(kShown, 2, 9), std::tuple(kStrings, 3, 6)}) {
    for (const char* verifier :
         {"sample-match", "token", "block", "greedy-block", "target-only(grow=best,nodes=3)"}) {
      CAPTURE(pair, verifier);
      const Rows<double> rows(make_pair(pair));
      const Rows<Rational> fractions(make_pair(pair));
      const SimulateRequest request = request_of(gamma, horizon);
      const Verifier ready = make_verifier(verifier);
      const auto found = estimate(run_trials(ready, rows, request).tally, rows, request).found;
      const auto wanted = run_exact(ready, fractions, {.lengths = request.lengths});
      check_near(found, wanted, QuantityId::expected_tokens, {2});
      check_near(found, wanted, QuantityId::expected_tokens, {3});
      check_near(found, wanted, QuantityId::target_calls);
      check_near(found, wanted, QuantityId::rejections);
    }
  }
}

TEST_CASE("decodes are not said to meet where the draft's state keeps them apart") {
  CHECK(std::isinf(tokens_to_meet(Rows<double>(make_pair(kFalling)), 9)));
}

TEST_CASE("steps are drawn from a table where each state has one root, and else not") {
  const Verifier token = make_verifier("token");
  CHECK(StepTable::make(token, Rows<double>(make_pair(kFalling))) != nullptr);
  CHECK(StepTable::make(token, Rows<double>(make_pair(kShown))) == nullptr);
  // With and without the table; side by side and one by one.
  const Rows<double> rows(make_pair(kFalling));
  const Rows<Rational> fractions(make_pair(kFalling));
  SimulateRequest request = request_of(3);
  request.lengths.iterations = 0;
  const auto wanted = run_exact(token, fractions, {.lengths = request.lengths});
  const Tally side_by_side = run_trials(token, rows, request).tally;
  request.batched = false;
  CHECK(run_trials(token, rows, request).tally == side_by_side);
  check_near(estimate(side_by_side, rows, request).found, wanted, QuantityId::target_calls);
  request.draws = Draws::decisions;
  check_near(estimate(run_trials(token, rows, request).tally, rows, request).found, wanted,
             QuantityId::target_calls);
}

}  // namespace
}  // namespace speclab::resetting_trials_test
