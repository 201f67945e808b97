#include "simulate/statistics.h"

#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "catch.h"
#include "exact_misses.h"

namespace speclab::statistics_test {
namespace {

using Law = std::vector<double>;
using Counts = std::vector<std::uint64_t>;

/// A sample of `size` from a law, from stream number `index` of this file.
Counts sample(const Law& law, std::uint64_t size, int index) {
  return sample_counts("statistics", law, size, static_cast<std::uint64_t>(index));
}

TEST_CASE("G is twice the likelihood ratio, its p-value chi-squared") {
  // Cells (50, 30, 20) against thirds of 100: G = 2 sum n ln(3 n / 100).
  const Law law{1.0 / 3, 1.0 / 3, 1.0 / 3};
  const FitTest test = fit_test(law, Counts{50, 30, 20});
  const double g = 2 * (50 * std::log(1.5) + 30 * std::log(0.9) + 20 * std::log(0.6));
  CHECK(test.statistic == Approx(g));
  CHECK(test.degrees == 2);
  CHECK(test.p_value == Approx(std::exp(-g / 2)));  // chi-squared of 2 degrees
  CHECK(test.sample == 100);
  CHECK_FALSE(test.too_small);
  CHECK(fit_test(law, Counts{30, 30, 30}).statistic == Approx(0).margin(1e-12));
  CHECK(fit_test(law, Counts{30, 30, 30}).p_value == Approx(1));
}

TEST_CASE("small cells are merged from the rarest up") {
  // 100 counts expect 60, 30, 6, 2, 1.5, 0.5: the last three make 4 and take the 6 with them.
  const Law law{0.60, 0.30, 0.06, 0.02, 0.015, 0.005};
  const FitTest test = fit_test(law, Counts{60, 30, 0, 0, 0, 10});
  CHECK(test.degrees == 2);
  CHECK(test.statistic == Approx(0).margin(1e-12));
  // A last group that stays small joins the one before it.
  CHECK(fit_test(Law{0.49, 0.49, 0.02}, Counts{50, 48, 2}).degrees == 1);
  CHECK(fit_test(Law{0.96, 0.04}, Counts{96, 4}).too_small);
}

TEST_CASE("an outcome outside the support refutes a law at any level") {
  const FitTest test = fit_test(Law{0.5, 0.5, 0.0}, Counts{500, 500, 1});
  CHECK(test.outside == 1);
  CHECK(test.p_value == 0);
  CHECK(test.rejects(1e-300));
  CHECK(fit_test(Law{1.0, 0.0}, Counts{10, 1}).rejects(1e-300));
  CHECK_FALSE(fit_test(Law{1.0, 0.0}, Counts{10, 0}).rejects(0.5));
  CHECK_FALSE(fit_test(Law{1.0, 0.0}, Counts{10}).too_small);
}

TEST_CASE("a sample too small for a verdict is reported") {
  CHECK(fit_test(Law{0.5, 0.5}, Counts{0, 0}).too_small);
  CHECK(fit_test(Law{0.5, 0.5}, Counts{4, 4}).too_small);
  CHECK_FALSE(fit_test(Law{0.5, 0.5}, Counts{5, 5}).too_small);
}

TEST_CASE("the bound on the tail holds exactly for binomial samples") {
  // P(G >= g) by summing the binomial law, against fit_bound, at every attainable g.
  for (const int n : {1, 2, 5, 20, 100}) {
    for (const double p : {0.5, 0.3, 0.1, 0.01, 0.001}) {
      std::vector<std::pair<double, double>> outcomes;  // (G, probability)
      for (int k = 0; k <= n; ++k) {
        double g = 0;
        if (k > 0) g += 2 * k * std::log(k / (n * p));
        if (k < n) g += 2 * (n - k) * std::log((n - k) / (n * (1 - p)));
        outcomes.emplace_back(g, binomial_chance(k, n, p));
      }
      for (const auto& [g, mass] : outcomes) {
        double tail = 0;
        for (const auto& [other, share] : outcomes) tail += other >= g ? share : 0.0;
        CAPTURE(n, p, g);
        CHECK(tail <= fit_bound(g, 1) * (1 + 1e-9));
      }
    }
  }
  CHECK(fit_bound(1.9, 1) == 1);
  CHECK(fit_bound(100, 1) == Approx(50 * std::exp(1 - 50.0)));
}

TEST_CASE("under the law p-values are uniform and never smaller than the false-alarm level") {
  const Law law{0.4, 0.3, 0.2, 0.08, 0.02};
  constexpr int kSamples = 4000;
  Counts deciles(10);
  int alarms = 0;
  for (int i = 0; i < kSamples; ++i) {
    const FitTest test = fit_test(law, sample(law, 2000, i));
    REQUIRE_FALSE(test.too_small);
    ++deciles[std::min<std::size_t>(9, static_cast<std::size_t>(test.p_value * 10))];
    alarms += test.rejects(0.05);
  }
  const FitTest uniform = fit_test(Law(10, 0.1), deciles);
  CHECK(uniform.degrees == 9);
  CHECK(uniform.p_value > 1e-6);
  CHECK(alarms <= 0.05 * kSamples);
}

TEST_CASE("the sample size for a power gives that power") {
  const Law law{0.5, 0.3, 0.2};
  const Law other{0.45, 0.33, 0.22};
  constexpr double kLevel = 1e-9;
  constexpr double kPower = 0.9;
  const std::uint64_t size = fit_sample_size(law, other, kLevel, kPower);
  CHECK(fit_power(law, other, size, kLevel) >= kPower);
  CHECK(fit_power(law, other, size - size / 32, kLevel) < kPower);
  CHECK(fit_power(law, other, 10 * size, kLevel) == Approx(1));
  constexpr int kSamples = 1000;
  std::uint64_t rejected = 0;
  for (int i = 0; i < kSamples; ++i) {
    rejected += fit_test(law, sample(other, size, i)).rejects(kLevel);
  }
  // The non-central law is an approximation: within a few percent here.
  CHECK(static_cast<double>(rejected) / kSamples > 0.85);
  CHECK(static_cast<double>(rejected) / kSamples < 0.97);
}

TEST_CASE("the power is that of the non-central chi-squared law") {
  // Four cells have three degrees of freedom.
  const Law law(4, 0.25);
  const Law other{0.28, 0.24, 0.24, 0.24};
  double shift = 0;
  for (std::size_t i = 0; i < 4; ++i) shift += 2 * 1000 * other[i] * std::log(other[i] / law[i]);
  double low = 6, high = 100;  // where the bound on the tail is the level
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (fit_bound(middle, 3) > 1e-2 ? low : high) = middle;
  }
  const boost::math::non_central_chi_squared shifted(3, shift);
  CHECK(fit_power(law, other, 1000, 1e-2) ==
        Approx(boost::math::cdf(boost::math::complement(shifted, low))).epsilon(1e-6));
}

TEST_CASE("an outcome outside the support is found with the power stated") {
  const Law law{0.5, 0.5, 0.0};
  const Law other{0.495, 0.495, 0.01};
  CHECK(fit_power(law, other, 100, 1e-9) == Approx(1 - std::pow(0.99, 100)));
  const std::uint64_t size = fit_sample_size(law, other, 1e-9, 0.99);
  CHECK(size >= 459);  // ln(0.01) / ln(0.99)
  CHECK(size <= 459 + 16);
  CHECK_THROWS_AS(fit_sample_size(law, law, 1e-9, 0.9), InputError);
}

TEST_CASE("the exact binomial test") {
  // 10 tosses of a fair coin: P(X <= 1) = 11/1024.
  CHECK(binomial_p_value(1, 10, 0.5) == Approx(22.0 / 1024));
  CHECK(binomial_p_value(9, 10, 0.5) == Approx(22.0 / 1024));
  CHECK(binomial_p_value(5, 10, 0.5) == 1);
  CHECK(binomial_p_value(0, 10, 0.5) == Approx(2.0 / 1024));
  CHECK(binomial_p_value(10, 10, 0.5) == Approx(2.0 / 1024));
  // Sure and impossible events.
  CHECK(binomial_p_value(0, 10, 0.0) == 1);
  CHECK(binomial_p_value(1, 10, 0.0) == 0);
  CHECK(binomial_p_value(10, 10, 1.0) == 1);
  CHECK(binomial_p_value(9, 10, 1.0) == 0);
  CHECK(binomial_p_value(0, 0, 0.3) == 1);
}

TEST_CASE("the bound on a mean's deviation holds and falls with the sample") {
  CHECK(mean_p_bound(0.5, 0.5, 1, 100) == 1);
  CHECK(mean_p_bound(0.6, 0.5, 1, 1000) == Approx(2 * std::exp(-20.0)));
  CHECK(mean_p_bound(2.4, 2.0, 4, 1000) == Approx(2 * std::exp(-20.0)));
  // Fair coins: the true tail is smaller.
  CHECK(binomial_p_value(600, 1000, 0.5) < mean_p_bound(0.6, 0.5, 1, 1000));
}

TEST_CASE("the bound by the trials' own spread is sharper and holds") {
  // Mean 16.4, standard deviation 3 of 50: 10^6 trials see 0.0223 at 1e-9, Hoeffding's bound 0.16.
  const Spread spread{16.4, 9, {0, 50}, 1000000};
  const double logs = std::log(4e9);
  CHECK(mean_distance(spread, 1e-9) ==
        Approx(std::sqrt(2 * 9 * logs / 999999) + 7 * 50 * logs / (3.0 * 999999)));
  CHECK(mean_distance(spread, 1e-9) < 0.03);
  CHECK(mean_p_bound(spread, 16.4 + mean_distance(spread, 1e-9)) == Approx(1e-9).epsilon(1e-6));
  CHECK(mean_p_bound(spread, 16.4 - mean_distance(spread, 1e-4)) == Approx(1e-4).epsilon(1e-6));
  CHECK(mean_p_bound(spread, 16.4) == 1);
  // Coins of every bias, by the exact law: the chance that the bound is at most a level.
  for (const double p : {0.001, 0.03, 0.5}) {
    for (const double level : {0.05, 1e-4}) {
      double chance = 0;
      for (int k = 0; k <= 200; ++k) {
        const double share = k / 200.0;
        if (mean_p_bound({share, share * (1 - share), {0, 1}, 200}, p) > level) continue;
        chance += binomial_chance(k, 200, p);
      }
      CAPTURE(p, level);
      CHECK(chance <= level);
    }
  }
}

}  // namespace
}  // namespace speclab::statistics_test
