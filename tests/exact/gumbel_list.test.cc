// The law of the target's token given the drafts' tokens in Gumbel list sampling, against values by
// hand, marginals, the coupling of one draft, and clocks.
#include "verifiers/several/gumbel_list.h"

#include <algorithm>
#include <random>

#include "base/error.h"
#include "catch.h"
#include "model/view.h"
#include "simulate/statistics.h"
#include "theory/rowan2025.h"
#include "theory/small_pairs.h"
#include "toy.h"
#include "vectors.h"
#include "verifiers/chain/gumbel.h"

namespace speclab::gumbel_list_test {
namespace {

using Rationals = std::vector<Rational>;

Rationals law_of(const Laws<Rational>& laws, const std::vector<Token>& drafted, int idle = 0) {
  return ListClocks(laws, drafted, idle).law();
}

TEST_CASE("gumbel-list: two drafts of the toy pair by hand") {
  const Rows<Rational> rows(toy());
  const Laws<Rational> laws = laws_at(rows, 0);
  CHECK(law_of(laws, {0, 0}) == Rationals{Rational(7, 12), Rational(5, 12)});
  CHECK(law_of(laws, {0, 1}) == Rationals{Rational(1, 6), Rational(5, 6)});
  CHECK(law_of(laws, {1, 0}) == law_of(laws, {0, 1}));
  CHECK(law_of(laws, {1, 1}) == Rationals{Rational(0), Rational(1)});
  // 4/9 7/12 + 4/9 + 1/9: the token is a draft unless both are 0 and it is 1.
  const auto going = gls_survivors<Rational>(rows.draft(0), rows.target(0), 2, 0);
  CHECK(going[0][0] == Rational(4, 9) * Rational(1, 6));
  CHECK(going[1][0] == Rational(4, 9) * Rational(7, 12));
  CHECK(going[0][1] == Rational(4, 9) * Rational(5, 6));
  CHECK(going[1][1] == Rational(1, 9));
  CHECK(list_matching_bound<Rational>(rows.draft(0), rows.target(0), 2) == Rational(7, 9));
}

/// Adds to `marginal` the law of Y for all further drafts, `mass` times.
void add_all(const Laws<Rational>& laws, std::vector<Token>& drafted, int more, int idle,
             const Rational& mass, Rationals& marginal) {
  if (more == 0) {
    const Rationals law = law_of(laws, drafted, idle);
    for (std::size_t y = 0; y < law.size(); ++y) {
      CHECK(law[y] >= 0);
      marginal[y] += mass * law[y];
    }
    return;
  }
  for (Token x = 0; x < laws.vocabulary(); ++x) {
    if (!(laws.draft(x) > 0)) continue;
    drafted.push_back(x);
    add_all(laws, drafted, more - 1, idle, Rational(mass * laws.draft(x)), marginal);
    drafted.pop_back();
  }
}

TEST_CASE("gumbel-list: over all drafts the token has the target's law") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Rows<Rational> rows(random_pair(seed, 2 + seed % 3, 1));
    const Laws<Rational> laws = laws_at(rows, 0);
    for (int drafts = 1; drafts <= 3; ++drafts) {
      for (int idle = 0; idle <= 2; ++idle) {
        CAPTURE(seed, drafts, idle);
        std::vector<Token> drafted;
        Rationals marginal(static_cast<std::size_t>(laws.vocabulary()), Rational(0));
        add_all(laws, drafted, drafts, idle, Rational(1), marginal);
        for (Token y = 0; y < laws.vocabulary(); ++y) {
          CHECK(marginal[static_cast<std::size_t>(y)] == laws.target(y));
        }
      }
    }
  }
}

TEST_CASE("gumbel-list: of one draft it is the coupling of gumbel") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Rows<Rational> rows(random_pair(seed, 2 + seed % 4, 1));
    const Laws<Rational> laws = laws_at(rows, 0);
    const GumbelCoupling coupling(laws);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      if (!(laws.draft(x) > 0)) continue;
      CAPTURE(seed, x);
      const auto mismatch = coupling.mismatch(x);
      const Rationals law = law_of(laws, {x});
      for (Token y = 0; y < laws.vocabulary(); ++y) {
        CHECK(law[static_cast<std::size_t>(y)] ==
              (y == x ? coupling.match(x) : mismatch.weight(y)));
      }
    }
  }
}

/// P(X_1, X_2, Y) in the order of the base-4 number.
std::vector<double> joint_law(const std::vector<double>& draft, const std::vector<double>& target,
                              int idle) {
  std::vector<double> joint;
  for (Token a = 0; a < 4; ++a) {
    for (Token b = 0; b < 4; ++b) {
      const double mass = draft[static_cast<std::size_t>(a)] * draft[static_cast<std::size_t>(b)];
      if (mass > 0) {
        const Laws<double> laws(draft, target);
        for (const double y : ListClocks(laws, {a, b}, idle).law()) joint.push_back(mass * y);
      } else {
        joint.resize(joint.size() + 4, 0.0);
      }
    }
  }
  return joint;
}

TEST_CASE("gumbel-list: the joint law is that of argmins over clocks") {
  // A right law fails with a probability of 1e-9 at most over the choice of the seed.
  const std::vector<double> draft{0.5, 0.3, 0.2, 0.0}, target{0.1, 0.0, 0.55, 0.35};
  std::mt19937_64 engine(12);
  std::exponential_distribution<double> clock;
  for (const int idle : {0, 1}) {
    CAPTURE(idle);
    const std::vector<double> joint = joint_law(draft, target, idle);
    std::vector<std::uint64_t> counts(64);
    for (int trial = 0; trial < 200000; ++trial) {
      std::size_t cell = 0;
      std::vector<double> least(4, HUGE_VAL);
      for (int k = 0; k < 2 + idle; ++k) {
        std::vector<double> by_draft;
        for (std::size_t v = 0; v < 4; ++v) {
          const double rung = clock(engine);
          by_draft.push_back(rung / draft[v]);
          least[v] = std::min(least[v], rung / target[v]);
        }
        const auto first = std::min_element(by_draft.begin(), by_draft.end()) - by_draft.begin();
        if (k < 2) cell = 4 * cell + static_cast<std::size_t>(first);
      }
      cell = 4 * cell +
             static_cast<std::size_t>(std::min_element(least.begin(), least.end()) - least.begin());
      ++counts[cell];
    }
    const FitTest test = fit_test(joint, counts);
    CHECK(test.outside == 0);
    CHECK_FALSE(test.too_small);
    CHECK_FALSE(test.rejects(1e-9));
    CHECK(fit_test(joint_law(draft, target, 1 - idle), counts).rejects(1e-9));
  }
}

TEST_CASE("gumbel-list: fractions of too many terms are refused with the way out") {
  const Rows<Rational> rows(make_pair("zipf(vocabulary=60,draft=1,target=2)"));
  const Laws<Rational> laws = laws_at(rows, 0);
  CHECK_THROWS_AS(law_of(laws, {0, 1, 2, 3}), LimitError);
  CHECK_THROWS_WITH(law_of(laws, {0, 1, 2, 3}), Containing("take fewer drafts, or doubles"));
}

}  // namespace
}  // namespace speclab::gumbel_list_test
