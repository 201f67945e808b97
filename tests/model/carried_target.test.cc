// Sums of functions of d / t by blocks of ranks, and targets below carries, against sums token by
// token.
#include "model/carries/carried_target.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/sum.h"
#include "catch.h"
#include "model/state_table.h"
#include "scaled_pair.h"

namespace speclab::carried_target_test {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 47, 48, 49, 97, 1000, 20000};

class Function : public RatioFunction {
 public:
  explicit Function(std::function<double(double)> value) : value_(std::move(value)) {}
  void apply(Points& points) const override {
    ++applied;
    for (double& each : points) each = value_(each);
  }
  mutable int applied = 0;
  [[nodiscard]] double at(double ratio) const { return value_(ratio); }

 private:
  std::function<double(double)> value_;
};

struct Laws {
  std::string name;
  std::vector<double> draft;
  std::vector<double> target;
};

void normalise(std::vector<double>& law) {
  const double mass = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& entry : law) entry /= mass;
}

/// Uneven and zipf laws, ties, equal laws, laws that share few tokens, ratios of any size.
std::vector<Laws> examples(std::size_t size, unsigned seed) {
  boost::random::mt19937 engine(seed);
  boost::random::uniform_01<double> uniform;
  std::vector<Laws> all;
  const auto add = [&](const std::string& name, const auto& draft, const auto& target) {
    Laws laws{name, {}, {}};
    for (std::size_t x = 0; x < size; ++x) {
      laws.draft.push_back(draft(x));
      laws.target.push_back(target(x));
    }
    laws.draft[0] += 1e-3;
    laws.target[0] += 1e-3;
    normalise(laws.draft);
    normalise(laws.target);
    all.push_back(std::move(laws));
  };
  const auto any = [&](std::size_t) { return std::pow(uniform(engine), 4); };
  const auto zipf = [](double power) {
    return [power](std::size_t x) { return std::pow(static_cast<double>(x) + 1, -power); };
  };
  add("uneven", any, any);
  add("zipf", zipf(1), zipf(1.1));
  add(
      "ties", [](std::size_t x) { return x % 3 == 0 ? 1.0 : 2.0; },
      [](std::size_t x) { return x % 2 == 0 ? 1.0 : 3.0; });
  add("equal", zipf(1), zipf(1));
  add("units apart", zipf(1),
      [&](std::size_t x) { return zipf(1)(x) * (1 + static_cast<double>(x % 5) * 0x1p-52); });
  add(
      "few in common", [](std::size_t x) { return x % 7 < 4 ? 1.0 : 0.0; },
      [](std::size_t x) { return x % 7 > 2 ? 1.0 : 0.0; });
  add(
      "any size", [&](std::size_t) { return std::exp(740 * (uniform(engine) - 1)); },
      [&](std::size_t) { return std::exp(740 * (uniform(engine) - 1)); });
  return all;
}

double ratio_at(const StateTable& table, std::size_t rank) {
  return table.draft_at(rank) / table.target_at(rank);
}

/// Sum of t g(d / t) over the ranks [from, to).
double one_by_one(const StateTable& table, const Function& g, std::size_t from, std::size_t to) {
  Sum<double> sum;
  for (std::size_t k = from; k < to; ++k) sum += table.target_at(k) * g.at(ratio_at(table, k));
  return sum.value();
}

bool near(double found, double wanted, double within) {
  return std::abs(found - wanted) <= within * std::abs(wanted);
}

/// [1 - s r]^power of the ratio r.
struct Case {
  double s;
  int power;
};
constexpr Case kCases[] = {{0.9, 1},  {1.0, 2},  {0.3, 4},   {3.0, 4},
                           {0.5, 40}, {1e-9, 3}, {1e-306, 1}};

Function function_of(double s, int power) {
  return Function([s, power](double r) { return s * r < 1 ? std::pow(1 - s * r, power) : 0.0; });
}

