#include "answer/clusters.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <random>

#include "catch.h"
#include "verifiers/contract.h"

namespace speclab::clusters_test {
namespace {

const Rate kTokensACall{{.tokens = 1}, {.calls = 1}, {}};
const Rate kAccepted{{.accepted = 1}, {.trials = 1}, {}};

TEST_CASE("a mean over clusters has Student's interval") {
  // Means 101, 102, 103: mean 102, standard error 1 / sqrt(3), t(2 degrees, 97.5%) = 4.302653.
  std::vector<Cluster> clusters;
  for (const double accepted : {1010.0, 1020.0, 1030.0}) {
    clusters.push_back({.accepted = accepted, .trials = 10, .drafted = 2000});
  }
  const Estimate found = rate_interval(clusters, kAccepted);
  CHECK(found.mean == Approx(102));
  CHECK(found.standard_error == Approx(1 / std::sqrt(3.0)));
  CHECK(found.high - found.mean == Approx(4.302652729911275 / std::sqrt(3.0)));
  CHECK(found.mean - found.low == Approx(found.high - found.mean));
}

TEST_CASE("the difference of a thing and itself is 0, as far as its trials show") {
  const std::vector<Cluster> clusters{{.tokens = 7, .steps = 6, .calls = 3},
                                      {.tokens = 9, .steps = 8, .calls = 4}};
  const PairedDifference same = paired_difference(clusters, kTokensACall, clusters, kTokensACall);
  CHECK(same.difference.mean == 0);
  CHECK(same.difference.standard_error == 0);
  CHECK(same.tail == 0.5);
  // Two clusters say little of what neither showed: with a chance of 1 - sqrt(0.025) 3
  // tokens a call, every drafted one kept, against none.
  const double unseen = (1 - std::sqrt(0.025)) * 3;
  CHECK(same.difference.high == Approx(unseen));
  CHECK(same.difference.low == Approx(-unseen));
  CHECK_FALSE(same.saved.has_value());
}

TEST_CASE("a fixed rate is no estimate") {
  const std::vector<Cluster> clusters{{.tokens = 8, .calls = 4}, {.tokens = 12, .calls = 4}};
  const PairedDifference ahead = paired_difference(clusters, kTokensACall, clusters, {{}, {}, 1.0});
  CHECK(ahead.difference.mean == Approx(1.5));
  CHECK(ahead.difference.standard_error ==
        Approx(rate_interval(clusters, kTokensACall).standard_error));
  CHECK(ahead.saved == 1);
}

TEST_CASE("clusters that are all alike distinguish as much as their trials do") {
  // Two tokens a call of at most three, one and a half of at most three.
  const auto alike = [](double tokens, double trials) {
    return std::vector<Cluster>(
        4, {.tokens = tokens, .steps = 8, .calls = 4, .trials = trials, .independent = trials});
  };
  for (const double trials : {1.0, 64.0}) {
    const auto fast = alike(8, trials), slow = alike(6, trials);
    const PairedDifference ahead = paired_difference(fast, kTokensACall, slow, kTokensACall);
    CHECK(ahead.difference.mean == Approx(0.5));
    // Trials of 0 against 3 tokens a call make up for it where one in (0.5 + 3) / 0.5 = 7 is such.
    CHECK(ahead.tail == Approx(std::pow(6.0 / 7, 4 * trials)));
    const double unseen = 1 - std::pow(0.025, 1 / (4 * trials));
    CHECK(ahead.difference.low == Approx(0.5 - unseen * 3.5));
    CHECK(ahead.difference.high == Approx(0.5 + unseen * 2.5));
    CHECK(paired_difference(slow, kTokensACall, fast, kTokensACall).tail == 1);
    const Estimate rate = rate_interval(fast, kTokensACall);
    CHECK(rate.low == Approx(2 - unseen * 2));
    CHECK(rate.high == Approx(2 + unseen * 1));
  }
  // Everything was kept: there is no more.
  CHECK(rate_interval(alike(12, 1), kTokensACall).high == 3);
}

TEST_CASE("trials with an undefined draw are reported") {
  const std::vector<Cluster> clusters{{.trials = 64, .undefined = 3}, {.trials = 64}};
  CHECK(undefined_text("block", clusters) ==
        "block: undefined (0/0) in 3 of 128 trials, which end there");
  CHECK(undefined_text("block", std::span(clusters).last(1)).empty());
}

TEST_CASE("what cannot be known is refused") {
  const std::vector<Cluster> one{{.tokens = 1, .calls = 1}};
  const std::vector<Cluster> none(3);
  CHECK_THROWS_AS(rate_interval(one, kTokensACall), InputError);
  CHECK_THROWS_AS(rate_interval(none, kTokensACall), InputError);
  CHECK_THROWS_AS(paired_difference(none, kTokensACall, one, kTokensACall), ContractError);
}

TEST_CASE("a rate of 0, of decodes that all end undefined, can be compared") {
  std::vector<Cluster> first, second;
  for (int i = 0; i < 20; ++i) {
    first.push_back({.tokens = 1 + 0.1 * (i % 3), .calls = 10, .trials = 4, .independent = 4});
    second.push_back({.calls = 4, .trials = 4, .independent = 4});
    first.back().worst_calls = second.back().worst_calls = 9;
  }
  CHECK(paired_difference(first, kTokensACall, second, kTokensACall).tail < 1e-6);
  // A decode that no trial showed, nine tokens in no time, would have made the rate 9/80 > 0.11.
  CHECK(paired_difference(first, kTokensACall, second, kTokensACall, 1).tail > 0.5);
}

/// Clusters of a known ratio 2 whose noise is shared by a second set with ratio 1.9.
/// @param controlled  how much of the noise a control shows
struct Made {
  std::vector<Cluster> first, second;
};

Made made(std::mt19937_64& engine, std::size_t count, double controlled = 0) {
  std::normal_distribution<double> shared(0, 1), own(0, 0.3);
  Made result;
  for (std::size_t i = 0; i < count; ++i) {
    const double calls = 50 + 5 * shared(engine), noise = 4 * shared(engine);
    result.first.push_back({.tokens = 2 * calls + noise + own(engine), .calls = calls});
    result.second.push_back({.tokens = 1.9 * calls + noise + own(engine), .calls = calls});
    if (controlled == 0) continue;
    const double control = controlled * noise + (1 - controlled) * shared(engine);
    // Beside it three that say little: slopes of all four are worked out.
    result.first.back().controls = {control, shared(engine), shared(engine), shared(engine)};
    result.second.back().controls = result.first.back().controls;
  }
  return result;
}

TEST_CASE("intervals of ratios hold the truth as often as they say") {
  // 2,000 sets of 32: the count of misses is binomial(2000, 0.05) up to the delta method; within
  // 60 of 100 is beyond 6 standard deviations.
  const double controlled = GENERATE(0.0, 0.3, 0.9);
  const std::size_t count = controlled == 0 ? 32 : 17;
  std::mt19937_64 engine(7);
  int missed = 0, missed_difference = 0;
  for (int i = 0; i < 2000; ++i) {
    const Made one = made(engine, count, controlled);
    const Estimate ratio = rate_interval(one.first, kTokensACall);
    missed += ratio.low > 2 || ratio.high < 2;
    const PairedDifference paired =
        paired_difference(one.first, kTokensACall, one.second, kTokensACall);
    missed_difference += paired.difference.low > 0.1 || paired.difference.high < 0.1;
  }
  CHECK(std::abs(missed - 100) < 60);
  CHECK(std::abs(missed_difference - 100) < 60);
}

/// 24 clusters of ten trials whose accepted tokens go with two controls, that go with each other,
/// beside a wave of their own. The third goes with the first alone.
std::vector<Cluster> controlled() {
  std::vector<Cluster> clusters;
  for (int i = 0; i < 24; ++i) {
    const double one = i % 7 - 2.5, other = i % 5 + 0.4 * one - 2.3, own = std::sin(i);
    clusters.push_back({.accepted = 300 + 20 * one - 30 * other + own,
                        .trials = 10,
                        .drafted = 2000,
                        .controls = {one, 0, 2 * one, other}});
  }
  return clusters;
}

/// The slopes of the plane of least squares over two controls, by Cramer's rule for the normal
/// equations of all clusters but those of one part in 16.
struct Plane {
  Plane(std::span<const Cluster> clusters, std::size_t part) {
    double sums[3][3] = {}, right[3] = {};
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      if (i % 16 == part) continue;
      const double row[] = {1, clusters[i].controls[0], clusters[i].controls[3]};
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) sums[j][k] += row[j] * row[k];
        right[j] += row[j] * clusters[i].accepted / 10;
      }
    }
    for (int j = 0; j < 3; ++j) {
      double replaced[3][3];
      std::copy(&sums[0][0], &sums[0][0] + 9, &replaced[0][0]);
      for (int k = 0; k < 3; ++k) replaced[k][j] = right[k];
      slopes[j] = determinant(replaced) / determinant(sums);
    }
  }
  static double determinant(const double (&of)[3][3]) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3, l = (j + 2) % 3;
      sum += of[0][j] * (of[1][k] * of[2][l] - of[1][l] * of[2][k]);
    }
    return sum;
  }
  double slopes[3] = {};
};

