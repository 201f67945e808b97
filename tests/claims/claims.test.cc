// The registry, the verdicts' logic, the search for counterexamples and the simulated tests.
#include <fmt/format.h>

#include <set>

#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/engine/registry.h"
#include "claims/engine/simulated.h"
#include "simulate/statistics.h"

namespace speclab::claims_test {
namespace {

Statement accepts_at_least(Rational least) {
  return [least](const Instance& instance) -> Comparisons {
    return {{"E[tau] of token", accepted("token", instance), Order::at_least, least}};
  };
}

TEST_CASE("every claim has its own id, a source and one line of plain ASCII") {
  std::set<std::string_view> ids;
  for (const ClaimRow& row : claim_rows()) {
    CAPTURE(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK(static_cast<bool>(row.check));
    CHECK(row.id.find('.') != std::string_view::npos);
    for (const std::string_view text : {row.source, row.statement, row.hypotheses}) {
      CHECK_FALSE(text.empty());
      for (const char c : text) CHECK((c >= ' ' && c <= '~'));
    }
    CHECK_FALSE(row.places.empty());
    const bool amended = !row.correction.statement.empty();
    CHECK(static_cast<bool>(row.correction.check) == amended);
    // The verdict is that of the amendment: a correction never stands beside "refuted".
    CHECK(
        (row.recorded == ClaimVerdict::holds || row.recorded == ClaimVerdict::refuted || amended));
    if (!amended) continue;
    CHECK(row.recorded == words(row.correction.amends).verdict);
    // An amendment is a check of its own or is checked elsewhere: else it repeats the printed one.
    CHECK((row.correction.check != row.check || !row.correction.places.empty()));
  }
}

TEST_CASE("claims are selected by id or by its beginning") {
  const auto all = select_claims({});
  CHECK(all.size() == claim_rows().size());
  const auto one = select_claims({"sun2025.theorem1"});
  REQUIRE(one.size() == 1);
  CHECK(one.front()->id == "sun2025.theorem1");
  for (const ClaimRow* row : select_claims({"sun2024"})) CHECK(row->id.starts_with("sun2024."));
  const auto theorems = select_claims({"sun2025.theorem"});
  CHECK(theorems.size() > 1);
  for (const ClaimRow* row : theorems) CHECK(row->id.starts_with("sun2025.theorem"));
  CHECK_THROWS_AS(select_claims({"sun2025.theorem99"}), UsageError);
  CHECK_THROWS_AS(select_claims({"un2025"}), UsageError);
}

TEST_CASE("the verdict follows from the comparisons") {
  const std::vector<Instance> toy{make_instance(kToy, 2)};
  Examination holds{ClaimContext{}};
  holds.check(toy, accepts_at_least(Rational(10, 9)));
  CHECK(holds.finish().verdict == ClaimVerdict::holds);

  Examination refuted{ClaimContext{}};
  refuted.check(toy, accepts_at_least(Rational(11, 9)));
  const ClaimResult result = refuted.finish();
  CHECK(result.verdict == ClaimVerdict::refuted);
  REQUIRE(result.evidence.size() == 1);
  CHECK(result.evidence.front().pair == kToy);
  CHECK(result.evidence.front().detail ==
        "violated, gamma=2: E[tau] of token: 10/9 < 11/9 (must be at least)");

  Examination corrected{ClaimContext{}};
  corrected.check(toy, accepts_at_least(Rational(11, 9)));
  corrected.check(toy, accepts_at_least(Rational(1)), Reading::corrected);
  CHECK(corrected.finish().verdict == ClaimVerdict::holds_with_correction);

  for (const auto& [amends, verdict] :
       {std::pair{Amends::by_replacement, ClaimVerdict::refuted},
        std::pair{Amends::by_reading, ClaimVerdict::not_decidable}}) {
    Examination amended{ClaimContext{}, amends};
    amended.check(toy, accepts_at_least(Rational(11, 9)));
    amended.check(toy, accepts_at_least(Rational(1)), Reading::corrected);
    const ClaimResult found = amended.finish();
    CHECK(found.verdict == verdict);
    CHECK_FALSE(found.amended_violated);
    CHECK(found.evidence.back().detail.starts_with(words(amends).heading));
  }

  Examination twice_wrong{ClaimContext{}};
  twice_wrong.check(toy, accepts_at_least(Rational(11, 9)));
  twice_wrong.check(toy, accepts_at_least(Rational(2)), Reading::corrected);
  const ClaimResult twice = twice_wrong.finish();
  CHECK(twice.verdict == ClaimVerdict::refuted);
  CHECK(twice.amended_violated);

  Examination nothing{ClaimContext{}};
  nothing.check(toy, [](const Instance&) { return Comparisons{}; });
  CHECK_THROWS_AS(nothing.finish(), std::logic_error);
}

TEST_CASE("the search is ordered by tokens, gamma, K and denominator, and stops at the first") {
  std::vector<std::string> seen;
  const auto calls = enumerate_pairs({.tokens = 2, .gammas = 1, .denominator = 2}, Effort::standard,
                                     [&](const Instance& instance) {
                                       seen.push_back(instance.name());
                                       return false;
                                     });
  CHECK(calls == seen.size());
  CHECK(seen == std::vector<std::string>{
                    "iid(draft=[1],target=[1])", "iid(draft=[1,0],target=[1,0])",
                    "iid(draft=[1,0],target=[0,1])", "iid(draft=[1,0],target=[1/2,1/2])",
                    "iid(draft=[1/2,1/2],target=[1,0])", "iid(draft=[1/2,1/2],target=[1/2,1/2])"});
  int order = 0;
  enumerate_pairs({.tokens = 2, .gammas = 2, .drafts = 2, .denominator = 3}, Effort::standard,
                  [&](const Instance& instance) {
                    const int here =
                        (instance.pair().vocabulary() * 10 + instance.gamma) * 10 + instance.drafts;
                    CHECK(here >= order);
                    order = here;
                    return false;
                  });
  Examination examination{ClaimContext{}};
  CHECK(examination.search(
      {.tokens = 2, .gammas = 1, .denominator = 4}, [](const Instance& instance) -> Comparisons {
        return {{"E[tau]", accepted("token", instance), Order::at_least, Rational(1, 3)}};
      }));
  const ClaimResult result = examination.finish();
  CHECK(result.verdict == ClaimVerdict::refuted);
  CHECK(result.evidence.front().pair == "iid(draft=[1,0],target=[0,1])");
}

TEST_CASE("a search that finds nothing counts the instances that it compared") {
  const Check true_of_one_token = [](const Instance& instance) -> Comparisons {
    if (instance.pair().vocabulary() > 1) return {};
    return {{"one", Rational(1), Order::equal, Rational(1)}};
  };
  const SearchSpace space{.tokens = 2, .gammas = 2, .denominator = 2};
  const std::uint64_t all = enumerate_pairs(space, Effort::standard, [](auto&) { return false; });
  const auto evidence = [&](const Place& place) {
    Examination examination{ClaimContext{}};
    examination.check_at(place, true_of_one_token, 0, Reading::printed);
    const ClaimResult result = examination.finish();
    CHECK(result.instances == 2);
    return result.evidence.front().detail;
  };
  constexpr std::string_view kFound =
      "holds on all 2 memoryless pairs with at most {} tokens, gamma 1..2, K 1..1 and a common "
      "denominator of at most 2{}";
  const std::string rest = fmt::format("; there is nothing to compare on {} more", all - 2);
  const Filter one{"V = 1", [](const Instance& at) { return at.pair().vocabulary() == 1; }};
  CHECK(evidence(SearchSpace{.tokens = 1, .gammas = 2, .denominator = 2}) ==
        fmt::format(kFound, 1, ""));
  CHECK(evidence(space) == fmt::format(kFound, 2, rest));
  CHECK(evidence(Place(space).only(one)) == fmt::format(kFound, 2, ", where V = 1" + rest));
  constexpr Family kPairs{"a pair of one token, a pair of two, gamma 1..2",
                          [](Effort) {
                            return std::vector{make_instance("iid(draft=[1],target=[1])", 1),
                                               make_instance("iid(draft=[1],target=[1])", 2),
                                               make_instance(kToy, 2)};
                          },
                          true};
  CHECK(evidence(kPairs) ==
        "holds on all 2: a pair of one token, a pair of two, gamma 1..2; there "
        "is nothing to compare on 1 more");
}

TEST_CASE("the battery is in order, and holds the awkward pairs") {
  const auto instances = battery({}, {.tokens = 3, .gammas = 2, .drafts = 2});
  bool equal = false;
  bool disjoint = false;
  bool one_token = false;
  bool context = false;
  int order = 0;
  for (const Instance& instance : instances) {
    const int here = (instance.pair().vocabulary() * 10 + instance.gamma) * 10 + instance.drafts;
    CHECK(here >= order);
    order = here;
    const auto draft = instance.rows->draft(0);
    const auto target = instance.rows->target(0);
    Rational overlap(0);
    for (std::size_t x = 0; x < draft.size(); ++x) overlap += std::min(draft[x], target[x]);
    equal = equal || overlap == 1;
    disjoint = disjoint || overlap == 0;
    one_token = one_token || draft.size() == 1;
    context = context || !instance.pair().memoryless();
  }
  CHECK((equal && disjoint && one_token && context));
}

TEST_CASE("a thousand seeds: p-values of the simulated tests are uniform") {
  const Instance toy = make_instance(kToy, 3);
  const std::vector<Rational> accepted{Rational(1, 3), Rational(2, 9), Rational(4, 27),
                                       Rational(8, 27)};
  constexpr std::size_t kCells = 20;
  const std::vector<double> uniform(kCells, 1.0 / kCells);
  std::vector<std::uint64_t> of_tau(kCells);
  std::vector<std::uint64_t> of_output(kCells);
  const auto cell = [](double p) {
    return std::min(kCells - 1, static_cast<std::size_t>(p * static_cast<double>(kCells)));
  };
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const auto tau = test_accepted_law("token", toy, accepted, seed, 0.2, 1);
    const auto output = test_output_law("block", toy, 3, seed, 0.1, 1);
    ++of_tau[cell(tau.fit.p_value)];
    ++of_output[cell(output.fit.p_value)];
    CHECK(tau.fit.p_bound > kTestLevel);
    CHECK(output.fit.p_bound > kTestLevel);
    CHECK(tau.power > 0.99999);
  }
  CHECK(fit_test(uniform, of_tau).p_value > 1e-4);
  CHECK(fit_test(uniform, of_output).p_value > 1e-4);
}

TEST_CASE("a simulated test rejects another law") {
  const Instance toy = make_instance(kToy, 2);
  const std::vector<Rational> of_token{Rational(1, 3), Rational(2, 9), Rational(4, 9)};
  CHECK(test_accepted_law("token", toy, of_token, 1, 0.05, 1).fit.p_bound > kTestLevel);
  CHECK(test_accepted_law("block", toy, of_token, 1, 0.05, 1).fit.p_bound <= kTestLevel);
  CHECK(test_output_law("wrong-no-carry", toy, 2, 1, 0.05, 1).fit.p_bound <= kTestLevel);
}

}  // namespace
}  // namespace speclab::claims_test
