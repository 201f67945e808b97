#pragma once

#include <cstdint>
#include <functional>

#include "simulate/tally.h"

namespace speclab {

// Intervals that hold where few trials differ from the others. Of a mean the trials keep two
// moments, and the quantity has a range [low, high] that no trial leaves. Of all laws of that mean
// and variance on that range, the one whose upper tail is heaviest has two values, the upper one
// the range's end (Bennett 1962; Hoeffding 1963, Theorem 3). The upper limit is that of Clopper and
// Pearson (1934) for this law and as many trials, the lower one likewise with the lower end. So
//   - a proportion has the Clopper-Pearson interval itself;
//   - N trials all alike leave room for events of probability 3.7 / N, as large as the range lets;
//   - no limit leaves the range;
//   - where a hundred events or more make up the spread, it is the normal interval.
// For laws of three values the chances stated below were computed: at most 5% and 1e-4.

/// The chance, on each side, that the truth lies beyond the 95% interval.
inline constexpr double kIntervalTail = 0.025;
/// The chance, on each side, that it lies beyond [least, most]: where a closed form does, the two
/// differ, a false alarm in 20,000 comparisons. Of a normal estimate it is 4.06 standard errors.
inline constexpr double kAlarmTail = 2.5e-5;

/// A Monte-Carlo estimate with its standard error, its 95% interval [low, high], and the interval
/// [least, most] outside of which a closed form differs from it.
struct Estimate {
  double mean = 0;
  double standard_error = 0;
  double low = 0;
  double high = 0;
  double least = 0;
  double most = 0;
};

/// The least and the greatest value that a quantity can take.
struct Range {
  double low = 0;
  double high = 0;
};

/// What trials say of the mean of a quantity of a known range.
struct Spread {
  double mean = 0;
  double variance = 0;  ///< mean squared distance from `mean`
  Range range;
  std::uint64_t trials = 0;
};

/// @param units  the quantity is counted in units of 1 / units   @pre trials >= 1
Spread spread_of(const Moments& moments, std::uint64_t trials, Range range, double units = 1);

/// The covariance of two quantities of the same trials (the mean product of their distances from
/// their means). @param a, b  their sums, `products` that of their products   @pre trials >= 1
double covariance(WideCount a, WideCount b, WideCount products, std::uint64_t trials);

/// The least and the greatest expectation of which such trials have a chance of `tail` or more.
double lower_limit(const Spread& spread, double tail);
double upper_limit(const Spread& spread, double tail);

/// The chance of a mean at least as far from `expected`, on the side that it is on: the tail at
/// which `expected` becomes the limit. 1 where they are equal, 0 beyond the range.
double mean_tail(const Spread& spread, double expected);

/// @pre trials >= 2
Estimate mean_estimate(const Spread& spread);

/// A probability; its standard error with n, not n - 1. @pre trials >= 1
Estimate proportion_estimate(std::uint64_t successes, std::uint64_t trials);

/// The ratio of two expectations, from the trials' A - r B: its interval holds each r in `range` at
/// which an expectation of 0 lies within that of A - r B (Fieller 1954).
/// @param excess       the spread of A - r B at any r
/// @param denominator  the mean of B >= 0; where it is 0 all numbers are NaN
/// @param range        its upper end may be infinite
Estimate ratio_estimate(double ratio, double denominator, Range range,
                        const std::function<Spread(double r)>& excess);

/// The estimate of factor times the quantity. @pre factor >= 0
Estimate scaled(const Estimate& estimate, double factor);

}  // namespace speclab
