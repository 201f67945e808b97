#pragma once

#include <cstdint>

namespace speclab {

// Exact binomial tests: k of n independent decisions come out one way, where the law says that each
// does with probability p. All tails are exact (Boost.Math's incomplete beta function).

/// The two-sided p-value min(1, 2 min(P(X <= k), P(X >= k))); 0 where k is impossible. The
/// probability that it is at most a is at most a, for every a in [0, 1].
double binomial_p_value(std::uint64_t k, std::uint64_t n, double p);

/// The probability, where each comes out so with probability `q`, that the p-value under `p` is at
/// most `level`.
double binomial_power(std::uint64_t n, double p, double q, double level);

/// A number of decisions n at which binomial_power(n, p, q, level) >= power, within a factor of two
/// of the least; 0 where p = q, or more than `most` are needed.
std::uint64_t decisions_needed(double p, double q, double level, double power, std::uint64_t most);

}  // namespace speclab
