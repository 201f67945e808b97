#include "simulate/interval.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace speclab {
namespace {

constexpr double kTail = 0.025;
constexpr double kReachTail = 3.167e-5;  // one side of four standard errors

// The greatest and the least probability that `successes` of `trials` leave possible (Clopper and
// Pearson 1934), each but for a chance of `tail`.

using Binomial = boost::math::binomial_distribution<>;

double at_most(std::uint64_t successes, std::uint64_t trials, double tail) {
  if (successes == trials) return 1;
  return Binomial::find_upper_bound_on_p(static_cast<double>(trials),
                                         static_cast<double>(successes), tail);
}

double at_least(std::uint64_t successes, std::uint64_t trials, double tail) {
  if (successes == 0) return 0;
  return Binomial::find_lower_bound_on_p(static_cast<double>(trials),
                                         static_cast<double>(successes), tail);
}

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

Estimate mean_estimate(const Moments& moments, std::uint64_t trials, double units) {
  const double n = static_cast<double>(trials);
  const double spread =
      std::max(0.0, centred(trials, moments.squares, moments.sum, moments.sum)) / (n - 1);
  return student_estimate(static_cast<double>(moments.sum) / n / units,
                          std::sqrt(spread / n) / units, trials);
}

Estimate bounded_mean_estimate(const Moments& moments, std::uint64_t trials, Range range,
                               double units) {
  Estimate result = mean_estimate(moments, trials, units);
  // A trial that differs from the middle adds at least 1 to the spread around it, so the spread
  // bounds their number.
  constexpr std::uint64_t kFew = 100;
  const WideCount n = trials;
  const WideCount middle = (2 * moments.sum + n) / (2 * n);
  const WideCount spread = moments.squares + n * middle * middle - 2 * middle * moments.sum;
  if (spread >= kFew || (spread > 0 && spread > n / 10)) return result;
  const double centre = static_cast<double>(middle) / units;
  const auto below = [&](double tail) {
    return result.mean - centre +
           (centre - range.low) * at_most(static_cast<std::uint64_t>(spread), trials, tail);
  };
  const auto above = [&](double tail) {
    return centre - result.mean +
           (range.high - centre) * at_most(static_cast<std::uint64_t>(spread), trials, tail);
  };
  result.low = std::max(range.low, std::min(result.low, result.mean - below(kTail)));
  result.high = std::min(range.high, std::max(result.high, result.mean + above(kTail)));
  result.reach_below = std::max(0.0, below(kReachTail));
  result.reach_above = std::max(0.0, above(kReachTail));
  return result;
}

Estimate proportion_estimate(std::uint64_t successes, std::uint64_t trials) {
  const double share = static_cast<double>(successes) / static_cast<double>(trials);
  const auto low = [&](double tail) { return at_least(successes, trials, tail); };
  const auto high = [&](double tail) { return at_most(successes, trials, tail); };
  return {share,
          std::sqrt(share * (1 - share) / static_cast<double>(trials)),
          low(kTail),
          high(kTail),
          share - low(kReachTail),
          high(kReachTail) - share};
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
