#include "simulate/joint_means.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "exact_misses.h"
#include "model/registry.h"
#include "simulate/estimate.h"

namespace speclab::joint_means_test {
namespace {

/// A number in 0 .. most that is `first` with probability p, `second` with q, and 0 else.
struct ThreeValues {
  int most, first, second;
  double p, q;

  [[nodiscard]] double variance() const {
    const double mean = first * p + second * q;
    return first * first * p + second * second * q - mean * mean;
  }
};

/// The probabilities that the variance lies outside the two intervals of `trials` trials.
Misses misses(const ThreeValues& law, int trials) {
  Misses result;
  const double truth = law.variance();
  for (int i = 0; i <= trials; ++i) {
    const double of_first = binomial_chance(i, trials, law.p);
    if (of_first < 1e-9) continue;
    for (int j = 0; j <= trials - i; ++j) {
      const double weight = of_first * binomial_chance(j, trials - i, law.q / (1 - law.p));
      if (weight < 1e-9) continue;
      std::vector<std::uint64_t> counts(static_cast<std::size_t>(law.most) + 1);
      counts[0] = static_cast<std::uint64_t>(trials - i - j);
      counts[static_cast<std::size_t>(law.first)] += static_cast<std::uint64_t>(i);
      counts[static_cast<std::size_t>(law.second)] += static_cast<std::uint64_t>(j);
      result.look(variance_estimate(counts, law.most), truth, weight);
    }
  }
  return result;
}

TEST_CASE("the interval of a variance covers at least 95%, by the exact law") {
  // Rare values, where few trials make up the spread, and even ones, where the linear part of the
  // variance has no spread.
  for (const int trials : {50, 200}) {
    for (const double p : {0.002, 0.02, 0.1, 0.5, 0.8}) {
      for (const double q : {0.0, 0.006, 0.1, 0.2}) {
        for (const auto& [most, first, second] :
             {std::array{1, 1, 0}, std::array{4, 4, 1}, std::array{8, 2, 8}, std::array{8, 1, 4}}) {
          if (second == 0 && q > 0) continue;
          const Misses found = misses({most, first, second, p, q}, trials);
          CAPTURE(trials, p, q, most, first, second);
          CHECK(found.interval <= 0.05);
          CHECK(found.alarm <= 1e-4);
        }
      }
    }
  }
}

TEST_CASE("a variance is estimated without bias, and its limits stay in its range") {
  // 1, 2, 2, 5: mean 5/2, squared distances 9/4 + 1/4 + 1/4 + 25/4 over 3.
  const std::vector<std::uint64_t> counts{0, 1, 2, 0, 0, 1};
  const Estimate found = variance_estimate(counts, 6);
  CHECK(found.mean == Approx(3));
  CHECK(found.least == 0);
  CHECK(found.most == 9);
  const std::vector<std::uint64_t> alike{0, 0, 1000};
  const Estimate none = variance_estimate(alike, 2);
  CHECK(none.mean == 0);
  CHECK(none.low == 0);
  CHECK(none.high > 0);  // 1000 trials leave room for rare values
  CHECK(none.high < 0.02);
}

TEST_CASE("a function's interval is that of its linear part") {
  const JointMeans means{400, {2, 3}, {{4, 1}, {1, 9}}, {{0, 0}, {10, 0}, {0, 10}, {10, 10}}};
  // The product: gradient (3, 2), variance 9 4 + 2 6 1 + 4 9 = 84.
  const Estimate found = means.function(6, {3, 2}, {0, 100});
  CHECK(found.mean == 6);
  CHECK(found.standard_error == Approx(std::sqrt(84.0 / 399)));
  const Estimate linear = mean_estimate(means.weighed({3, 2}));
  CHECK(found.low == Approx(linear.low - 6));
  CHECK(found.high == Approx(linear.high - 6));
}

TEST_CASE("the variance of the accepted tokens is found where it is requested") {
  const Rows<double> rows(make_pair("bernoulli(draft=2/3,target=1/3)"));
  SimulateRequest request{.lengths = {3, {}, 0}, .trials = 20000};
  const Tally tally = run_trials(make_verifier("token"), rows, request).tally;
  CHECK(!estimate(tally, rows, request).found.has(QuantityId::accepted_variance));
  request.variance = true;
  const Estimate found = estimate(tally, rows, request).found.at(QuantityId::accepted_variance);
  // P(tau >= i) is (2/3)^i: E[tau] = 38/27 and E[tau^2] = 94/27.
  constexpr double kVariance = 1094.0 / 729;
  CHECK(found.least <= kVariance);
  CHECK(found.most >= kVariance);
  CHECK(found.standard_error < 0.05);
}

}  // namespace
}  // namespace speclab::joint_means_test
