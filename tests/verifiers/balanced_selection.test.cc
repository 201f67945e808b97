// The choice among more than two drafts of canonical: the law of the chosen token is the one that
// is stated, by every list of drafts; it attains alpha*(K); and it is the most balanced one, by
// maximum flows from sets of tokens to tokens.
#include "verifiers/several/balanced_selection.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "catch.h"
#include "optimum/max_flow.h"
#include "theory/multi_draft.h"

namespace speclab::balanced_selection_test {
namespace {

template <class Real>
using Law = std::vector<Real>;

/// A law of multiples of 1/n, n < size * steps: with zeros and ties where `steps` is small.
Law<Rational> random_law(std::mt19937& engine, std::size_t size, unsigned steps) {
  Law<Rational> law(size);
  Rational total(0);
  while (total == 0) {
    total = 0;
    for (auto& entry : law) {
      entry = Rational(static_cast<long>(engine() % steps));
      total += entry;
    }
  }
  for (auto& entry : law) entry /= total;
  return law;
}

/// Calls visit(tokens, probability) for every list of `drafts` tokens of positive probability.
template <class Real, class Visit>
void each_list(const Law<Real>& draft, int drafts, const Visit& visit) {
  std::vector<Token> tokens(static_cast<std::size_t>(drafts), 0);
  for (;;) {
    Real mass(1);
    for (const Token x : tokens) mass *= draft[static_cast<std::size_t>(x)];
    if (mass > 0) visit(tokens, mass);
    std::size_t place = 0;
    while (place < tokens.size() && ++tokens[place] == static_cast<Token>(draft.size())) {
      tokens[place++] = 0;
    }
    if (place == tokens.size()) return;
  }
}

/// The law of the token that `selection` chooses.
template <class Real>
Law<Real> law_of_choice(const BalancedSelection<Real>& selection, const Law<Real>& draft,
                        int drafts) {
  Law<Real> law(draft.size(), Real(0));
  each_list(draft, drafts, [&](const std::vector<Token>& tokens, const Real& mass) {
    const std::vector<Real> weights = selection.weights(tokens);
    REQUIRE(weights.size() == tokens.size());
    for (std::size_t j = 0; j < weights.size(); ++j) {
      law[static_cast<std::size_t>(tokens[j])] += mass * weights[j];
    }
  });
  return law;
}

template <class Real>
Law<Real> stated_law(const BalancedSelection<Real>& selection, std::size_t size) {
  Law<Real> law;
  for (std::size_t x = 0; x < size; ++x) law.push_back(selection.chosen(static_cast<Token>(x)));
  return law;
}

/// The largest flow from the sets of drawn tokens, with their masses, through their tokens, each of
/// which takes scale * t.
Rational largest_accepted(const Law<Rational>& draft, const Law<Rational>& target, int drafts,
                          const Rational& scale) {
  std::map<std::set<Token>, Rational> sets;
  each_list(draft, drafts, [&sets](const std::vector<Token>& tokens, const Rational& mass) {
    sets[{tokens.begin(), tokens.end()}] += mass;
  });
  std::vector<FlowEdge> edges;
  const std::size_t source = 0, sink = 1;
  std::size_t vertex = 2 + draft.size();
  for (const auto& [set, mass] : sets) {
    edges.push_back({source, vertex, mass});
    for (const Token x : set) edges.push_back({vertex, 2 + static_cast<std::size_t>(x), mass});
    ++vertex;
  }
  for (std::size_t x = 0; x < target.size(); ++x) {
    edges.push_back({2 + x, sink, scale * target[x]});
  }
  return largest_flow(edges, vertex, source, sink).value;
}

int most_tokens(int drafts) { return drafts == 2 ? 6 : drafts == 3 ? 5 : drafts == 4 ? 4 : 3; }

TEST_CASE("balanced selection: the law of the chosen token, alpha*, and no draft in the residual") {
  std::mt19937 engine(20260301);
  int between = 0;
  for (int round = 0; round < 400; ++round) {
    const int drafts = 2 + round % 4;
    const auto size = 2 + engine() % static_cast<std::size_t>(most_tokens(drafts) - 1);
    const unsigned steps = round % 3 == 0 ? 1000 : 5;
    const auto draft = random_law(engine, size, steps);
    const auto target = random_law(engine, size, steps);
    const BalancedSelection<Rational> selection(draft, target, drafts);
    const auto law = stated_law(selection, size);
    CAPTURE(round, drafts, size);
    CHECK(law_of_choice(selection, draft, drafts) == law);
    Rational accepted(0);
    for (std::size_t x = 0; x < size; ++x) accepted += lesser<Rational>(law[x], target[x]);
    CHECK(accepted == best_acceptance(std::span<const Rational>(draft),
                                      std::span<const Rational>(target), drafts));
    each_list(draft, drafts, [&](const std::vector<Token>& tokens, const Rational&) {
      const auto weights = selection.weights(tokens);
      Rational total(0);
      for (std::size_t j = 0; j < weights.size(); ++j) {
        REQUIRE(weights[j] >= 0);
        total += weights[j];
        between += weights[j] > 0 && weights[j] < 1;
        const auto x = static_cast<std::size_t>(tokens[j]);
        if (!(weights[j] > 0 && law[x] > target[x])) continue;
        for (const Token other : tokens) {
          CHECK(law[static_cast<std::size_t>(other)] > target[static_cast<std::size_t>(other)]);
        }
      }
      CHECK(total == 1);
    });
  }
  CHECK(between > 1000);
}

TEST_CASE("balanced selection accepts 1 + min over all sets H of t(H) - d(H)^K") {
  std::mt19937 engine(20260305);
  for (int round = 0; round < 500; ++round) {
    const int drafts = 2 + round % 4;
    const std::size_t size = 2 + engine() % 5;
    const unsigned steps = round % 3 == 0 ? 1000 : 5;
    const auto draft = random_law(engine, size, steps);
    const auto target = random_law(engine, size, steps);
    const BalancedSelection<Rational> selection(draft, target, drafts);
    Rational least(0);
    for (std::size_t set = 0; set < (std::size_t{1} << size); ++set) {
      Rational inside(0), wanted(0);
      for (std::size_t x = 0; x < size; ++x) {
        if ((set >> x & 1) == 0) continue;
        inside += draft[x];
        wanted += target[x];
      }
      least = lesser<Rational>(least, wanted - power<Rational>(inside, drafts));
    }
    Rational accepted(0);
    for (std::size_t x = 0; x < size; ++x) {
      accepted += lesser<Rational>(selection.chosen(static_cast<Token>(x)), target[x]);
    }
    CAPTURE(round, drafts, size);
    CHECK(accepted == 1 + least);
  }
}

TEST_CASE("balanced selection: no choice of drafts puts more below any multiple of the target") {
  std::mt19937 engine(20260302);
  int levels = 0;
  for (int round = 0; round < 120; ++round) {
    const int drafts = 2 + round % 4;
    const auto size = static_cast<std::size_t>(2 + round % (most_tokens(drafts) - 1));
    const auto draft = random_law(engine, size, round % 2 == 0 ? 5 : 100);
    const auto target = random_law(engine, size, round % 2 == 0 ? 5 : 100);
    const BalancedSelection<Rational> selection(draft, target, drafts);
    const auto law = stated_law(selection, size);
    CAPTURE(round, drafts, size);
    std::set<Rational> scales{Rational(1)};
    for (std::size_t x = 0; x < size; ++x) {
      if (target[x] > 0 && law[x] > 0) scales.insert(law[x] / target[x]);
    }
    levels += static_cast<int>(scales.size());
    for (const Rational& scale : scales) {
      Rational below(0);
      for (std::size_t x = 0; x < size; ++x) below += lesser<Rational>(law[x], scale * target[x]);
      CHECK(below == largest_accepted(draft, target, drafts, scale));
    }
    CHECK(largest_accepted(draft, target, drafts, Rational(1)) ==
          best_acceptance(std::span<const Rational>(draft), std::span<const Rational>(target),
                          drafts));
  }
  CHECK(levels > 200);
}

TEST_CASE("balanced selection: by hand") {
  const Rational half(1, 2);
  const BalancedSelection<Rational> two({half, half}, {Rational(2, 5), Rational(3, 5)}, 3);
  CHECK(two.weights(std::vector<Token>{0, 1, 1}) ==
        Law<Rational>{Rational(11, 15), Rational(4, 15), Rational(0)});
  CHECK(two.weights(std::vector<Token>{1, 0, 1}) ==
        Law<Rational>{Rational(1), Rational(0), Rational(0)});
  CHECK(two.chosen(0) == Rational(2, 5));
  // Toy pair, K = 3: d(0)^3 = 8/27 < 1/3, so that all is accepted.
  const BalancedSelection<Rational> toy({Rational(2, 3), Rational(1, 3)},
                                        {Rational(1, 3), Rational(2, 3)}, 3);
  CHECK(toy.chosen(0) == Rational(1, 3));
  // Tokens that the target lacks share d(H)^K as the draft does.
  const BalancedSelection<Rational> lacking({Rational(1, 4), half, Rational(1, 4)},
                                            {Rational(0), Rational(0), Rational(1)}, 3);
  CHECK(lacking.chosen(0) == Rational(1, 4) * Rational(9, 16));
  CHECK(lacking.chosen(1) == half * Rational(9, 16));
}

/// Tokens from 1e-320 to 1, with zeros.
Law<double> rough_law(std::mt19937& engine, std::size_t size) {
  Law<double> law(size);
  double total = 0;
  while (!(total > 0)) {
    total = 0;
    for (auto& entry : law) {
      const auto kind = engine() % 8;
      entry = kind == 0   ? 0.0
              : kind == 1 ? std::ldexp(1.0, -static_cast<int>(engine() % 1070))
                          : static_cast<double>(engine() % 1000 + 1);
      total += entry;
    }
  }
  for (auto& entry : law) entry /= total;
  return law;
}

TEST_CASE("balanced selection in doubles") {
  std::mt19937 engine(20260303);
  for (int round = 0; round < 300; ++round) {
    const int drafts = 2 + round % 4;
    const auto size = static_cast<std::size_t>(drafts == 2 ? 40 : drafts == 3 ? 12 : 6);
    const auto draft = rough_law(engine, size);
    const auto target = rough_law(engine, size);
    const BalancedSelection<double> selection(draft, target, drafts);
    const auto law = stated_law(selection, size);
    const auto found = law_of_choice(selection, draft, drafts);
    CAPTURE(round, drafts);
    double accepted = 0;
    double total = 0;
    for (std::size_t x = 0; x < size; ++x) {
      REQUIRE(std::isfinite(law[x]));
      CHECK(std::abs(found[x] - law[x]) < 1e-13);
      accepted += std::min(law[x], target[x]);
      total += law[x];
    }
    CHECK(std::abs(total - 1) < 1e-13);
    const double best =
        best_acceptance(std::span<const double>(draft), std::span<const double>(target), drafts);
    CHECK(std::abs(accepted - best) < 1e-13);
  }
}

TEST_CASE("balanced selection in doubles: many tokens, many drafts") {
  std::mt19937 engine(20260304);
  for (const auto& [size, drafts] : {std::pair{20000, 4}, {500, 64}, {500, 10000}}) {
    const auto draft = rough_law(engine, static_cast<std::size_t>(size));
    const auto target = rough_law(engine, static_cast<std::size_t>(size));
    const BalancedSelection<double> selection(draft, target, drafts);
    CAPTURE(size, drafts);
    double accepted = 0;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      accepted += std::min(selection.chosen(static_cast<Token>(x)), target[x]);
    }
    const double best =
        best_acceptance(std::span<const double>(draft), std::span<const double>(target), drafts);
    CHECK(std::abs(accepted - best) < 1e-11);
    std::vector<Token> drawn;
    while (static_cast<int>(drawn.size()) < drafts) {
      const auto x = static_cast<Token>(engine() % static_cast<unsigned>(size));
      if (draft[static_cast<std::size_t>(x)] > 0) drawn.push_back(x);
    }
    double sum = 0;
    for (const double weight : selection.weights(drawn)) sum += weight;
    CHECK(std::abs(sum - 1) < 1e-12);
  }
}

}  // namespace
}  // namespace speclab::balanced_selection_test
