#pragma once

namespace speclab {

// Special functions of statistics, accurate to a double's rounding: no result passes through a long
// double, which has 80 bits on one machine and 64 or 128 on another. Tails of n trials have a
// relative error of about n 2^-52.

/// P(X > x), X ~ Beta(a, b), for a, b > 0 and x in [0, 1].
double beta_above(double a, double b, double x);
/// The x with beta_above(a, b, x) = tail.
double beta_limit(double a, double b, double tail);

/// P(X <= k) and P(X >= k), X ~ Binomial(n, share), for every whole k.
double binomial_at_most(double k, double n, double share);
double binomial_at_least(double k, double n, double share);

/// P(X > x) of the chi-squared law, and of the non-central law with this shift > 0.
double chi_squared_above(double x, double degrees);
double shifted_chi_squared_above(double x, double degrees, double shift);

/// P(X > x) of Student's law, and the x for which it equals `tail`.
double students_above(double x, double degrees);
double students_limit(double degrees, double tail);

/// n choose k.
double binomial_coefficient(unsigned n, unsigned k);

}  // namespace speclab
