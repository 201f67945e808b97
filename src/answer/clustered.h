#pragma once

#include <optional>
#include <span>

#include "simulate/interval.h"

namespace speclab {

// Intervals over clusters: what is measured within one prompt of a recording goes together, so that
// prompts are what there is many of. A quantity is a ratio of sums over the prompts, such as tokens
// over iterations, and its standard error is the delete-one jackknife over the prompts (Tukey 1958;
// Efron and Tibshirani 1993, chapter 11): with R_p the ratio without prompt p, of n prompts,
//   variance = (n - 1)/n sum over p of (R_p - mean R)^2,
// and the interval is Student's t with n - 1 degrees of freedom. For one iteration a prompt that is
// the usual standard error of a mean. Prompts without an iteration are left out.

/// sum(above) / sum(below), cut to `range`. Nothing with fewer than two prompts.
/// @param above,below  by prompt; below >= 0
std::optional<Estimate> clustered_ratio(std::span<const double> above,
                                        std::span<const double> below, Range range);

/// The difference of two ratios on the same prompts, each left out of both at once: what they have
/// in common cancels.
struct RatioSums {
  std::span<const double> above, below;
};
std::optional<Estimate> clustered_difference(const RatioSums& one, const RatioSums& other,
                                             Range range);

}  // namespace speclab
