#include "simulate/interval.h"

#include <cmath>
#include <functional>
#include <vector>

#include "catch.h"
#include "exact_misses.h"

namespace speclab::interval_test {
namespace {

TEST_CASE("the interval of a proportion is Clopper and Pearson's") {
  // 3 of 20: the published interval is (0.0321, 0.3789).
  const Estimate estimate = proportion_estimate(3, 20);
  CHECK(estimate.mean == Approx(0.15));
  CHECK(estimate.standard_error == Approx(std::sqrt(0.15 * 0.85 / 20)));
  CHECK(estimate.low == Approx(0.0321).margin(5e-5));
  CHECK(estimate.high == Approx(0.3789).margin(5e-5));
  // None and all: one end is exact, the other the rule of (alpha / 2)^(1 / n).
  CHECK(proportion_estimate(0, 20).low == 0);
  CHECK(proportion_estimate(0, 20).high == Approx(1 - std::pow(0.025, 1.0 / 20)));
  CHECK(proportion_estimate(20, 20).high == 1);
  CHECK(proportion_estimate(20, 20).low == Approx(std::pow(0.025, 1.0 / 20)));
}

TEST_CASE("the interval of a proportion covers at least 95%, by the exact binomial law") {
  for (const std::uint64_t n : {1U, 5U, 30U, 100U}) {
    for (const double p : {0.001, 0.02, 0.1, 0.3, 0.5, 0.77, 0.999}) {
      double covered = 0;
      for (std::uint64_t k = 0; k <= n; ++k) {
        const Estimate estimate = proportion_estimate(k, n);
        REQUIRE(estimate.low <= estimate.high);
        if (estimate.low <= p && p <= estimate.high) {
          covered += binomial_chance(static_cast<int>(k), static_cast<double>(n), p);
        }
      }
      CAPTURE(n, p);
      CHECK(covered >= 0.95 - 1e-12);
    }
  }
}

constexpr double kExpectedEvents[] = {0.1, 0.3, 1, 3, 5.5, 10, 30};

/// How often the truth lies outside the two intervals, over the numbers of two rare events in
/// 1000 trials, of which `first` and `second` are expected.
/// @param tail  the chance on its side of what was seen, given both numbers
Misses misses(double first, double second, const std::function<double(int, int)>& tail) {
  Misses result;
  const auto most = [](double events) {
    return static_cast<int>(events + 7 * std::sqrt(events)) + 9;
  };
  for (int i = 0; i <= most(first); ++i) {
    const double weight = binomial_chance(i, 1000, first / 1000);
    for (int j = 0; j <= (second > 0 ? most(second) : 0); ++j) {
      const double both =
          second > 0 ? weight * binomial_chance(j, 1000 - i, second / (1000 - first)) : weight;
      if (both < 1e-10) continue;
      const double chance = tail(i, j);
      // A limit at the truth itself covers it.
      if (chance < kIntervalTail * (1 - 1e-9)) result.interval += both;
      if (chance < kAlarmTail * (1 - 1e-9)) result.alarm += both;
    }
  }
  return result;
}

/// 1000 trials at `base`, but for i that add `a` and j that add `b`.
Spread of_events(int i, int j, double a, double b, double base, Range range) {
  const double mean = (i * a + j * b) / 1000;
  const double variance = (i * a * a + j * b * b) / 1000 - mean * mean;
  return {base + mean, std::max(0.0, variance), range, 1000};
}

TEST_CASE("rare events of one size: the intervals of a mean hold by the exact law") {
  // An event moves the trial from 0 to the end of the range, or a part of the way.
  for (const double step : {1.0, 0.5, 0.02, -1.0}) {
    const Range range{step < 0 ? -1.0 : 0.0, step < 0 ? 0.0 : 1.0};
    for (const double events : kExpectedEvents) {
      const Misses found = misses(events, 0, [&](int i, int) {
        return mean_tail(of_events(i, 0, step, 0, 0, range), events * step / 1000);
      });
      CAPTURE(step, events);
      CHECK(found.interval <= 0.05);
      CHECK(found.alarm <= 2 * kAlarmTail);
    }
  }
}

TEST_CASE("rare events of two sizes and sides: the intervals of a mean hold by the exact law") {
  for (const double size : {0.9, 0.5, 0.1, -0.1, -0.5, -1.0}) {
    for (const double first : kExpectedEvents) {
      for (const double second : kExpectedEvents) {
        const Misses found = misses(first, second, [&](int i, int j) {
          return mean_tail(of_events(i, j, size, 1, 0, {size < 0 ? -1.0 : 0.0, 1}),
                           (first * size + second) / 1000);
        });
        CAPTURE(size, first, second);
        CHECK(found.interval <= 0.05);
        CHECK(found.alarm <= 1e-4);
      }
    }
  }
}

TEST_CASE("rare events in a ratio's parts: its intervals hold by the exact law") {
  // 4 tokens in 2 calls; an event of the first kind takes a call more, of the second two more, or
  // ends after a token and a call. 0 to 4 tokens, 1 to 4 calls.
  for (const bool ends : {false, true}) {
    for (const double first : kExpectedEvents) {
      for (const double second : kExpectedEvents) {
        const double tokens = 4 - (ends ? 3 * second / 1000 : 0);
        const double calls = 2 + (first + (ends ? -1 : 2) * second) / 1000;
        const Misses found = misses(first, second, [&](int i, int j) {
          const double r = tokens / calls;
          return mean_tail(of_events(i, j, -r, ends ? r - 3 : -2 * r, 4 - 2 * r, {-4 * r, 4 - r}),
                           0);
        });
        CAPTURE(ends, first, second);
        CHECK(found.interval <= 0.05);
        CHECK(found.alarm <= 1e-4);
      }
    }
  }
}

TEST_CASE("a limit is where the tail is what was asked for, and never leaves the range") {
  for (const int i : {0, 1, 3, 30, 400}) {
    for (const int j : {0, 1, 5}) {
      const Spread spread = of_events(i, j, 2, 9, 1, {0, 11});
      CAPTURE(i, j);
      for (const double tail : {kIntervalTail, kAlarmTail}) {
        const double low = lower_limit(spread, tail), high = upper_limit(spread, tail);
        CHECK(low >= 0);
        CHECK(high <= 11);
        CHECK(low < spread.mean);
        CHECK(high > spread.mean);
        CHECK(mean_tail(spread, low) == Approx(tail).epsilon(1e-6));
        CHECK(mean_tail(spread, high) == Approx(tail).epsilon(1e-6));
      }
      CHECK(mean_tail(spread, 11.5) == 0);
      CHECK(mean_tail(spread, -0.5) == 0);
      const Estimate estimate = mean_estimate(spread);
      CHECK(estimate.least == lower_limit(spread, kAlarmTail));
      CHECK(estimate.high == upper_limit(spread, kIntervalTail));
    }
  }
}

TEST_CASE("trials all alike leave room for what is rarer than they could show") {
  const Estimate same = mean_estimate({2, 0, {0, 2}, 1000});
  CHECK(same.low == Approx(2 - 2 * (1 - std::pow(0.025, 1e-3))));
  CHECK(same.high == 2);
  CHECK(same.least == Approx(2 - 2 * (1 - std::pow(kAlarmTail, 1e-3))));
  CHECK(same.most == 2);
  // Nothing else is possible: no room.
  const Estimate sure = mean_estimate({2, 0, {2, 2}, 1000});
  CHECK(sure.low == 2);
  CHECK(sure.most == 2);
}

TEST_CASE("of many events the interval is the normal one") {
  // Half of all, and one in ten of a wide range: the width within 1% of the normal interval's.
  for (const auto& [spread, events] :
       std::vector<std::pair<Spread, double>>{{{0.5, 0.25, {0, 1}, 100000}, 5e4},
                                              {{16.4, 9, {0, 50}, 100000}, 800},
                                              {{2, 2, {0, 8}, 100000}, 5e3},
                                              {{0.1, 0.09, {0, 1}, 1000}, 100}}) {
    const Estimate estimate = mean_estimate(spread);
    CAPTURE(events);
    const double ratio = (estimate.high - estimate.low) / (2 * 1.959964 * estimate.standard_error);
    CHECK(ratio > 0.99);
    CHECK(ratio < 1.05);
    const double far = (estimate.most - estimate.least) / (2 * 4.0556 * estimate.standard_error);
    CHECK(far > 0.99);
    CHECK(far < 1.1);
  }
}

Moments moments_of(const std::vector<std::uint64_t>& values) {
  Moments moments;
  for (const std::uint64_t value : values) moments.add(value);
  return moments;
}

TEST_CASE("the spread and the covariance are the trials'") {
  // 1, 2, 3, 4: variance 5/4 around 5/2; with 2, 0, 1, 9: mean 3, products 41, 41/4 - 15/2.
  const Moments a = moments_of({1, 2, 3, 4});
  const Moments b = moments_of({2, 0, 1, 9});
  const Spread spread = spread_of(a, 4, {0, 4});
  CHECK(spread.mean == 2.5);
  CHECK(spread.variance == 1.25);
  CHECK(mean_estimate(spread).standard_error == Approx(std::sqrt(1.25 / 3)));
  CHECK(covariance(a.sum, b.sum, 1 * 2 + 2 * 0 + 3 * 1 + 4 * 9, 4) == 2.75);
  const Spread halves = spread_of(a, 4, {0, 2}, 2);
  CHECK(halves.mean == 1.25);
  CHECK(halves.variance == 0.3125);
}

TEST_CASE("sums beyond 64 bits are kept, and small spreads of large numbers") {
  // Draft steps of decodes of 10^6 tokens, 2 x 10^8 trials all alike.
  constexpr std::uint64_t kSteps = 166666666667;
  const WideCount trials = 200000000;
  const Moments alike{kSteps * trials, static_cast<WideCount>(kSteps) * kSteps * trials};
  const Spread spread = spread_of(alike, 200000000, {0, 1e12});
  CHECK(spread.mean == Approx(static_cast<double>(kSteps)).epsilon(1e-15));
  CHECK(spread.variance == 0);
  // Half 10^6, half 10^6 + 1 of 10^12 trials: standard deviation 1/2.
  constexpr std::uint64_t kTrials = 1000000000000;
  const std::uint64_t a = 1000000;
  const std::uint64_t b = a + 1;
  const Moments halves{kTrials / 2 * (a + b),
                       static_cast<WideCount>(kTrials / 2) * (a * a + b * b)};
  CHECK(spread_of(halves, kTrials, {0, 2e6}).variance == Approx(0.25).epsilon(1e-12));
}

TEST_CASE("a ratio's interval is Fieller's, and ends with its range") {
  // A = 1 + 2 B - 3 X with B a die: by the definition, the r at which 0 is a limit of A - r B.
  const Range range{0.1, 4};
  const auto excess = [](double r) -> Spread {
    // Means 3, 2; variances 2, 1; covariance 1/2.
    return {3 - 2 * r, 2 - r + r * r, {-4 * r, 9 - r}, 400};
  };
  const Estimate ratio = ratio_estimate(1.5, 2, range, excess);
  CHECK(ratio.mean == 1.5);
  CHECK(ratio.standard_error == Approx(std::sqrt((2 - 1.5 + 2.25) / 399) / 2));
  CHECK(mean_tail(excess(ratio.low), 0) == Approx(kIntervalTail).epsilon(1e-6));
  CHECK(mean_tail(excess(ratio.high), 0) == Approx(kIntervalTail).epsilon(1e-6));
  CHECK(mean_tail(excess(ratio.least), 0) == Approx(kAlarmTail).epsilon(1e-6));
  CHECK(mean_tail(excess(ratio.most), 0) == Approx(kAlarmTail).epsilon(1e-6));
  CHECK(ratio.least < ratio.low);
  CHECK(ratio.low < 1.5);
  CHECK(ratio.most > ratio.high);
  const Estimate cut = ratio_estimate(1.5, 2, {1.49, 1.51}, excess);
  CHECK(cut.low == 1.49);
  CHECK(cut.most == 1.51);
  CHECK(ratio_estimate(1.5, 2, {0, HUGE_VAL}, excess).high == Approx(ratio.high));
}

TEST_CASE("a ratio without an upper bound has the limit that its trials give") {
  // Means 1, 1/10; variances 1, 9/100: far above twice the ratio the trials still allow more.
  const auto excess = [](double r) -> Spread {
    return {1 - 0.1 * r, 1 + 0.09 * r * r, {-r, 10}, 100};
  };
  const Estimate ratio = ratio_estimate(10, 0.1, {0, HUGE_VAL}, excess);
  CHECK(ratio.high > 20);
  CHECK(mean_tail(excess(ratio.high), 0) == Approx(kIntervalTail).epsilon(1e-6));
}

TEST_CASE("a scaled estimate is scaled in all its numbers") {
  const Estimate twice = scaled({1, 2, 3, 4, 5, 6}, 2);
  CHECK(twice.mean == 2);
  CHECK(twice.standard_error == 4);
  CHECK(twice.low == 6);
  CHECK(twice.high == 8);
  CHECK(twice.least == 10);
  CHECK(twice.most == 12);
}

}  // namespace
}  // namespace speclab::interval_test
