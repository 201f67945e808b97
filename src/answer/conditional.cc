#include "answer/conditional.h"

#include "base/error.h"

namespace speclab {
namespace {

/// tau's variance from the estimated law, over that of the conditional expectations.
Estimates conditional_estimates(const Tally& tally) {
  Estimates result;
  double square = 0;
  for (std::size_t i = 0; i < tally.conditional_law.size(); ++i) {
    result.accepted_law.push_back(
        bounded_mean_estimate(tally.conditional_law[i], tally.trials, {0, 1}, kConditionalUnit));
    square += static_cast<double>(i * i) * result.accepted_law[i].mean;
  }
  const auto most = static_cast<double>(tally.conditional_law.size()) - 1;
  result.expected_accepted =
      bounded_mean_estimate(tally.conditional_accepted, tally.trials, {0, most}, kConditionalUnit);
  result.undefined_mass =
      bounded_mean_estimate(tally.conditional_undefined, tally.trials, {0, 1}, kConditionalUnit);
  const double mean = result.expected_accepted.mean;
  const double error = result.expected_accepted.standard_error;
  const double averaged = error * error * static_cast<double>(tally.trials);
  if (averaged > 0) result.variance_ratio = (square - mean * mean) / averaged;
  return result;
}

void check_one_iteration(const Lengths& lengths) {
  if (lengths.iterations > 0 || (lengths.horizon && lengths.gamma != kUnbounded)) {
    throw UsageError(
        "the conditional estimator speaks of one iteration; leave out the iterations and, unless "
        "gamma is inf, the horizon");
  }
}

}  // namespace

Tallied run_trials(Estimator estimator, const Verifier& verifier, const Rows<double>& rows,
                   const SimulateRequest& request, const Progress& progress) {
  if (estimator == Estimator::plain) return run_trials(verifier, rows, request, progress);
  check_one_iteration(request.lengths);
  const TrialPlan plan = make_plan(verifier, rows, request, " estimator=conditional");
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return run_rounds(
      [&] { return ready.info->conditional_entry->make(ready.program.get(), rows, plan); }, rows,
      request, progress);
}

Estimates estimate(Estimator estimator, const Tally& tally, const Rows<double>& rows,
                   const SimulateRequest& request) {
  return estimator == Estimator::plain ? estimate(tally, rows, request)
                                       : conditional_estimates(tally);
}

}  // namespace speclab
