// Closed forms of the rules of engines, on worked examples.
#include "theory/engines.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "model/named_pair.h"
#include "model/registry.h"

namespace speclab::engines_test {
namespace {

TEST_CASE("the product of coins: P(reach) by Steck's determinant") {
  const double ln2 = std::log(2.0);
  CHECK(coin_product_reaches<double>({0.25}, 1) == 0.25);
  CHECK(coin_product_reaches<double>({0.5, 0.25}, 2) == Approx(0.25 * (1 + 2 * ln2)));
  CHECK(coin_product_reaches<double>({0.5, 0.25}, 1) == Approx(0.5 + 0.25 * ln2));
  CHECK(coin_product_reaches<double>({1, 1, 0.25}, 3) ==
        Approx(0.25 * (1 + 2 * ln2 + 2 * ln2 * ln2)));
  CHECK(coin_product_reaches<double>({1, 1}, 2) == 1);
  CHECK(coin_product_reaches<double>({0.5, 0}, 2) == 0);
  CHECK(coin_product_reaches<double>({0.5, 0}, 1) == 0.5);
  CHECK(coin_product_reaches<double>({}, 1) == 0);
}

TEST_CASE("ascend-block on the toy pair at gamma 3") {
  const Rows<double> rows(make_pair(kToy));
  const auto tail = ascend_tail(rows, start_law(rows), 3);
  double sum = 0;
  for (std::size_t k = 1; k < tail.size(); ++k) sum += tail[k];
  CHECK(sum == Approx(2.5690511749258813).epsilon(1e-13));
}

TEST_CASE("a constant ratio, a dense tree and a typical law on three tokens") {
  using Laws = std::vector<Rational>;
  const Laws draft{Rational(1, 2), Rational(1, 4), Rational(1, 4)};
  const Laws target{Rational(1, 5), Rational(1, 2), Rational(3, 10)};
  const auto one = dense_tree_step<Rational>(draft, target, 1);
  CHECK(one.accepted == Laws{Rational(2, 5), 0, 0});
  CHECK(one.corrected == Laws{0, Rational(1, 2), Rational(1, 10)});
  const auto two = dense_tree_step<Rational>(draft, target, 2);
  CHECK(two.accepted == Laws{Rational(2, 5), Rational(3, 5), 0});
  CHECK(two.rejection() == 0);
  const auto half = constant_ratio_step<Rational>(draft, target, Rational(1, 2));
  CHECK(half.accepted == Laws{0, Rational(1, 4), Rational(1, 4)});
  CHECK(half.corrected == Laws{0, Rational(5, 12), Rational(1, 12)});
  CHECK(typical_law<Rational>(0, target, Rational(1, 4)) ==
        Laws{0, Rational(5, 8), Rational(3, 8)});
  CHECK(typical_law<Rational>(0, target, Rational(1, 5)) == target);
}

TEST_CASE("a flat law of many tokens has the threshold e^-H, which its tokens can meet exactly") {
  using Laws = std::vector<Rational>;
  const Rational eps(1, 5);
  const Laws uniform(6, Rational(1, 6));
  CHECK(typical_law<Rational>(0, uniform, eps) == uniform);
  CHECK(against_typical<Rational>(0, uniform, eps, 0) == 0);
  const Laws four(4, Rational(19, 100));
  Laws flat = four;
  flat.resize(6, Rational(3, 25));
  CHECK(against_typical<Rational>(0, flat, eps, 0) == 1);
  CHECK(against_typical<Rational>(0, flat, eps, 5) == -1);
  Laws kept(4, Rational(1, 4));
  kept.resize(6);
  CHECK(typical_law<Rational>(0, flat, eps) == kept);
  // A token at eps is above a smaller e^-H; one of no weight is below any threshold.
  const Laws at_eps{eps, eps, eps, eps, Rational(1, 10), Rational(1, 20), Rational(1, 20), 0};
  CHECK(against_typical<Rational>(0, at_eps, eps, 0) == 1);
  CHECK(against_typical<Rational>(0, at_eps, eps, 7) == -1);
}

TEST_CASE("the longest path of a static tree, and of several the likeliest") {
  const Rows<Rational> rows(make_pair(kThreeTokens));
  const auto but = [](Token refused) { return [refused](State, Token x) { return x != refused; }; };
  CHECK(longest_path(rows, 0, 2, 2, but(2)) == std::vector<Token>{1, 1});
  CHECK(longest_path(rows, 0, 2, 2, but(1)) == std::vector<Token>{0, 0});
  CHECK(longest_path(rows, 0, 1, 2, but(0)).empty());
}

TEST_CASE("a stopped match and the greedy decode on the toy pair") {
  const Rows<Rational> rows(make_pair(kToy));
  const auto start = start_law(rows);
  const Rational half(1, 2);
  using Tail = std::vector<Rational>;
  CHECK(stopped_match_tail(rows, start, MatchStop::drop, half, 1) == Tail{1, Rational(2, 9)});
  CHECK(stopped_match_tail(rows, start, MatchStop::keep, half, 2) ==
        Tail{1, Rational(4, 9), Rational(8, 81)});
  CHECK(stopped_match_tail(rows, start, MatchStop::law, Rational(7, 10), 2) == Tail{1, 0, 0});
  CHECK(target_argmax_tail(rows, start, 2, 2) == Tail{1, Rational(5, 9), Rational(17, 81)});
  CHECK(greedy_decode(rows, 0, 2).back().second == Rational(4, 9));
}

}  // namespace
}  // namespace speclab::engines_test
