#pragma once

#include <cstdint>
#include <span>

#include "simulate/interval.h"

namespace speclab {

// Tests of counts against a known law. Every test states how likely it is to raise a false alarm,
// and there is a sample size for every power, so that a check that cannot fail is distinguished
// from one that did not.

/// Cells with a smaller expected count are merged (the usual rule for the chi-squared law of G).
inline constexpr double kLeastExpected = 5;

/// What the G-test (likelihood-ratio test, Wilks 1935) says of counts against a law.
struct FitTest {
  std::uint64_t sample = 0;   ///< sum of the counts
  std::uint64_t outside = 0;  ///< counts where the law has probability 0
  bool too_small = false;     ///< fewer than two cells are left of a law with several: no verdict
  double statistic = 0;       ///< G = 2 sum count ln(count / expected), over merged cells
  int degrees = 0;            ///< merged cells - 1
  /// P(chi-squared of `degrees` >= G): nearly uniform under the law; 0 with counts outside.
  double p_value = 1;
  /// An upper bound on P(G >= statistic) under the law that holds at any sample size and any level,
  /// where the chi-squared approximation does not (see fit_bound); 0 with counts outside.
  double p_bound = 1;

  /// Whether the law is refuted with a false-alarm probability of at most `level`.
  [[nodiscard]] bool rejects(double level) const { return p_bound <= level; }
};

/// Tests counts against `law`. The cells are merged from the rarest up until each expects at least
/// kLeastExpected counts; which cells are merged depends on the law and the sample's size alone.
/// @pre counts.size() <= law.size(); missing counts are 0; the law sums to 1 up to rounding
FitTest fit_test(std::span<const double> law, std::span<const std::uint64_t> counts);

/// exp(-G/2) (e G / (2 degrees))^degrees for G > 2 degrees, else 1: an upper bound on the
/// probability of so large a G, from E exp(s G/2) <= (1 - s)^-degrees, which holds for every
/// multinomial (Agrawal 2020, "Finite-sample concentration of the multinomial in relative entropy",
/// Theorem 1.2).
double fit_bound(double statistic, int degrees);

/// The probability with which a sample of `alternative` is rejected by fit_test against `law` at
/// `level`: exact for outcomes outside the law's support; elsewhere G is taken as non-central
/// chi-squared with 2 n KL(alternative, law), an approximation.
double fit_power(std::span<const double> law, std::span<const double> alternative,
                 std::uint64_t sample, double level);

/// The smallest sample (within 1 in 64) for which fit_power is at least `power`.
/// @throws InputError when no sample up to 2^53 reaches it (the laws are equal).
std::uint64_t fit_sample_size(std::span<const double> law, std::span<const double> alternative,
                              double level, double power);

/// Two-sided exact binomial test: min(1, 2 min(P(X <= successes), P(X >= successes))).
/// @pre probability in [0, 1], successes <= trials
double binomial_p_value(std::uint64_t successes, std::uint64_t trials, double probability);

/// An upper bound on the probability that the mean of `trials` independent numbers in [0, width]
/// lies this far from its expectation (Hoeffding 1963, Theorem 2, two-sided).
double mean_p_bound(double mean, double expected, double width, std::uint64_t trials);

/// The same by the spread of the trials themselves (Maurer and Pontil 2009, Theorem 4, two-sided):
/// an upper bound at any law on the range and any number of trials. @pre trials >= 2
double mean_p_bound(const Spread& spread, double expected);

/// The distance between mean and expectation at which that bound is `level`. A truth that lies
/// twice as far off is found with a probability of at least 1 - level / 2.
double mean_distance(const Spread& spread, double level);

}  // namespace speclab