/// The accepted tokens of each cluster, less what goes with the controls by the planes of others.
struct OffPlanes {
  explicit OffPlanes(std::span<const Cluster> clusters) {
    const auto count = static_cast<double>(clusters.size());
    std::vector<double> left;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const Plane others(clusters, i % 16);
      left.push_back(clusters[i].accepted / 10 - others.slopes[1] * clusters[i].controls[0] -
                     others.slopes[2] * clusters[i].controls[3]);
      mean += left.back() / count;
    }
    for (const double each : left) error += (each - mean) * (each - mean) / count / (count - 1);
    error = std::sqrt(error);
  }
  double mean = 0, error = 0;
};

TEST_CASE("what goes with controls is taken out of a mean") {
  const std::vector<Cluster> clusters = controlled();
  const OffPlanes planes(clusters);
  const Estimate found = rate_interval(clusters, kAccepted);
  CHECK(found.mean == Approx(planes.mean));
  CHECK(found.standard_error == Approx(planes.error));
  // Student's with 21 degrees of freedom.
  CHECK(found.high - found.mean == Approx(2.0796138447 * found.standard_error));
  // The difference of two that go with the same controls.
  std::vector<Cluster> others = controlled();
  for (std::size_t i = 0; i < others.size(); ++i) {
    others[i].accepted = 250 + 10 * others[i].controls[0] - (i % 3 == 0 ? 1 : 0);
  }
  const auto difference = paired_difference(clusters, kAccepted, others, kAccepted).difference;
  CHECK(difference.mean == Approx(planes.mean - rate_interval(others, kAccepted).mean));
  CHECK(difference.standard_error < 0.03);
  // Few clusters are taken as they are.
  const std::vector<Cluster> few(clusters.begin(), clusters.begin() + 15);
  double sum = 0;
  for (const Cluster& cluster : few) sum += cluster.accepted / 150;
  CHECK(rate_interval(few, kAccepted).mean == Approx(sum));
}

