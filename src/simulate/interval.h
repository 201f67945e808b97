#pragma once

#include <cstdint>

#include "simulate/tally.h"

namespace speclab {

/// A Monte-Carlo estimate with its standard error and 95% confidence interval.
struct Estimate {
  double mean = 0;
  double standard_error = 0;
  double low = 0;
  double high = 0;
  /// How far below and above the mean the truth may lie but for a chance of 3e-5 a side (that of
  /// four standard errors), where too few trials differ for the standard error to tell; else 0.
  double reach_below = 0;
  double reach_above = 0;
};

/// The least and the greatest value that a quantity can take.
struct Range {
  double low = 0;
  double high = 0;
};

/// The mean of a quantity with a Student interval; standard error with n - 1.
/// @param units  the quantity is counted in units of 1 / units   @pre trials >= 2
Estimate mean_estimate(const Moments& moments, std::uint64_t trials, double units = 1);

/// The mean of a quantity of that range. Where fewer than about a hundred trials differ from the
/// others, and few of all, the interval also covers what as many rare events might add: with N
/// trials that are all alike, the range times 3.7 / N.
Estimate bounded_mean_estimate(const Moments& moments, std::uint64_t trials, Range range,
                               double units = 1);

/// A probability with its Clopper-Pearson interval. @pre trials >= 1
Estimate proportion_estimate(std::uint64_t successes, std::uint64_t trials);

/// The ratio of the means of two quantities of the same trials (delta method, Student interval).
/// @pre trials >= 2 and the denominator's sum is positive
Estimate ratio_estimate(const Moments& numerator, const Moments& denominator, WideCount products,
                        std::uint64_t trials);

/// The covariance of the means of two quantities of the same trials. @pre trials >= 2
double mean_covariance(const Moments& a, const Moments& b, WideCount products,
                       std::uint64_t trials);

/// `mean` with a Student interval of the given standard error, n - 1 degrees of freedom.
Estimate student_estimate(double mean, double standard_error, std::uint64_t trials);

}  // namespace speclab
