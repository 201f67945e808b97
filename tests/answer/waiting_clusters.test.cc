#include "answer/waiting_clusters.h"

#include <algorithm>
#include <vector>

#include "catch.h"

namespace speclab::waiting_clusters_test {
namespace {

TEST_CASE("the largest of some is its mean over all choices of so many") {
  CHECK(expected_largest({{1, 2}, {3, 1}}, 2) == Approx(7.0 / 3));
  // Of 1, 1, 3, 4, 4, 4, 7, each subset of its size counted.
  const ValueCounts counts{{1, 2}, {3, 1}, {4, 3}, {7, 1}};
  const std::vector<int> values{1, 1, 3, 4, 4, 4, 7};
  std::vector<double> sums(values.size() + 1), choices(values.size() + 1);
  for (unsigned subset = 1; subset < 1U << values.size(); ++subset) {
    std::size_t size = 0;
    int largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if ((subset >> i & 1) == 0) continue;
      ++size;
      largest = std::max(largest, values[i]);
    }
    sums[size] += largest;
    ++choices[size];
  }
  for (std::size_t of = 1; of <= values.size(); ++of) {
    CHECK(expected_largest(counts, of) == Approx(sums[of] / choices[of]));
  }
}

TEST_CASE("clusters of a batch that waits hold a batch or more and count its slowest") {
  const Cluster cluster{.trials = 2,
                        .independent = 2,
                        .by_calls = {{3, 1}, {5, 1}},
                        .by_steps = {{6, 1}, {9, 1}},
                        .by_tokens = {{9, 2}},
                        .controls = {1, 0, 0, 2},
                        .companions = {3, 5},
                        .companions_of = 4};
  const std::vector<Cluster> clusters(16, cluster);
  const auto pairs = waiting_clusters(clusters, 2);
  REQUIRE(pairs.size() == 16);
  CHECK(pairs[0].calls == Approx(2 * 5));
  CHECK(pairs[0].steps == Approx(2 * 9));
  CHECK(pairs[0].tokens == Approx(2 * 9));
  CHECK(pairs[0].independent == 1);
  // Of three of 3, 3, 5, 5 the largest is 5.
  const auto threes = waiting_clusters(clusters, 3);
  REQUIRE(threes.size() == 8);
  CHECK(threes[0].trials == 4);
  CHECK(threes[0].independent == 1);
  CHECK(threes[0].calls == Approx(4 * 5));
  CHECK(threes[0].controls == ControlVariates{2, 0, 0, 4});
  CHECK(threes[0].companions == Companions{6, 10});
  CHECK(threes[0].companions_of == 4);
  const auto ones = waiting_clusters(clusters, 1);
  CHECK(ones[0].calls == Approx(8));
  CHECK(ones[0].independent == 2);
  // Clusters of six trials hold a batch of five: eight are needed.
  CHECK_THROWS_WITH(waiting_clusters(clusters, 5), Containing("need 48 trials"));
  CHECK_THROWS_WITH(waiting_clusters(std::vector<Cluster>(16), 2), Containing("no whole decodes"));
}

}  // namespace
}  // namespace speclab::waiting_clusters_test
