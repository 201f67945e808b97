// The linear program of canonical: alpha*(2) is attained, and the solution is the lexicographically
// largest optimum, found a second time by Hall's condition over every set of pairs.
#include "verifiers/several/pair_selection.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "catch.h"
#include "theory/multi_draft.h"

namespace speclab::pair_selection_test {
namespace {

using Law = std::vector<Rational>;

Law random_law(std::mt19937& engine, std::size_t size) {
  Law law(size);
  Rational total(0);
  while (total == 0) {
    for (auto& entry : law) {
      entry = Rational(static_cast<long>(engine() % 5));
      total += entry;
    }
  }
  for (auto& entry : law) entry /= total;
  return law;
}

Rational accepted(const Law& target, const PairSelection<Rational>& selection) {
  Rational sum(0);
  for (std::size_t x = 0; x < target.size(); ++x) {
    const Rational& chosen = selection.chosen(static_cast<Token>(x));
    sum += chosen < target[x] ? chosen : target[x];
  }
  return sum;
}

/// The program as a transport problem: pairs carry mass to either of their tokens, token x takes
/// target(x) at most and the rest spills.
struct Transport {
  Law draft;
  Law target;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;

  Transport(Law d, Law t) : draft(std::move(d)), target(std::move(t)) {
    for (std::size_t i = 0; i < draft.size(); ++i) {
      for (std::size_t j = i + 1; j < draft.size(); ++j) {
        if (draft[i] > 0 && draft[j] > 0) pairs.emplace_back(i, j);
      }
    }
  }
  [[nodiscard]] Rational mass(std::size_t p) const {
    return 2 * draft[pairs[p].first] * draft[pairs[p].second];
  }
  /// The least spill where the first `settled.size()` pairs send settled[p] to their first token:
  /// max over sets S of tokens of (what must arrive in S) - target(S).
  [[nodiscard]] Rational spill(const Law& settled) const {
    const std::size_t size = draft.size();
    Rational most(0);
    for (std::size_t set = 0; set < (std::size_t{1} << size); ++set) {
      const auto in = [set](std::size_t x) { return (set >> x & 1) != 0; };
      Rational excess(0);
      for (std::size_t x = 0; x < size; ++x) {
        if (in(x)) excess += draft[x] * draft[x] - target[x];
      }
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto [i, j] = pairs[p];
        if (p < settled.size()) {
          if (in(i)) excess += settled[p];
          if (in(j)) excess += mass(p) - settled[p];
        } else if (in(i) && in(j)) {
          excess += mass(p);
        }
      }
      most = std::max(most, excess);
    }
    return most;
  }
  /// The largest mass of the next pair that may go to its first token without more spill. The spill
  /// is the maximum of lines of slope -1, 0, 1 in that mass, so from the whole mass it is one step
  /// back, by the excess of spill.
  [[nodiscard]] Rational largest(Law settled, const Rational& least) const {
    Rational share = mass(settled.size());
    settled.push_back(share);
    settled.back() -= spill(settled) - least;
    REQUIRE(settled.back() >= 0);
    REQUIRE(spill(settled) == least);
    return settled.back();
  }
};

TEST_CASE("pair selection: the lexicographically largest optimum, on random laws with zeros") {
  std::mt19937 engine(20260101);
  int open = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t size = 2 + engine() % 4;
    const Law draft = random_law(engine, size);
    const Law target = random_law(engine, size);
    const PairSelection<Rational> selection(draft, target);
    CAPTURE(round, size);
    CHECK(accepted(target, selection) ==
          best_acceptance(std::span<const Rational>(draft), std::span<const Rational>(target), 2));
    Rational total(0);
    for (std::size_t x = 0; x < size; ++x) total += selection.chosen(static_cast<Token>(x));
    CHECK(total == 1);
    const Transport transport(draft, target);
    Law settled;
    const Rational least = transport.spill(settled);
    CHECK(accepted(target, selection) == 1 - least);
    for (std::size_t p = 0; p < transport.pairs.size(); ++p) {
      settled.push_back(transport.largest(settled, least));
      const auto [i, j] = transport.pairs[p];
      const Rational share = settled.back() / transport.mass(p);
      CHECK(selection.weight(static_cast<Token>(i), static_cast<Token>(j)) == share);
      open += share > 0 && share < 1;
    }
  }
  CHECK(open > 100);
}

TEST_CASE("pair selection: the toy pair, and a target that the drafts cover") {
  const PairSelection<Rational> toy({Rational(2, 3), Rational(1, 3)},
                                    {Rational(1, 3), Rational(2, 3)});
  CHECK(toy.weight(0, 1) == 0);
  CHECK(toy.chosen(0) == Rational(4, 9));
  const PairSelection<Rational> equal({Rational(1, 2), Rational(1, 2)},
                                      {Rational(1, 2), Rational(1, 2)});
  CHECK(equal.weight(0, 1) == Rational(1, 2));
  CHECK(equal.chosen(0) == Rational(1, 2));
}

TEST_CASE("pair selection in doubles attains alpha* at a moderate vocabulary") {
  std::mt19937 engine(7);
  // Half of the tokens may be so unlikely that products of two probabilities are 0.
  const auto scale = [&engine](bool small) {
    return small && engine() % 2 == 0 ? std::ldexp(1.0, -200 - static_cast<int>(engine() % 600))
                                      : 1.0;
  };
  std::vector<std::pair<std::size_t, bool>> cases{{10, false}, {60, false}, {200, false}};
  cases.insert(cases.end(), 40, {60, true});
  for (const auto& [size, small] : cases) {
    std::vector<double> draft(size);
    std::vector<double> target(size);
    double draft_total = 0;
    double target_total = 0;
    for (std::size_t x = 0; x < size; ++x) {
      draft[x] = scale(small) * static_cast<double>(engine() % 1000 + 1);
      target[x] = scale(small) * static_cast<double>((engine() % 1000) * (engine() % 1000));
      draft_total += draft[x];
      target_total += target[x];
    }
    for (auto& entry : draft) entry /= draft_total;
    for (auto& entry : target) entry /= target_total;
    const PairSelection<double> selection(draft, target);
    double sum = 0;
    for (std::size_t x = 0; x < size; ++x) {
      sum += std::min(selection.chosen(static_cast<Token>(x)), target[x]);
    }
    CHECK(sum == Approx(best_acceptance(std::span<const double>(draft),
                                        std::span<const double>(target), 2))
                     .margin(1e-11));
  }
}

TEST_CASE("alpha* counts no token that neither model has, wherever it stands") {
  std::mt19937 engine(11);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 2 + engine() % 3;
    std::vector<Outcome<Rational>> outcomes;
    const Law draft = random_law(engine, size);
    const Law target = random_law(engine, size);
    for (std::size_t x = 0; x < size; ++x) outcomes.push_back({draft[x], target[x]});
    for (const int k : {1, 2, 3}) {
      const Rational alone = best_acceptance(outcomes, k);
      for (std::size_t place = 0; place <= size; ++place) {
        auto longer = outcomes;
        longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(place),
                      {Rational(0), Rational(0)});
        CHECK(best_acceptance(longer, k) == alone);
      }
    }
  }
  CHECK(best_acceptance<Rational>({{Rational(1, 2), Rational(3, 4)},
                                   {Rational(0), Rational(0)},
                                   {Rational(1, 2), Rational(1, 4)}},
                                  1) == Rational(3, 4));
}

}  // namespace
}  // namespace speclab::pair_selection_test
