// The faulty verifier that multiplies its coins: its law of tau, and by how
// much its output is off.
#include <cmath>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "catch.h"
#include "toy.h"
#include "verifiers/chain/coin_product.h"

namespace speclab::wrong_product_test {
namespace {

TEST_CASE("the product of the coins: the law of tau is that of literal products") {
  const double ln4 = std::log(4.0);
  CHECK(coin_product_law<double>({0.25}) == std::vector<double>{0.75, 0.25});
  const auto two = coin_product_law<double>({1, 0.25});
  CHECK(two[0] == 0);
  CHECK(two[2] == Approx(0.25 * (1 + ln4)).epsilon(1e-14));
  const auto fall = coin_product_law<double>({0.5, 0.25});  // a - b - b ln(a / b)
  CHECK(fall[1] == Approx(0.25 - 0.25 * std::log(2.0)).epsilon(1e-14));
  const auto rise = coin_product_law<double>({0.25, 0.5});
  CHECK(rise[1] == 0);
  CHECK(rise[2] == Approx(0.5 * (1 + std::log(2.0))).epsilon(1e-14));
  const auto three = coin_product_law<double>({1, 1, 0.25});
  CHECK(three[3] == Approx(0.25 * (1 + ln4 + ln4 * ln4 / 2)).epsilon(1e-14));
  CHECK(coin_product_law<double>({0, 0, 0}) == std::vector<double>{1, 0, 0, 0});
  CHECK(coin_product_law<double>({0.5, 0, 0}) == std::vector<double>{0.5, 0.5, 0, 0});
  CHECK(coin_product_law<double>({0, 1, 1}) == std::vector<double>{0, 0, 0, 1});

  const std::vector<double> coins{0.3, 0.5, 0.1, 0.2};
  const auto law = coin_product_law(coins);
  std::vector<int> counts(law.size());
  Stream stream(1, 0, 0, Purpose::accept);
  constexpr int kTrials = 200000;
  for (int trial = 0; trial < kTrials; ++trial) {
    double product = 1;
    std::size_t tau = 0;
    for (std::size_t i = 0; i < coins.size(); ++i) {
      product *= stream.uniform();
      if (product < coins[i]) tau = i + 1;
    }
    ++counts[tau];
  }
  for (std::size_t i = 0; i < law.size(); ++i) {
    const double spread = std::sqrt(law[i] * (1 - law[i]) / kTrials);
    CHECK(std::abs(counts[i] / double{kTrials} - law[i]) <= 6 * spread);
  }
}

TEST_CASE("the product of the coins: the output is off by 7 ln 2 / 27") {
  ExactRequest request{.lengths = {.gamma = 2, .horizon = 2}};
  const auto wrong = run_named("wrong-coin-product", kToy, request);
  const double ln2 = std::log(2.0);
  CHECK(to_double(wrong.decode->tv_to_target) == Approx(7 * ln2 / 27).epsilon(1e-14));
  CHECK(to_double(wrong.expected_accepted) == Approx((11 + 5 * ln2) / 9).epsilon(1e-14));
  CHECK(wrong.expected_accepted > Rational(4, 3));  // above the optimum
  // One coin is no fault, to the last bit: 1/6 and 3/5 are no doubles.
  request.lengths.gamma = 1;
  for (const std::string_view pair :
       {kToy, std::string_view("iid(draft=[1/6,5/6],target=[1/2,1/2])")}) {
    CHECK(run_named("wrong-coin-product", pair, request).decode->tv_to_target == 0);
  }
}

TEST_CASE("the product of the coins: in rationals the law of tau sums to 1 exactly") {
  const std::vector<Rational> coins{Rational(3, 10), Rational(1, 2), Rational(1, 7),
                                    Rational(1, 3)};
  std::vector<double> rounded;
  for (const Rational& coin : coins) rounded.push_back(to_double(coin));
  const auto law = coin_product_law(coins);
  const auto in_doubles = coin_product_law(rounded);
  REQUIRE(law.size() == in_doubles.size());
  Rational sum(0);
  for (std::size_t i = 0; i < law.size(); ++i) {
    CHECK(to_double(law[i]) == Approx(in_doubles[i]).epsilon(1e-13));
    sum += law[i];
  }
  CHECK(sum == 1);
}

}  // namespace
}  // namespace speclab::wrong_product_test
