#include "simulate/interval.h"

#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "base/random.h"
#include "catch.h"

namespace speclab {
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
      const boost::math::binomial law(static_cast<double>(n), p);
      double covered = 0;
      for (std::uint64_t k = 0; k <= n; ++k) {
        const Estimate estimate = proportion_estimate(k, n);
        REQUIRE(estimate.low <= estimate.high);
        if (estimate.low <= p && p <= estimate.high) {
          covered += boost::math::pdf(law, static_cast<double>(k));
        }
      }
      CAPTURE(n, p);
      CHECK(covered >= 0.95 - 1e-12);
    }
  }
}

TEST_CASE("the interval of a mean is Student's") {
  // 1, 2, 3, 4: mean 5/2, variance 5/3, t quantile of 3 degrees 3.182446.
  Moments moments;
  for (const std::uint64_t value : {1U, 2U, 3U, 4U}) moments.add(value);
  const Estimate estimate = mean_estimate(moments, 4);
  const double error = std::sqrt(5.0 / 3 / 4);
  CHECK(estimate.mean == 2.5);
  CHECK(estimate.standard_error == Approx(error));
  CHECK(estimate.high == Approx(2.5 + 3.182446 * error));
  CHECK(estimate.low == Approx(2.5 - 3.182446 * error));
}

TEST_CASE("a constant has an interval of width zero, however large") {
  Moments moments;
  constexpr std::uint64_t kTrials = 1000000;
  for (std::uint64_t i = 0; i < kTrials; ++i) moments.add(1234567);
  const Estimate estimate = mean_estimate(moments, kTrials);
  CHECK(estimate.mean == 1234567);
  CHECK(estimate.standard_error == 0);
  CHECK(estimate.low == estimate.high);
}

TEST_CASE("sums beyond 64 bits are kept") {
  // Draft steps of decodes of 10^6 tokens, 2 x 10^8 trials: 3.3e19.
  constexpr std::uint64_t kSteps = 166666666667;
  Moments moments;
  for (int i = 0; i < 200; ++i) {
    moments += {static_cast<WideCount>(kSteps) * 1000000,
                static_cast<WideCount>(kSteps) * kSteps * 1000000};
  }
  const Estimate estimate = mean_estimate(moments, 200000000);
  CHECK(estimate.mean == Approx(static_cast<double>(kSteps)).epsilon(1e-15));
  CHECK(estimate.high == Approx(estimate.low).epsilon(1e-6));
}

TEST_CASE("trials that are all alike leave room for what is rarer than they could show") {
  Moments moments;
  for (int i = 0; i < 1000; ++i) moments.add(2);
  const Estimate same = bounded_mean_estimate(moments, 1000, {0, 2});
  CHECK(same.mean == 2);
  CHECK(same.low == Approx(2 - 2 * (1 - std::pow(0.025, 1e-3))));
  CHECK(same.high == 2);
  CHECK(same.reach_below == Approx(2 * (1 - std::pow(3.167e-5, 1e-3))));
  CHECK(same.reach_above == 0);
  // One trial of 1: two events or fewer are still likely.
  moments.sum -= 1;
  moments.squares -= 3;
  const Estimate one = bounded_mean_estimate(moments, 1000, {0, 2});
  CHECK(one.low < mean_estimate(moments, 1000).low);
  CHECK(one.reach_below > same.reach_below);
}

TEST_CASE("a mean of many different trials is Student's, whatever the range") {
  Moments moments;
  for (std::uint64_t i = 0; i < 1000; ++i) moments.add(i % 3);
  const Estimate plain = mean_estimate(moments, 1000);
  const Estimate bounded = bounded_mean_estimate(moments, 1000, {0, 1e9});
  CHECK(bounded.low == plain.low);
  CHECK(bounded.high == plain.high);
  CHECK(bounded.reach_below == 0);
}

TEST_CASE("the spread of 10^12 trials is not lost in rounding") {
  // Half 10^6, half 10^6 + 1: standard deviation 1/2.
  constexpr std::uint64_t kTrials = 1000000000000;
  const std::uint64_t a = 1000000;
  const std::uint64_t b = a + 1;
  const Moments moments{kTrials / 2 * (a + b),
                        static_cast<WideCount>(kTrials / 2) * (a * a + b * b)};
  CHECK(mean_estimate(moments, kTrials).standard_error == Approx(0.5e-6).epsilon(1e-6));
}

TEST_CASE("means and ratios are covered by their intervals 95 times in 100") {
  // X geometric-like, Y = 1 + a die; ratio of the means 1.5 / 4.5.
  constexpr int kRepeats = 4000;
  constexpr std::uint64_t kTrials = 400;
  int mean_covered = 0;
  int ratio_covered = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    Stream stream(stream_key(3, 0), static_cast<std::uint64_t>(repeat), 0, Purpose::draft);
    Moments x;
    Moments y;
    WideCount products = 0;
    for (std::uint64_t i = 0; i < kTrials; ++i) {
      const auto numerator = static_cast<std::uint64_t>(stream.uniform() * 4);
      const auto denominator = 1 + numerator / 2 + static_cast<std::uint64_t>(stream.uniform() * 7);
      x.add(numerator);
      y.add(denominator);
      products += static_cast<WideCount>(numerator) * denominator;
    }
    const Estimate mean = mean_estimate(x, kTrials);
    mean_covered += mean.low <= 1.5 && 1.5 <= mean.high;
    const Estimate ratio = ratio_estimate(x, y, products, kTrials);
    ratio_covered += ratio.low <= 1.0 / 3 && 1.0 / 3 <= ratio.high;
  }
  // Six standard deviations of a binomial count.
  const double margin = 6 * std::sqrt(0.95 * 0.05 / kRepeats);
  CHECK(std::abs(static_cast<double>(mean_covered) / kRepeats - 0.95) < margin);
  CHECK(std::abs(static_cast<double>(ratio_covered) / kRepeats - 0.95) < margin);
}

}  // namespace
}  // namespace speclab
