#include "model/state_table.h"

#include <atomic>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <vector>

#include "base/rational.h"
#include "catch.h"
#include "model/law.h"

namespace speclab::state_table_test {
namespace {

/// A random law of n tokens, about a third of its entries zero, the rest of very unequal size.
std::vector<double> random_law(std::size_t n, boost::random::mt19937& engine) {
  boost::random::uniform_01<double> uniform;
  std::vector<double> law(n);
  double mass = 0;
  for (double& entry : law) {
    const double u = uniform(engine);
    entry = u < 0.3 ? 0.0 : std::pow(u, 8);
    mass += entry;
  }
  law[0] += mass > 0 ? 0.0 : 1.0;
  mass = mass > 0 ? mass : 1.0;
  for (double& entry : law) entry /= mass;
  return law;
}

}  // namespace

TEST_CASE("an alias table represents the law, with nothing outside its support") {
  boost::random::mt19937 engine(11);
  for (const std::size_t n : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      const std::vector<double> law = random_law(n, engine);
      const AliasTable table(law);
      std::vector<double> share(n);
      for (std::size_t x = 0; x < n; ++x) {
        const AliasTable::Entry& entry = table.entries()[x];
        share[x] += entry.keep / static_cast<double>(n);
        share[entry.other] += (1 - entry.keep) / static_cast<double>(n);
        // A place inside a cell is below 1, so a keep of 1 leaves nothing to the other token.
        REQUIRE((law[x] > 0 || !(entry.keep > 0)));
        REQUIRE((law[entry.other] > 0 || !(entry.keep < 1)));
      }
      for (std::size_t x = 0; x < n; ++x) REQUIRE(share[x] == Approx(law[x]).margin(1e-14));
      for (const double u : {0.0, 0.25, 0.5, 1 - 0x1p-53}) {
        const Token x = table.pick(u);
        REQUIRE(x >= 0);
        REQUIRE(static_cast<std::size_t>(x) < n);
        REQUIRE(law[static_cast<std::size_t>(x)] > 0);
      }
    }
  }
  CHECK(AliasTable(std::vector<double>{0.0, 0.0}).empty());
}

TEST_CASE("an alias table of a subnormal mass draws from its support alone") {
  const AliasTable table(std::vector<double>{0.0, 1e-320, 0.0, 0.0});
  for (const double u : {0.0, 0.1, 0.25, 0.6, 0.9}) CHECK(table.pick(u) == 1);
}

TEST_CASE("gap laws from the tables equal sums token by token") {
  boost::random::mt19937 engine(12);
  boost::random::uniform_01<double> uniform;
  for (const std::size_t n : {1U, 2U, 7U, 65U, 500U}) {
    for (int repeat = 0; repeat < 40; ++repeat) {
      const auto draft = random_law(n, engine);
      const auto target = repeat % 8 == 0 ? draft : random_law(n, engine);
      const StateTable table(draft, target);
      for (const double a : {0.0, 0.25, 1.0, 1.7, 40.0}) {
        for (const double b : {0.0, 0.6, 1.0}) {
          CAPTURE(n, repeat, a, b);
          const GapLaw<double> naive(draft, target, a, b);
          const GapLaw<double> quick(draft, target, a, b, &table);
          REQUIRE(quick.mass() == Approx(naive.mass()).margin(1e-13));
          if (!(naive.mass() > 1e-12)) continue;
          for (int i = 0; i < 20; ++i) {
            const double u = i == 0 ? 0.0 : i == 1 ? 1 - 0x1p-53 : uniform(engine);
            const Token x = pick(quick, u);
            REQUIRE(x != kUndefined);
            REQUIRE(quick.weight(x) > 0);
          }
        }
      }
    }
  }
}

