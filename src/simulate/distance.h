#pragma once

#include <cstdint>
#include <span>

#include "simulate/interval.h"

namespace speclab {

/// The total variation distance between a known law and the law that `trials` outcomes came from;
/// what the counts leave of the trials were outcomes outside the law's support. The mean is the
/// distance D between the law and the frequencies: never too small on average, and too large by at
/// most B, half the sum over cells of E|frequency - q| for a cell of probability q under the law
/// itself (E|frequency - q| - |p - q| is greatest at p = q).
///
/// With tail the chance on that side:
/// - upper limits: for one set of outcomes, that on which the true distance is reached, Clopper and
///   Pearson hold; the limit is the greatest over the sets that the law and the counts leave open.
/// - least: D, moved by at most 1 / N by a trial, exceeds E D by Freedman's inequality (1975) only
///   with that chance, the variance bounded by the law's likeliest cell and the distance itself.
/// - low: as Clopper and Pearson have it for the set on which D is reached, less a B in which cells
///   count little that clearly differ (beyond e^-7 by Chernoff's bound).
/// The chances of least and of the upper limits are bounds, at any law and any number of trials; of
/// low and high together at most 6% were found.
/// @pre trials >= 2, counts.size() <= law.size(); missing counts are 0
Estimate distance_estimate(std::span<const double> law, std::span<const std::uint64_t> counts,
                           std::uint64_t trials);

}  // namespace speclab
