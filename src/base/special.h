#pragma once

namespace speclab {

// The special functions of statistics, to doubles' own rounding: no result passes through a long
// double, which has 80 bits on one machine and 64 or 128 on another. Tails of n trials are right to
// about n 2^-52 of themselves.

/// P(X > x), X ~ Beta(a, b), for a, b > 0 and x in [0, 1].
double beta_above(double a, double b, double x);
/// The x with beta_above(a, b, x) = tail.
double beta_limit(double a, double b, double tail);

/// P(X <= k) and P(X >= k), X ~ Binomial(n, share), for every whole k.
double binomial_at_most(double k, double n, double share);
double binomial_at_least(double k, double n, double share);

/// P(X > x) of the chi-squared law, and of the non-central one with this shift > 0.
double chi_squared_above(double x, double degrees);
double shifted_chi_squared_above(double x, double degrees, double shift);

/// P(X > x) of Student's law, and the x at which it is `tail`.
double students_above(double x, double degrees);
double students_limit(double degrees, double tail);

/// n over k.
double binomial_coefficient(unsigned n, unsigned k);

}  // namespace speclab
