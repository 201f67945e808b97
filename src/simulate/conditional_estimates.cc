#include "simulate/estimate.h"

namespace speclab {

// tau's variance is from the estimated law, over that of the conditional expectations.
Estimates conditional_estimates(const Tally& tally, const SimulateRequest& request) {
  Estimates result;
  double square = 0;
  int tau = 0;
  for (const Moments& moments : tally.conditional_law) {
    const Estimate share =
        mean_estimate(spread_of(moments, tally.trials, {0, 1}, kConditionalUnit));
    result.found.add(QuantityId::accepted_law, share, {tau});
    square += static_cast<double>(tau) * tau * share.mean;
    ++tau;
  }
  const auto most = static_cast<double>(tally.conditional_law.size()) - 1;
  const Estimate accepted = mean_estimate(
      spread_of(tally.conditional_accepted, tally.trials, {0, most}, kConditionalUnit));
  result.found.add(QuantityId::expected_accepted, accepted);
  result.found.add(QuantityId::iteration_undefined,
                   mean_estimate(spread_of(tally.conditional_undefined, tally.trials, {0, 1},
                                           kConditionalUnit)));
  if (request.variance) {
    result.found.add_missing(QuantityId::accepted_variance,
                             "the conditional estimator has no interval for a variance; use the "
                             "plain one");
  }
  const double averaged =
      accepted.standard_error * accepted.standard_error * static_cast<double>(tally.trials);
  if (averaged > 0) {
    result.variance_ratio = (square - accepted.mean * accepted.mean) / averaged;
  }
  return result;
}

}  // namespace speclab