/// 64 clusters of two verifiers. The first one's accepted tokens go with a control of the second,
/// and with how far their companions are apart, beside a wave of their own.
Made crossed(double own) {
  Made result;
  for (int i = 0; i < 64; ++i) {
    const double other = i % 7 - 3.1, one = i % 5 - 2.2, apart = i % 3 - 1.1;
    const Cluster cluster{.trials = 10, .drafted = 2000, .companions_of = 4};
    Cluster first = cluster, second = cluster;
    first.accepted = 300 + 20 * other + 10 * apart + own * std::sin(i);
    first.controls = {0, one};
    first.companions = {7 + apart, 5 + one};
    second.accepted = 250 - 30 * one;
    second.controls = {other};
    second.companions = {7, 5 - other};
    result.first.push_back(first);
    result.second.push_back(second);
  }
  return result;
}

TEST_CASE("what goes with the controls of both and their companions is taken out of a difference") {
  Made made = crossed(0);
  const auto difference = [&] {
    return paired_difference(made.first, kAccepted, made.second, kAccepted).difference;
  };
  CHECK(difference().mean == Approx(5));
  CHECK(difference().standard_error < 1e-9);
  // Three slopes, as the second companion holds the second verifier's control: Student's with 60.
  made = crossed(1);
  const Estimate found = difference();
  CHECK(found.mean == Approx(5).margin(0.05));
  CHECK(found.standard_error > 0.005);
  CHECK(found.standard_error < 0.02);
  CHECK(found.high - found.mean == Approx(2.0002978 * found.standard_error).epsilon(1e-6));
  // Companions at other draft lengths, or none, are no controls, nor any of few clusters.
  for (Cluster& cluster : made.second) cluster.companions_of = 5;
  CHECK(difference().standard_error > 0.05);
  for (Cluster& cluster : made.second) cluster.companions_of.reset();
  CHECK(difference().standard_error > 0.05);
  made = crossed(0);
  made.first.resize(55);
  made.second.resize(55);
  CHECK(difference().standard_error > 0.05);
}

TEST_CASE("pairing saves what the noise has in common") {
  // Shared variance 16 and own variance 0.09 a cluster: (2 * 16.09) / (2 * 0.09) = 178.8.
  std::mt19937_64 engine(11);
  const Made one = made(engine, 20'000);
  const PairedDifference paired =
      paired_difference(one.first, kTokensACall, one.second, kTokensACall);
  CHECK(*paired.saved == Approx(178.8).epsilon(0.1));
  CHECK(paired.difference.mean == Approx(0.1).margin(1e-3));
}

}  // namespace
}  // namespace speclab::clusters_test