/// The target below carries, token by token (model/carries/carried_view.h).
class Row {
 public:
  explicit Row(const Laws& laws) : draft_(laws.draft), row_(laws.target) {}
  /// The weights t' (1 - share d / t')^power.
  [[nodiscard]] std::vector<double> weights(double share, int power) const {
    std::vector<double> found;
    for (std::size_t x = 0; x < row_.size(); ++x) {
      const double gap = row_[x] - share * draft_[x];
      found.push_back(gap > 0 ? gap * std::pow(gap / row_[x], power - 1) : 0.0);
    }
    return found;
  }
  /// Returns the mass.
  double carry(double share, int power) {
    row_ = weights(share, power);
    const double mass = std::accumulate(row_.begin(), row_.end(), 0.0);
    for (double& entry : row_) entry /= mass;
    return mass;
  }
  [[nodiscard]] double draft(std::size_t x) const { return draft_[x]; }
  [[nodiscard]] double target(std::size_t x) const { return row_[x]; }

 private:
  std::vector<double> draft_;
  std::vector<double> row_;
};

}  // namespace

TEST_CASE("ranked sums: a power of a gap over any range of ranks") {
  for (const std::size_t size : kSizes) {
    for (const Laws& laws : examples(size, 31)) {
      const StateTable table(laws.draft, laws.target);
      const RankedSums sums(table);
      for (const auto& [s, power] : kCases) {
        const Function g = function_of(s, power);
        const std::size_t end = table.count_above(1, s);
        for (const std::size_t from : {std::size_t{0}, end / 3, end / 2, end - end / 50}) {
          CAPTURE(size, laws.name, s, power, from, end);
          CHECK(near(sums.sum(g, from, end), one_by_one(table, g, from, end), 1e-12));
        }
      }
    }
  }
}

TEST_CASE("ranked sums: few values of a smooth function, at any vocabulary") {
  for (const Laws& laws : examples(20000, 34)) {
    const StateTable table(laws.draft, laws.target);
    const RankedSums sums(table);
    const Function g = function_of(0.5, 4);
    static_cast<void>(sums.sum(g, 0, table.count_above(1, 0.5)));
    CAPTURE(laws.name);
    CHECK(g.applied <= 40);
  }
}

TEST_CASE("ranked sums: tokens that share one ratio, without entries") {
  boost::random::mt19937 engine(35);
  for (const std::size_t size : {9U, 70U, 600U}) {
    for (const std::size_t others : {0U, 1U, 4U}) {
      const std::vector<double> draft = random_draft(size, engine);
      const ScaledTarget law = random_scaled_target(draft, others, others == 0 ? 1 : 0.375, engine);
      const StateTable table(draft, law, nullptr);
      const RankedSums sums(table);
      for (const double s : {0.25, 0.9}) {
        const Function g = function_of(s, 3);
        const std::size_t end = table.count_above(1, s);
        CAPTURE(size, others, s, end);
        for (const std::size_t from : {std::size_t{0}, end / 2, end}) {
          CHECK(near(sums.sum(g, from, end), one_by_one(table, g, from, end), 1e-12));
        }
        const double whole = one_by_one(table, g, 0, end);
        for (int i = 0; i < 100 && whole > 0; ++i) {
          const std::size_t k = sums.pick(g, end, whole * i / 100);
          CAPTURE(i, k);
          REQUIRE(k < end);
          CHECK(one_by_one(table, g, 0, k) <= whole * (i / 100.0 + 1e-12));
          CHECK(one_by_one(table, g, 0, k + 1) >= whole * (i / 100.0 - 1e-12));
        }
      }
    }
  }
}

