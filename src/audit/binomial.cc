#include "audit/binomial.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/special.h"

namespace speclab {
namespace {

/// The first whole number in [0, n + 1] at which a monotone property is true.
template <class Holds>
double first_where(double n, const Holds& holds) {
  double below = -1;  // where it is false
  double from = n + 1;
  while (from - below > 1) {
    const double middle = std::floor((below + from) / 2);
    (holds(middle) ? from : below) = middle;
  }
  return from;
}

/// The least count that is not rejected as too small, and the least that is rejected as too large.
std::pair<double, double> ends_of(double all, double p, double level) {
  return {first_where(all, [&](double k) { return 2 * binomial_at_most(k, all, p) > level; }),
          first_where(all, [&](double k) { return 2 * binomial_at_least(k, all, p) <= level; })};
}

}  // namespace

CountBand binomial_band(std::uint64_t n, double p, double level) {
  if (!(p > 0)) return {0, 0};
  if (!(p < 1)) return {n, n};
  const auto [low, high] = ends_of(static_cast<double>(n), p, level);
  return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high) - 1};
}

double binomial_power(std::uint64_t n, double p, double q, double level) {
  const auto all = static_cast<double>(n);
  const auto seen_above_zero = [&] { return 1 - std::pow(1 - q, all); };
  if (!(p > 0)) return q > 0 ? seen_above_zero() : 0;
  if (!(p < 1)) return q < 1 ? 1 - std::pow(q, all) : 0;
  const auto [low, high] = ends_of(all, p, level);
  if (!(q > 0)) return low > 0 ? 1 : 0;
  if (!(q < 1)) return high <= all ? 1 : 0;
  return std::min(1.0, binomial_at_most(low - 1, all, q) + binomial_at_least(high, all, q));
}

std::uint64_t decisions_needed(double p, double q, double level, double power, std::uint64_t most) {
  // Rounding separates equal probabilities by less than this.
  constexpr double kEqual = 1e-12;
  constexpr std::uint64_t kFewest = 500;
  if (std::abs(p - q) < kEqual) return 0;
  // Starts from the normal approximation, so that few exact powers are computed.
  const double z = std::sqrt(-2 * std::log(level)) * std::sqrt(p * (1 - p)) +
                   std::sqrt(-2 * std::log(1 - power)) * std::sqrt(q * (1 - q));
  const double rough = z * z / ((p - q) * (p - q));
  std::uint64_t n = kFewest;
  while (n <= most && static_cast<double>(n) * 4 < rough) n *= 2;
  for (; n <= most; n *= 2) {
    if (binomial_power(n, p, q, level) >= power) return n;
  }
  return 0;
}

SeenDeviation deviation_seen(std::uint64_t n, double p, double level, double power) {
  const auto all = static_cast<double>(n);
  p = std::clamp(p, 0.0, 1.0);
  if (!(p > 0)) return {-std::expm1(std::log1p(-power) / all), 0};
  if (!(p < 1)) return {0, -std::expm1(std::log1p(-power) / all)};
  const auto [low, high] = ends_of(all, p, level);
  const auto seen_at = [&, least = low, most = high](double q) {
    const double below = least > 0 ? binomial_at_most(least - 1, all, q) : 0;
    const double above = most <= all ? binomial_at_least(most, all, q) : 0;
    return below + above >= power;
  };
  // The share of the way to the end at which it is seen first.
  const auto first_seen = [&](double end) {
    double unseen = 0, seen = 1;
    while (seen - unseen > 1e-3 * seen) {
      const double middle = unseen > 0 ? (unseen + seen) / 2 : seen / 2;
      (seen_at(p + middle * (end - p)) ? seen : unseen) = middle;
      if (seen < 1e-12) break;
    }
    return seen * std::abs(end - p);
  };
  return {first_seen(1), first_seen(0)};
}

}  // namespace speclab
