// Tails of block and greedy block verification at any vocabulary: prefix sums and bounds against
// the walk over all paths, in fractions.
#include "theory/weight_bounds.h"

#include <cmath>

#include "asked.h"
#include "catch.h"
#include "positions.h"
#include "theory/position_masses.h"
#include "theory/sun2024.h"
#include "theory/sun2025.h"

namespace speclab::weight_bounds_test {
namespace {

constexpr WeightRule kRules[] = {WeightRule::ratio, WeightRule::clamped};

/// Memoryless pairs: uneven, with zeros on either side, equal, disjoint but for one token, with
/// ratios of 10^9 and 10^-9, with ties.
std::vector<PairPointer> pairs() {
  std::vector<PairPointer> all{toy(),
                               iid({"1/2", "1/4", "1/4"}, {"1/5", "1/2", "3/10"}),
                               iid({"1/2", "1/2", "0"}, {"1/4", "0", "3/4"}),
                               iid({"1/3", "2/3"}, {"1/3", "2/3"}),
                               iid({"1/4", "3/4", "0"}, {"1/4", "0", "3/4"}),
                               iid({"1/1000000000", "999999999/1000000000"}, {"1/2", "1/2"}),
                               iid({"1/2", "1/2"}, {"1/1000000000", "999999999/1000000000"}),
                               iid({"1/6", "1/6", "1/6", "1/2"}, {"1/4", "1/4", "1/4", "1/4"})};
  for (unsigned seed = 1; seed <= 6; ++seed) all.push_back(random_pair(seed, 2 + seed % 3, 1));
  return all;
}

/// Whether a token's probabilities are far apart.
bool extreme(const Rows<double>& rows) {
  for (std::size_t x = 0; x < rows.draft(0).size(); ++x) {
    const double ratio = rows.target(0)[x] / rows.draft(0)[x];
    if (ratio > 1e6 && ratio < 1e12) return true;
  }
  return false;
}

std::vector<Rational> walked(const PairPointer& pair, int gamma, WeightRule rule) {
  const Rows<Rational> rows(pair);
  Budget budget;
  return rule == WeightRule::clamped ? block_tail(rows, start_law(rows), gamma, budget)
                                     : greedy_tail(rows, start_law(rows), gamma, budget);
}

TEST_CASE("prefix sums give the tails of two tokens") {
  for (const PairPointer& pair : pairs()) {
    CAPTURE(pair->name());
    const Rows<double> rows(pair);
    for (const WeightRule rule : kRules) {
      const auto expected = walked(pair, 2, rule);
      const auto found = short_weight_tail(rows.draft(0), rows.target(0), 2, rule);
      REQUIRE(found.size() == 3);
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::abs(found[i] - to_double(expected[i])) <= 4e-16);
      }
    }
  }
  CHECK(walked(toy(), 2, WeightRule::clamped)[2] == R("5/9"));
}

TEST_CASE("bounds enclose the tails of longer drafts, and narrowly") {
  constexpr int kGamma = 5;
  for (const PairPointer& pair : pairs()) {
    CAPTURE(pair->name());
    const Rows<double> rows(pair);
    for (const WeightRule rule : kRules) {
      CAPTURE(rule == WeightRule::clamped);
      const auto expected = walked(pair, kGamma, rule);
      Budget budget;
      const auto found =
          weight_tail_bounds(rows.draft(0), rows.target(0), kGamma, rule, 1e-4, budget);
      REQUIRE(found.low.size() == expected.size());
      double width = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        CHECK(exact(found.low[i]) <= expected[i]);
        CHECK(expected[i] <= exact(found.high[i]));
        width += found.high[i] - found.low[i];
      }
      // Ratios of 10^8 spread the points of the grid, and bends leave it.
      if (!extreme(rows)) CHECK(width <= 1e-4);
    }
  }
}

TEST_CASE("bounds agree with prefix sums at a large vocabulary") {
  std::vector<double> draft, target;
  double drafts = 0, targets = 0;
  for (int x = 1; x <= 20'000; ++x) {
    draft.push_back(1.0 / x);
    target.push_back(std::pow(x, -1.1) * (1 + 0.5 * std::sin(x)));
    drafts += draft.back();
    targets += target.back();
  }
  for (double& weight : draft) weight /= drafts;
  for (double& weight : target) weight /= targets;
  for (const WeightRule rule : kRules) {
    Budget budget;
    const auto tail = short_weight_tail(draft, target, 2, rule);
    const auto bounds = weight_tail_bounds(draft, target, 3, rule, 1e-7, budget);
    for (std::size_t i = 0; i <= 2; ++i) {
      CHECK(bounds.low[i] <= tail[i]);
      CHECK(tail[i] <= bounds.high[i]);
    }
    CHECK(bounds.high[3] < bounds.low[2]);
  }
}

TEST_CASE("bounds are made within their budget alone") {
  const Rows<double> rows(toy());
  Budget budget(1e6);
  CHECK_THROWS_AS(
      weight_tail_bounds(rows.draft(0), rows.target(0), 4, WeightRule::clamped, 1e-9, budget),
      LimitError);
}

TEST_CASE("no bounds are made of drafts whose margins would fill the grid") {
  const Rows<double> rows(toy());
  for (const WeightRule rule : kRules) {
    Budget budget;
    CHECK_THROWS_WITH(weight_tail_bounds(rows.draft(0), rows.target(0), 3000, rule, 1e-9, budget),
                      Containing("up to a draft length of 512"));
  }
}

TEST_CASE("the drafts that go on after a position, by hand") {
  // Toy, two drafts: token 0 is accepted from the first draft with 1/3 in all, token 1 with 1/3,
  // and token 1 from the second one with 1/9. After the first draft the second has the token too
  // with 2/3 or 1/3.
  const Rows<Rational> rows(toy());
  const auto going = rrs_survivors<Rational>(rows.draft(0), rows.target(0), 2);
  CHECK(going[0] == Rationals{R("1/9"), R("3/9")});
  CHECK(going[1] == Rationals{R("2/9"), R("1/9")});
  Budget budget;
  const auto tail =
      PositionMasses(rows, 2, rrs_survivors<Rational>, budget).tail(start_law(rows), 2);
  CHECK(tail == Rationals{R("1"), R("7/9"), R("5/9")});
}

}  // namespace
}  // namespace speclab::weight_bounds_test
