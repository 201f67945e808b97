// The law of the target's token given the drafts' tokens of one Poisson process, against values by
// hand, marginals, the coupling of one draft, a closed form, and processes that are drawn.
#include "verifiers/several/poisson_list.h"

#include <algorithm>
#include <random>

#include "list_laws.h"
#include "theory/rowan2025.h"

namespace speclab::poisson_list_test {
namespace {

using Rationals = std::vector<Rational>;

Rationals law_of(const Laws<Rational>& laws, const std::vector<Token>& drafted) {
  return PoissonPoints(laws, drafted).law();
}

TEST_CASE("poisson-list: two drafts of the toy pair by hand") {
  const Rows<Rational> rows(toy());
  const Laws<Rational> laws = laws_at(rows, 0);
  CHECK(law_of(laws, {0, 0}) == Rationals{Rational(5, 8), Rational(3, 8)});
  // The order of the drafts matters: the first arrival of 1 is above 2, that of 0 above 1/2.
  CHECK(law_of(laws, {0, 1}) == Rationals{Rational(1, 4), Rational(3, 4)});
  CHECK(law_of(laws, {1, 0}) == Rationals{Rational(0), Rational(1)});
  CHECK(law_of(laws, {1, 1}) == Rationals{Rational(0), Rational(1)});
  CHECK(poisson_acceptance<Rational>(rows.draft(0), rows.target(0), 2) == Rational(5, 6));
  CHECK(poisson_matching_bound<Rational>(rows.draft(0), rows.target(0), 2) == Rational(2, 3));
}

TEST_CASE("poisson-list: over all drafts the token has the target's law, and the closed form") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Rows<Rational> rows(random_pair(seed, 2 + seed % 3, 1));
    const Laws<Rational> laws = laws_at(rows, 0);
    for (int drafts = 1; drafts <= 4; ++drafts) {
      CAPTURE(seed, drafts);
      CHECK(check_marginal(laws, drafts, law_of) ==
            poisson_acceptance<Rational>(rows.draft(0), rows.target(0), drafts));
    }
  }
}

TEST_CASE("poisson-list: of one draft it is the coupling of gumbel") { check_one_draft(law_of); }

TEST_CASE("poisson-list: doubles agree with fractions for many drafts and ratios far apart") {
  for (const char* text : {"iid(draft=[1/2,1/4,1/8,1/8],target=[1/8,1/2,1/8,1/4])",
                           "iid(draft=[0.999999,0.0000005,0.0000005],target=[1/4,1/4,1/2])",
                           "iid(draft=[1/3,1/3,1/3,0],target=[0,1/4,1/4,1/2])"}) {
    const PairPointer pair = make_pair(text);
    const Rows<Rational> exact(pair);
    const Rows<double> near(pair);
    for (const std::vector<Token>& drafted :
         {std::vector<Token>{2, 0, 1}, {0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1}, {1, 1, 0, 2, 2}}) {
      const Rationals law = law_of(laws_at(exact, 0), drafted);
      const Laws<double> laws = laws_at(near, 0);
      const std::vector<double> found = PoissonPoints(laws, drafted).law();
      double sum = 0;
      for (std::size_t y = 0; y < law.size(); ++y) {
        CAPTURE(text, drafted.size(), y);
        CHECK(found[y] == Approx(to_double(law[y])).epsilon(1e-9).margin(1e-30));
        sum += found[y];
      }
      CHECK(sum == Approx(1).epsilon(1e-9));
    }
  }
}

TEST_CASE("poisson-list: the most drafts have a law in doubles, more are refused") {
  const Rows<double> rows(
      make_pair("iid(draft=[0.5,0.3,0.199999999,0.000000001],target=[0.1,0.6,0.1,0.2])"));
  const Laws<double> laws = laws_at(rows, 0);
  std::vector<Token> drafted(PoissonPoints<Laws<double>>::kMostDrafted, 0);
  for (std::size_t k = 0; k < drafted.size(); k += 3) drafted[k] = static_cast<Token>(k % 2 + 1);
  double sum = 0;
  for (const double y : PoissonPoints(laws, drafted).law()) {
    CHECK((y >= 0 && y <= 1));
    sum += y;
  }
  CHECK(sum == Approx(1).epsilon(1e-9));
  drafted.push_back(0);
  CHECK_THROWS_WITH(PoissonPoints(laws, drafted), Containing("there are 501; take fewer drafts"));
}

TEST_CASE("poisson-list: the joint law is that of the first arrivals") {
  const auto joint = [](int drafts, bool reversed) {
    return joint_law(drafts, [reversed](const Laws<double>& laws, std::vector<Token> tokens) {
      if (reversed) std::ranges::reverse(tokens);
      return PoissonPoints(laws, tokens).law();
    });
  };
  std::mt19937_64 engine(13);
  std::exponential_distribution<double> gap;
  for (const int drafts : {2, 3}) {
    CAPTURE(drafts);
    std::vector<std::uint64_t> counts(std::size_t{4} << (2 * drafts));
    for (int trial = 0; trial < 300000; ++trial) {
      std::vector<std::pair<double, std::size_t>> arrivals;  // in draft time
      std::size_t first = 0;
      double least = HUGE_VAL;
      for (std::size_t v = 0; v < 4; ++v) {
        double time = 0;
        for (int k = 0; k < drafts; ++k) {
          time += gap(engine);
          if (k == 0 && time / kClockTarget[v] < least) {
            least = time / kClockTarget[v];
            first = v;
          }
          if (kClockDraft[v] > 0) arrivals.emplace_back(time / kClockDraft[v], v);
        }
      }
      std::ranges::sort(arrivals);
      std::size_t cell = 0;
      for (int k = 0; k < drafts; ++k)
        cell = 4 * cell + arrivals[static_cast<std::size_t>(k)].second;
      ++counts[4 * cell + first];
    }
    check_counts(joint(drafts, false), joint(drafts, true), counts);
  }
}

}  // namespace
}  // namespace speclab::poisson_list_test
