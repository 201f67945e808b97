#include "simulate/interval.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace speclab {
namespace {

constexpr double kTail = 0.025;

/// Sum of products less the product of the sums over the number of trials: trials times a
/// covariance.
double centred(std::uint64_t trials, WideCount products, WideCount a, WideCount b) {
  const long double mean_a = static_cast<long double>(a) / static_cast<long double>(trials);
  const long double left = static_cast<long double>(products);
  return static_cast<double>(left - mean_a * static_cast<long double>(b));
}

}  // namespace

double mean_covariance(const Moments& a, const Moments& b, WideCount products,
                       std::uint64_t trials) {
  const double n = static_cast<double>(trials);
  return centred(trials, products, a.sum, b.sum) / (n - 1) / n;
}

Estimate student_estimate(double mean, double standard_error, std::uint64_t trials) {
  const boost::math::students_t law(static_cast<double>(trials - 1));
  const double half = boost::math::quantile(boost::math::complement(law, kTail)) * standard_error;
  return {mean, standard_error, mean - half, mean + half};
}

Estimate mean_estimate(const Moments& moments, std::uint64_t trials) {
  const double n = static_cast<double>(trials);
  const double spread =
      std::max(0.0, centred(trials, moments.squares, moments.sum, moments.sum)) / (n - 1);
  return student_estimate(static_cast<double>(moments.sum) / n, std::sqrt(spread / n), trials);
}

Estimate unit_mean_estimate(const WideMoments& moments, std::uint64_t trials) {
  const double n = static_cast<double>(trials);
  const double spread =
      std::max(0.0, centred(trials, moments.squares, moments.sum, moments.sum)) / (n - 1);
  return student_estimate(static_cast<double>(moments.sum) / n / kConditionalUnit,
                          std::sqrt(spread / n) / kConditionalUnit, trials);
}

Estimate proportion_estimate(std::uint64_t successes, std::uint64_t trials) {
  using boost::math::binomial_distribution;
  const double n = static_cast<double>(trials);
  const double k = static_cast<double>(successes);
  const double share = k / n;
  const double low =
      successes == 0 ? 0.0 : binomial_distribution<>::find_lower_bound_on_p(n, k, kTail);
  const double high =
      successes == trials ? 1.0 : binomial_distribution<>::find_upper_bound_on_p(n, k, kTail);
  return {share, std::sqrt(share * (1 - share) / n), low, high};
}

Estimate ratio_estimate(const Moments& numerator, const Moments& denominator, WideCount products,
                        std::uint64_t trials) {
  const double n = static_cast<double>(trials);
  const double mean = static_cast<double>(denominator.sum) / n;
  const double ratio = static_cast<double>(numerator.sum) / static_cast<double>(denominator.sum);
  const double spread =
      centred(trials, numerator.squares, numerator.sum, numerator.sum) -
      2 * ratio * centred(trials, products, numerator.sum, denominator.sum) +
      ratio * ratio * centred(trials, denominator.squares, denominator.sum, denominator.sum);
  const double variance = std::max(0.0, spread) / (n - 1) / n;
  return student_estimate(ratio, std::sqrt(variance) / mean, trials);
}

}  // namespace speclab