TEST_CASE("ranks are in the exact order of the ratios, rounded ones and zeros included") {
  boost::random::mt19937 engine(14);
  boost::random::uniform_01<double> uniform;
  // Long rows are not sorted by comparisons.
  for (const std::size_t n : {3U, 65U, 5000U}) {
    for (int repeat = 0; repeat < 6; ++repeat) {
      const auto draft = random_law(n, engine);
      auto target = random_law(n, engine);
      for (std::size_t x = 0; x < n; ++x) {
        // As of a law that backs off to the other: t / d is 1/3 but for rounding.
        if (uniform(engine) < 0.7) target[x] = draft[x] / 3;
        if (uniform(engine) < 0.01) target[x] = -0.0;
      }
      const StateTable table(draft, target);
      std::size_t rounded = 0;  // neighbours whose ratios differ and round to one double
      for (std::size_t k = 0; k + 1 < n; ++k) {
        CAPTURE(n, repeat, k);
        REQUIRE(table.rank(table.token(k)) == k);
        const double t = table.target_at(k), d = table.draft_at(k);
        const double t_next = table.target_at(k + 1), d_next = table.draft_at(k + 1);
        if (!(d_next > 0) && !(t_next > 0)) {  // tokens that neither law has are last
          REQUIRE(((d > 0 || t > 0) || table.token(k) < table.token(k + 1)));
          continue;
        }
        REQUIRE((d > 0 || t > 0));
        const Rational here = Rational(t) * Rational(d_next);
        const Rational next = Rational(t_next) * Rational(d);
        REQUIRE((here > next || (here == next && table.token(k) < table.token(k + 1))));
        rounded += here != next && t / d == t_next / d_next ? 1 : 0;
      }
      CHECK((n < 5000 || rounded > 100));
    }
  }
}

TEST_CASE("equal laws leave no residual, not even a rounding error") {
  boost::random::mt19937 engine(13);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const auto law = random_law(50, engine);
    const StateTable table(law, law);
    const GapLaw<double> residual(law, law, 1.0, 1.0, &table);
    REQUIRE(residual.mass() == 0);
    REQUIRE(pick(residual, 0.5) == kUndefined);
  }
}

TEST_CASE("draws from the tables follow the gap law") {
  // One uniform walks through the whole range: the share of each token is its weight's.
  const std::vector<double> draft{0.5, 0.125, 0.25, 0.125, 0.0};
  const std::vector<double> target{0.25, 0.25, 0.25, 0.0, 0.25};
  const StateTable table(draft, target);
  constexpr int kSteps = 1 << 16;
  for (const double a : {1.0, 1.25, 2.0}) {
    const GapLaw<double> law(draft, target, a, 1.0, &table);
    std::vector<int> counts(draft.size());
    for (int i = 0; i < kSteps; ++i) {
      ++counts[static_cast<std::size_t>(pick(law, (i + 0.5) / kSteps))];
    }
    for (std::size_t x = 0; x < counts.size(); ++x) {
      CHECK(counts[x] / static_cast<double>(kSteps) ==
            Approx(law.weight(static_cast<Token>(x)) / law.mass()).margin(4.0 / kSteps));
    }
  }
}

TEST_CASE("a table counts all the bytes that it stores per token") {
  // Each token has its place in the order and its rank, three pairs of sums, and an entry of the
  // draft's alias table; small tables have one of the residual too.
  constexpr std::size_t kToken =
      2 * sizeof(std::uint32_t) + 3 * 2 * sizeof(double) + sizeof(AliasTable::Entry);
  boost::random::mt19937 engine(12);
  const auto bytes = [&engine](std::size_t n) {
    return StateTable(random_law(n, engine), random_law(n, engine)).bytes();
  };
  CHECK(bytes(900) - bytes(300) == 600 * kToken);
  CHECK(bytes(24) - bytes(14) == 10 * (kToken + sizeof(AliasTable::Entry)));
}

TEST_CASE("a state's table keeps each derived value once, and counts its bytes") {
  struct Long {
    std::vector<double> numbers;
    [[nodiscard]] std::size_t bytes() const { return numbers.size() * sizeof(double); }
  };
  static constexpr char kFirst = 0;
  static constexpr char kSecond = 0;
  std::atomic<std::size_t> bytes{0};
  {
    const std::vector<double> law{0.5, 0.5};
    const StateTable table(law, law, true, &bytes);
    const std::size_t before = bytes;
    int made = 0;
    const auto value = [&](const DerivedKey& key, double number) {
      return table.derived<double>(key, [&] { return ++made, number; });
    };
    CHECK(value({&kFirst}, 1.5) == 1.5);
    CHECK(value({&kFirst}, 2.5) == 1.5);
    CHECK(value({&kFirst, {0, 1}}, 3.5) == 3.5);
    CHECK(value({&kSecond}, 4.5) == 4.5);
    CHECK(value({&kFirst}, 5.5) == 1.5);
    CHECK(made == 3);
    // One that asks for others while it is made.
    const auto& both = table.derived<Long>({&kFirst, {1, 0}}, [&] {
      return Long{std::vector<double>(1000, value({&kFirst}, 0) + value({&kSecond, {2, 0}}, 6))};
    });
    CHECK(both.numbers.front() == 7.5);
    CHECK(bytes >= before + 1000 * sizeof(double));
    CHECK(bytes == table.bytes());
  }
  CHECK(bytes == 0);
}

}  // namespace speclab::state_table_test