TEST_CASE("ranked sums: a draw is the token at which the running sum passes it") {
  for (const std::size_t size : kSizes) {
    for (const Laws& laws : examples(size, 32)) {
      const StateTable table(laws.draft, laws.target);
      const RankedSums sums(table);
      for (const auto& [s, power] : {kCases[0], kCases[2]}) {
        const Function g = function_of(s, power);
        const std::size_t end = table.count_above(1, s);
        if (end == 0) continue;
        std::vector<double> running{0};
        for (std::size_t k = 0; k < end; ++k) {
          running.push_back(running.back() + one_by_one(table, g, k, k + 1));
        }
        const double whole = running.back();
        for (int i = 0; i <= 500; ++i) {
          const double left = whole * std::min(i / 500.0, 1 - 0x1p-53);
          const std::size_t k = sums.pick(g, end, left);
          CAPTURE(size, laws.name, s, power, i, k);
          REQUIRE(k < end);
          CHECK(running[k] <= left + 1e-12 * whole);
          CHECK(running[k + 1] >= left - 1e-12 * whole);
          CHECK(one_by_one(table, g, k, k + 1) > 0);
        }
      }
    }
  }
}

TEST_CASE("carried target: probabilities, masses and draws below up to four carries") {
  for (const std::size_t size : {600U, 20000U}) {
    for (const Laws& laws : examples(size, 33)) {
      if (laws.name == "any size") continue;  // its carries leave one token
      for (const int power : {1, 2, 4}) {
        const StateTable table(laws.draft, laws.target);
        CarriedTarget carried(table);
        Row row(laws);
        for (const double share : {0.3, 0.5, 0.2, 0.4}) {
          CAPTURE(size, laws.name, power, share);
          const CarriedTarget::Form form{.b = share, .power = power};
          const double found = carried.mass(form, 0, carried.count_above(1, share));
          const double mass = row.carry(share, power);
          CHECK(near(found, mass, 1e-12));
          carried.carry(share, power, found);
          double farthest = 0;
          for (std::size_t x = 0; x < size; ++x) {
            const double wanted = row.target(x);
            farthest = std::max(farthest, std::abs(carried.target(static_cast<Token>(x)) - wanted));
          }
          CHECK(farthest < 1e-12);
        }
        // What each rule asks of it: gaps at several scales, powers, differences of powers.
        for (const CarriedTarget::Form& form : {CarriedTarget::Form{},
                                                {.a = 2, .b = 1},
                                                {.a = 0.5, .b = 0.7},
                                                {.b = 0.4, .power = 4},
                                                {.b = 0.4, .power = 3, .less = 0.01}}) {
          const std::size_t above = carried.count_above(form.a, form.b);
          Sum<double> sum;
          std::size_t misplaced = 0;
          for (std::size_t x = 0; x < size; ++x) {
            const double whole = form.a * row.target(x);
            const double gap = whole - form.b * row.draft(x);
            // Rounding may decide of a gap of 0.
            if (table.rank(static_cast<Token>(x)) < above ? gap < -1e-15 : gap > 1e-15) ++misplaced;
            if (!(gap > 0)) continue;
            sum += whole * (std::pow(gap / whole, form.power) - form.less);
          }
          CAPTURE(size, laws.name, power, form.a, form.b, form.power, form.less);
          CHECK(std::abs(carried.mass(form, 0, above) - sum.value()) < 1e-12);
          CHECK(misplaced == 0);
          if (form.less == 0 && above > 0) {
            const Token x = carried.pick(form, above, 0.5 * sum.value());
            CHECK(table.rank(x) < above);
          }
        }
      }
    }
  }
}

TEST_CASE("carried target: a carry whose mass has no reciprocal") {
  const std::vector<double> law(600, 1.0 / 600);
  const StateTable table(law, law);
  CarriedTarget carried(table);
  const CarriedTarget::Form form{.b = 1 - 1e-10, .power = 31};
  const double mass = carried.mass(form, 0, carried.count_above(1, form.b));
  REQUIRE((mass > 0 && mass < 1e-308));
  carried.carry(form.b, form.power, mass);
  // The smallest doubles have few digits.
  for (Token x = 0; x < 600; ++x) CHECK(std::abs(carried.target(x) * 600 - 1) < 1e-3);
  CHECK(std::abs(carried.mass({}, 0, carried.count_above(1, 0)) - 1) < 1e-3);
}

}  // namespace speclab::carried_target_test
