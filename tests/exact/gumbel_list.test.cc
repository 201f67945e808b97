// The law of the target's token given the drafts' tokens in Gumbel list sampling, against values by
// hand, marginals, the coupling of one draft, and clocks.
#include "verifiers/several/gumbel_list.h"

#include <algorithm>
#include <random>

#include "base/error.h"
#include "list_laws.h"
#include "theory/rowan2025.h"

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

TEST_CASE("gumbel-list: over all drafts the token has the target's law") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Rows<Rational> rows(random_pair(seed, 2 + seed % 3, 1));
    const Laws<Rational> laws = laws_at(rows, 0);
    for (int drafts = 1; drafts <= 3; ++drafts) {
      for (int idle = 0; idle <= 2; ++idle) {
        CAPTURE(seed, drafts, idle);
        check_marginal(laws, drafts, [idle](const auto& of, const std::vector<Token>& drafted) {
          return law_of(of, drafted, idle);
        });
      }
    }
  }
}

TEST_CASE("gumbel-list: of one draft it is the coupling of gumbel") {
  check_one_draft(
      [](const auto& laws, const std::vector<Token>& drafted) { return law_of(laws, drafted); });
}

TEST_CASE("gumbel-list: the joint law is that of argmins over clocks") {
  const auto joint = [](int idle) {
    return joint_law(2, [idle](const Laws<double>& laws, const std::vector<Token>& drafted) {
      return ListClocks(laws, drafted, idle).law();
    });
  };
  std::mt19937_64 engine(12);
  std::exponential_distribution<double> clock;
  for (const int idle : {0, 1}) {
    CAPTURE(idle);
    std::vector<std::uint64_t> counts(64);
    for (int trial = 0; trial < 200000; ++trial) {
      std::size_t cell = 0;
      std::vector<double> least(4, HUGE_VAL);
      for (int k = 0; k < 2 + idle; ++k) {
        std::vector<double> by_draft;
        for (std::size_t v = 0; v < 4; ++v) {
          const double rung = clock(engine);
          by_draft.push_back(rung / kClockDraft[v]);
          least[v] = std::min(least[v], rung / kClockTarget[v]);
        }
        const auto first = std::min_element(by_draft.begin(), by_draft.end()) - by_draft.begin();
        if (k < 2) cell = 4 * cell + static_cast<std::size_t>(first);
      }
      cell = 4 * cell +
             static_cast<std::size_t>(std::min_element(least.begin(), least.end()) - least.begin());
      ++counts[cell];
    }
    check_counts(joint(idle), joint(1 - idle), counts);
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
