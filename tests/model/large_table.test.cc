// The tables of a state at large vocabularies: draws and masses against sums token by token.
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/sum.h"
#include "catch.h"
#include "model/law.h"
#include "model/state_table.h"

namespace speclab::large_table_test {
namespace {

constexpr std::size_t kSizes[] = {65, 100, 1000, 50000};

/// Weights of very unequal size, a tenth of them zero, normalised.
std::vector<double> random_law(std::size_t n, std::uint32_t seed) {
  boost::random::mt19937 engine(seed);
  boost::random::uniform_01<double> uniform;
  std::vector<double> law(n);
  Sum<double> mass;
  for (double& entry : law) {
    const double u = uniform(engine);
    entry = u < 0.1 ? 0.0 : std::pow(u, 4);
    mass += entry;
  }
  for (double& entry : law) entry /= mass.value();
  return law;
}

/// [a t - b d]+, token by token.
std::vector<double> naive(const std::vector<double>& draft, const std::vector<double>& target,
                          double a, double b) {
  std::vector<double> weights;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    weights.push_back(std::max(0.0, a * target[x] - b * draft[x]));
  }
  return weights;
}

double sum_of(const std::vector<double>& weights) {
  Sum<double> sum;
  for (const double weight : weights) sum += weight;
  return sum.value();
}

struct Scales {
  double a, b;
};

/// The residual of token verification, of blocks, of carries, and the target itself.
constexpr Scales kScales[] = {{1, 1}, {0.6, 1}, {1.7, 1.2}, {40, 1}, {1, 0}};

}  // namespace

TEST_CASE("large tables: the mass of a gap is the sum token by token") {
  for (const std::size_t n : kSizes) {
    const auto draft = random_law(n, 21), target = random_law(n, 22);
    const StateTable table(draft, target);
    for (const auto& [a, b] : kScales) {
      CAPTURE(n, a, b);
      const GapLaw<double> law(draft, target, a, b, &table);
      // Sums of doubles, each rounded once, that nearly cancel at worst.
      CHECK(std::abs(law.mass() - sum_of(naive(draft, target, a, b))) <= 4 * (a + b) * 0x1p-53);
    }
  }
}

TEST_CASE("large tables: a walk of u from 0 to 1 draws each token as often as its weight") {
  for (const std::size_t n : kSizes) {
    const auto draft = random_law(n, 23), target = random_law(n, 24);
    const StateTable table(draft, target);
    REQUIRE(table.residual_alias().empty());
    const std::int64_t steps = n > 1000 ? 1 << 19 : 1 << 17;
    for (const auto& [a, b] : {kScales[0], kScales[1], kScales[2]}) {
      CAPTURE(n, a, b);
      const GapLaw<double> law(draft, target, a, b, &table);
      std::vector<std::int64_t> counts(n);
      for (std::int64_t i = 0; i < steps; ++i) {
        const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(steps);
        ++counts[static_cast<std::size_t>(pick(law, u))];
      }
      // A token's draws are one interval of u: it holds the nearest number of points below or above
      // its length. One half more for rounding at its ends.
      const auto weights = naive(draft, target, a, b);
      const double mass = sum_of(weights);
      double farthest = 0;
      for (std::size_t x = 0; x < n; ++x) {
        const double expected = static_cast<double>(steps) * weights[x] / mass;
        farthest = std::max(farthest, std::abs(static_cast<double>(counts[x]) - expected));
        if (!(weights[x] > 0)) REQUIRE(counts[x] == 0);
      }
      CHECK(farthest < 1.5);
    }
  }
}

TEST_CASE("large tables: the draft's alias table has its law, and pick reads it") {
  boost::random::mt19937 engine(25);
  for (const std::size_t n : kSizes) {
    CAPTURE(n);
    const auto law = random_law(n, 26);
    const StateTable table(law, law);
    const AliasTable& alias = table.draft_alias();
    REQUIRE(alias.entries().size() == n);
    std::vector<double> share(n);
    for (std::size_t x = 0; x < n; ++x) {
      const AliasTable::Entry& entry = alias.entries()[x];
      share[x] += entry.keep / static_cast<double>(n);
      share[entry.other] += (1 - entry.keep) / static_cast<double>(n);
    }
    double farthest = 0;
    for (std::size_t x = 0; x < n; ++x) farthest = std::max(farthest, std::abs(share[x] - law[x]));
    CHECK(farthest < 1e-12);
    for (int i = 0; i < 2000; ++i) {
      const double u = static_cast<double>(engine()) * 0x1p-32;
      const double place = u * static_cast<double>(n);
      const auto cell = static_cast<std::size_t>(place);
      const AliasTable::Entry& entry = alias.entries()[cell];
      const std::size_t own = place - static_cast<double>(cell) < entry.keep ? cell : entry.other;
      REQUIRE(static_cast<std::size_t>(alias.pick(u)) == own);
    }
  }
}

}  // namespace speclab::large_table_test
