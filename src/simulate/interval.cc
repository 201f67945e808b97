#include "simulate/interval.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "base/special.h"

namespace speclab {
namespace {

/// The law of two values, `base` and base + step, that stands for a spread: the upper one is the
/// range's end and came `events` times.
struct TwoValues {
  double base = 0;
  double step = 0;
  double events = 0;
};

TwoValues two_values(const Spread& s) {
  const double above = std::max(0.0, s.range.high - s.mean);
  const double below = std::max(0.0, s.mean - s.range.low);
  const double variance = std::min(s.variance, above * below);  // no law has more
  if (!(above > 0) || !(variance > 0)) return {s.mean, above, 0};
  const double share = variance / (variance + above * above);
  const double step = above + variance / above;
  return {s.range.high - step, step, share * static_cast<double>(s.trials)};
}

/// The same trials seen from the other side.
Spread mirrored(const Spread& s) {
  return {-s.mean, s.variance, {-s.range.high, -s.range.low}, s.trials};
}

/// The chance of a mean as small as this, or smaller, where `expected` > mean.
double tail_below(const Spread& s, double expected) {
  const TwoValues law = two_values(s);
  if (!(expected < law.base + law.step)) return 0;
  const double rest = static_cast<double>(s.trials) - law.events;
  const double share = (expected - law.base) / law.step;
  if (!(rest > 0) || !(share > 0)) return 1;
  return beta_above(law.events + 1, rest, share);
}

/// Where the tail of the excess falls to `tail`, between the ratio and an end of its range.
double ratio_limit(double ratio, double end, double tail,
                   const std::function<Spread(double)>& excess) {
  // At the ratio itself the excess is 0 but for its rounding, which may lie outside its range.
  const auto chance = [&](double r) { return (r == ratio ? 1 : mean_tail(excess(r), 0)) - tail; };
  if (std::isinf(end)) {
    double beyond = std::max(1.0, 2 * ratio);
    while (chance(beyond) >= 0 && beyond < 1e18) beyond *= 2;
    if (!(beyond < 1e18)) return end;
    end = beyond;
  }
  if (!(std::abs(end - ratio) > 0) || chance(end) >= 0) return end;
  std::uintmax_t steps = 100;
  const auto bracket =
      boost::math::tools::toms748_solve(chance, std::min(ratio, end), std::max(ratio, end),
                                        boost::math::tools::eps_tolerance<double>(40), steps);
  return end > ratio ? bracket.second : bracket.first;
}

__extension__ using SignedWide = __int128;

/// Sum of (a - at_a) (b - at_b) over the trials, exactly.
SignedWide centred(WideCount products, WideCount a, WideCount b, WideCount at_a, WideCount at_b,
                   std::uint64_t trials) {
  return static_cast<SignedWide>(products + trials * at_a * at_b - at_a * b - at_b * a);
}

/// The whole number next to a mean.
WideCount middle(WideCount sum, std::uint64_t trials) {
  const WideCount n = trials;
  return (2 * sum + n) / (2 * n);
}

/// sum / trials - at, without a loss of digits.
double distance(WideCount sum, WideCount at, std::uint64_t trials) {
  return static_cast<double>(static_cast<SignedWide>(sum - at * trials)) /
         static_cast<double>(trials);
}

}  // namespace

double covariance(WideCount a, WideCount b, WideCount products, std::uint64_t trials) {
  // Around whole numbers next to the means no digit is lost, however large the numbers are.
  const WideCount at_a = middle(a, trials);
  const WideCount at_b = middle(b, trials);
  const SignedWide sum = centred(products, a, b, at_a, at_b, trials);
  return static_cast<double>(sum) / static_cast<double>(trials) -
         distance(a, at_a, trials) * distance(b, at_b, trials);
}

Spread spread_of(const Moments& moments, std::uint64_t trials, Range range, double units) {
  const double variance =
      std::max(0.0, covariance(moments.sum, moments.sum, moments.squares, trials)) /
      (units * units);
  const double mean = static_cast<double>(moments.sum) / static_cast<double>(trials) / units;
  return {mean, variance, range, trials};
}

double upper_limit(const Spread& spread, double tail) {
  const TwoValues law = two_values(spread);
  const double rest = static_cast<double>(spread.trials) - law.events;
  if (!(rest > 0) || !(law.step > 0)) return std::min(law.base + law.step, spread.range.high);
  const double share = beta_limit(law.events + 1, rest, tail);
  return std::clamp(law.base + law.step * share, spread.mean,
                    std::max(spread.mean, spread.range.high));
}

double lower_limit(const Spread& spread, double tail) {
  return -upper_limit(mirrored(spread), tail);
}

double mean_tail(const Spread& spread, double expected) {
  if (expected > spread.mean) return tail_below(spread, expected);
  if (expected < spread.mean) return tail_below(mirrored(spread), -expected);
  return 1;
}

Estimate mean_estimate(const Spread& spread) {
  const double error = std::sqrt(spread.variance / static_cast<double>(spread.trials - 1));
  return {spread.mean,
          error,
          lower_limit(spread, kIntervalTail),
          upper_limit(spread, kIntervalTail),
          lower_limit(spread, kAlarmTail),
          upper_limit(spread, kAlarmTail)};
}

Estimate proportion_estimate(std::uint64_t successes, std::uint64_t trials) {
  const double share = static_cast<double>(successes) / static_cast<double>(trials);
  const double variance = share * (1 - share);
  Estimate estimate = mean_estimate({share, variance, {0, 1}, trials});
  estimate.standard_error = std::sqrt(variance / static_cast<double>(trials));
  return estimate;
}

Estimate ratio_estimate(double ratio, double denominator, Range range,
                        const std::function<Spread(double)>& excess) {
  if (!(denominator > 0)) return {NAN, NAN, NAN, NAN, NAN, NAN};
  const Spread here = excess(ratio);
  const double error = std::sqrt(here.variance / static_cast<double>(here.trials - 1));
  const auto limit = [&](double end, double tail) { return ratio_limit(ratio, end, tail, excess); };
  const double low = std::min(range.low, ratio);
  const double high = std::max(range.high, ratio);
  return {ratio,
          error / denominator,
          limit(low, kIntervalTail),
          limit(high, kIntervalTail),
          limit(low, kAlarmTail),
          limit(high, kAlarmTail)};
}

Estimate scaled(const Estimate& e, double factor) {
  return {factor * e.mean, factor * e.standard_error, factor * e.low,
          factor * e.high, factor * e.least,          factor * e.most};
}

}  // namespace speclab
