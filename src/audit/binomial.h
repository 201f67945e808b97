#pragma once

#include <cstdint>

namespace speclab {

// The power of binomial_p_value (simulate/statistics.h): k of n independent decisions have an
// outcome of probability p under the law. P(p-value <= a) <= a for every a in [0, 1]. All tails are
// exact (Boost.Math's incomplete beta function).

/// The counts whose p-value under `p` is above `level`: from least to most.
struct CountBand {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};
CountBand binomial_band(std::uint64_t n, double p, double level);

/// The probability, where the outcome has probability `q`, that the p-value under `p` is at most
/// `level`.
double binomial_power(std::uint64_t n, double p, double q, double level);

/// A number of decisions n at which binomial_power(n, p, q, level) >= power, within a factor of two
/// of the least; 0 where p = q, or more than `most` are needed.
std::uint64_t decisions_needed(double p, double q, double level, double power, std::uint64_t most);

/// The least deviations of the outcome's probability from p, upwards and downwards, that are seen
/// with this power (within 1e-3 of them); 1 - p and p where none is.
struct SeenDeviation {
  double more = 0;
  double less = 0;
};
SeenDeviation deviation_seen(std::uint64_t n, double p, double level, double power);

}  // namespace speclab
