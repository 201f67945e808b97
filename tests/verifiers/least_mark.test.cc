// Which of several uniform marks is the least: worked examples, sums, symmetry, and the integral a
// second time as polynomials in powers of z.
#include "verifiers/several/least_mark.h"

#include <random>

#include "base/at_least_once.h"
#include "base/rational.h"
#include "catch.h"

namespace speclab::least_mark_test {
namespace {

using Ranges = std::vector<MarkRange<Rational>>;
using Law = std::vector<Rational>;

TEST_CASE("least mark: worked examples") {
  CHECK(least_mark_law(Ranges{{0, 1}, {0, 1}}) == Law{Rational(1, 2), Rational(1, 2)});
  CHECK(least_mark_law(Ranges{{0, 1}, {0, Rational(1, 2)}}) == Law{Rational(1, 4), Rational(3, 4)});
  CHECK(least_mark_law(Ranges{{0, Rational(1, 2)}, {Rational(1, 2), 1}}) == Law{1, 0});
  CHECK(least_mark_law(Ranges{{0, 1}, {0, 1}, {0, 1}}) ==
        Law{Rational(1, 3), Rational(1, 3), Rational(1, 3)});
  CHECK(least_mark_law(Ranges{{Rational(1, 4), Rational(3, 4)}}) == Law{1});
}

/// The integral of 1/width_k prod_{j != k} P(mark_j > z) over z, segment by segment, in powers.
Rational by_powers(const Ranges& ranges, std::size_t k) {
  Law ends;
  for (const auto& range : ranges) {
    ends.push_back(range.low);
    ends.push_back(range.high);
  }
  std::sort(ends.begin(), ends.end());
  Rational total(0);
  for (std::size_t s = 0; s + 1 < ends.size(); ++s) {
    const Rational middle = (ends[s] + ends[s + 1]) / 2;
    if (middle < ranges[k].low || ranges[k].high < middle) continue;
    Law powers{1 / Rational(ranges[k].high - ranges[k].low)};
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      if (j == k || middle < ranges[j].low) continue;
      const Rational width = ranges[j].high - ranges[j].low;
      const bool over = ranges[j].high < middle;
      const Rational constant = over ? Rational(0) : Rational(ranges[j].high / width);
      const Rational slope = over ? Rational(0) : Rational(-1 / width);
      powers.push_back(0);
      for (std::size_t i = powers.size(); i-- > 0;) {
        powers[i] = powers[i] * constant + (i > 0 ? Rational(powers[i - 1] * slope) : Rational(0));
      }
    }
    Rational low(ends[s]);
    Rational high(ends[s + 1]);
    for (std::size_t i = 0; i < powers.size(); ++i) {
      total += powers[i] * (high - low) / Rational(static_cast<long>(i + 1));
      low *= ends[s];
      high *= ends[s + 1];
    }
  }
  return total;
}

TEST_CASE("least mark: the integral of powers, on random ranges") {
  std::mt19937 engine(3);
  for (int round = 0; round < 300; ++round) {
    Ranges ranges;
    const std::size_t count = 1 + engine() % 4;
    for (std::size_t k = 0; k < count; ++k) {
      const long low = static_cast<long>(engine() % 6);
      const long high = low + 1 + static_cast<long>(engine() % 6);
      ranges.push_back({Rational(low, 12), Rational(high, 12)});
    }
    const Law law = least_mark_law(ranges);
    Rational total(0);
    for (std::size_t k = 0; k < count; ++k) {
      CHECK(law[k] == by_powers(ranges, k));
      total += law[k];
    }
    CHECK(total == 1);
  }
}

TEST_CASE("least mark: forty marks in doubles keep full accuracy") {
  std::vector<MarkRange<double>> ranges;
  for (int k = 0; k < 40; ++k) ranges.push_back({0.01 * k, 0.5 + 0.01 * k});
  double total = 0;
  for (const double share : least_mark_law(ranges)) {
    CHECK(share >= 0);
    total += share;
  }
  CHECK(total == Approx(1).margin(1e-13));
}

TEST_CASE("at least one of several events, at both ends of the doubles") {
  CHECK(at_least_once(Rational(1, 3), 2) == Rational(5, 9));
  CHECK(never(Rational(1, 3), 2) == Rational(4, 9));
  CHECK(at_least_once(1e-20, 3) == Approx(3e-20).epsilon(1e-14));
  CHECK(at_least_once(1.0, 3) == 1);
  CHECK(never(1.0, 3) == 0);
  CHECK(never(0.0, 3) == 1);
}

}  // namespace
}  // namespace speclab::least_mark_test
