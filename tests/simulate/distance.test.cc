#include "simulate/distance.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "exact_misses.h"

namespace speclab::distance_test {
namespace {

using Law = std::vector<double>;
using Counts = std::vector<std::uint64_t>;

constexpr double kExpectedEvents[] = {0.1, 0.3, 1, 3, 5.5, 10, 30};
constexpr std::uint64_t kTrials = 1000;

double distance(const Law& a, const Law& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]) / 2;
  return sum;
}

/// Cells 1 and 2 are rare; counts of every size by their exact law.
Misses misses(const Law& from, const Law& law) {
  Misses result;
  const auto n = static_cast<double>(kTrials);
  const auto most = [&](double p) { return static_cast<int>(n * p + 7 * std::sqrt(n * p)) + 9; };
  const double truth = distance(from, law);
  for (int i = 0; i <= most(from[1]); ++i) {
    const double first = binomial_chance(i, n, from[1]);
    for (int j = 0; j <= (from[2] > 0 ? most(from[2]) : 0); ++j) {
      const double weight = first * binomial_chance(j, n - i, from[2] / (1 - from[1]));
      if (weight < 1e-8) continue;
      const auto a = static_cast<std::uint64_t>(i), b = static_cast<std::uint64_t>(j);
      result.look(distance_estimate(law, Counts{kTrials - a - b, a, b}, kTrials), truth, weight);
    }
  }
  return result;
}

TEST_CASE("one rare outcome: the intervals of a distance hold by the exact law") {
  for (const double events : kExpectedEvents) {
    const double p = events / kTrials;
    for (const double said : {p, p / 2, 2 * p, 0.0, 0.5}) {
      const Misses found = misses({1 - p, p, 0}, {1 - said, said, 0});
      CAPTURE(events, said);
      CHECK(found.interval <= 0.05);
      CHECK(found.alarm <= 2 * kAlarmTail);
    }
  }
}

TEST_CASE("two rare outcomes: the intervals of a distance hold by the exact law") {
  for (const double first : {0.1, 1.0, 5.5}) {
    for (const double second : {0.3, 3.0, 10.0}) {
      const double p = first / kTrials, q = second / kTrials;
      for (const auto& [a, b] :
           {std::pair{p, q}, std::pair{2 * p, q}, std::pair{q, p}, std::pair{0.0, p + q}}) {
        const Misses found = misses({1 - p - q, p, q}, {1 - a - b, a, b});
        CAPTURE(first, second, a, b);
        CHECK(found.interval <= 0.05);
        CHECK(found.alarm <= 2 * kAlarmTail);
      }
    }
  }
}

TEST_CASE("many outcomes: a thousand samples of a distance's intervals") {
  // 50 of 1000 misses are expected at most; more than 110 have a chance below 1e-12, and more than
  // 7 alarms, with 1e-4 each, below 1e-12 too.
  std::uint64_t index = 0;
  for (const std::size_t cells : {4U, 64U}) {
    Law level(cells, 1.0 / static_cast<double>(cells));
    Law rare(cells, 5.5 / kTrials / static_cast<double>(cells - 1));
    rare[0] = 1 - 5.5 / kTrials;
    for (const Law& from : {level, rare}) {
      Law tilted = from;
      for (std::size_t i = 0; i < cells; ++i) tilted[i] *= i % 2 == 0 ? 0.8 : 1.2;
      double total = 0;
      for (const double p : tilted) total += p;
      for (double& p : tilted) p /= total;
      for (const Law& law : {from, tilted}) {
        Misses found;
        const double truth = distance(from, law);
        for (int i = 0; i < 1000; ++i) {
          found.look(
              distance_estimate(law, sample_counts("distance", from, kTrials, index++), kTrials),
              truth, 1);
        }
        CAPTURE(cells, truth, from[0]);
        CHECK(found.interval <= 110);
        CHECK(found.alarm <= 7);
      }
    }
  }
}

TEST_CASE("the least distance of a coin is Freedman's, less the whole bias") {
  // 3/4 against the law (1/2, 1/2): the likeliest cell leaves 1/2 + distance, so the variance is
  // 1/4.
  const double n = kTrials;
  double bias = 0;
  for (int k = 0; k <= 1000; ++k) bias += binomial_chance(k, n, 0.5) * std::abs(k / n - 0.5);
  const Estimate estimate = distance_estimate(Law{0.5, 0.5}, Counts{750, 250}, kTrials);
  REQUIRE(estimate.least > 0);
  REQUIRE(estimate.least < estimate.low);
  const double u = (0.25 - bias - estimate.least) / 0.25;
  CHECK(n * 0.25 * ((1 + u) * std::log(1 + u) - u) == Approx(-std::log(kAlarmTail)).epsilon(1e-9));
}

TEST_CASE("outcomes that are missing lie outside the law") {
  // 300 of 1000 undefined: half of |400 - 500| + |300 - 500| + 300 thousandths.
  const Estimate estimate = distance_estimate(Law{0.5, 0.5}, Counts{400, 300}, 1000);
  CHECK(estimate.mean == Approx(0.3));
  CHECK(estimate.low > 0.2);
  CHECK(estimate.least > 0.2);
  CHECK(distance_estimate(Law{1, 0}, Counts{1000}, 1000).mean == 0);
  CHECK(distance_estimate(Law{1, 0}, Counts{999}, 1000).least > 0);
}

TEST_CASE("a clear distance has the normal interval") {
  for (const auto& [law, from] : std::vector<std::pair<Law, Law>>{
           {{0.1, 0.9}, {0.9, 0.1}}, {{0.02, 0.64, 0.34}, {0.1, 0.6, 0.3}}}) {
    Counts counts;
    for (const double p : from) counts.push_back(static_cast<std::uint64_t>(std::lround(1e5 * p)));
    const Estimate estimate = distance_estimate(law, counts, 100000);
    CHECK(estimate.mean == Approx(distance(law, from)));
    const double ratio = (estimate.high - estimate.low) / (2 * 1.959964 * estimate.standard_error);
    CHECK(ratio > 0.99);
    CHECK(ratio < 1.02);
  }
}

TEST_CASE("a distance that is there is found") {
  // 100,000 trials: a right law hardly ever differs from 0, one off by 0.01 does.
  const Law law{0.5, 0.3, 0.2};
  const Estimate off = distance_estimate(law, Counts{51000, 30000, 19000}, 100000);
  CHECK(off.least > 0);
  CHECK(off.low > 0.005);
  CHECK(off.high < 0.015);
  const Estimate right = distance_estimate(law, Counts{50050, 29980, 19970}, 100000);
  CHECK(right.low == 0);
  CHECK(right.least == 0);
  CHECK(right.high < 0.005);
}

}  // namespace
}  // namespace speclab::distance_test
