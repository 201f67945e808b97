// How a row is run: its places, filters, corrected statement, simulated tests and extra.
#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/engine/vocabulary.h"

namespace speclab::rows_test {
namespace {

Comparisons at_least_third(const Instance& instance) {
  return {{"E[tau]", accepted("token", instance), Order::at_least, Rational(1, 3)}};
}
Comparisons at_least_nothing(const Instance& instance) {
  return {{"E[tau]", accepted("token", instance), Order::at_least, Rational(0)}};
}
Comparisons as_deep_as_four(const Instance& instance) {
  return {{"depth", Rational(instance.depth), Order::equal, Rational(4)}};
}
bool overlapping(const Instance& instance) { return accepted("token", instance) > 0; }

constexpr Filter kOverlapping{"the laws overlap", overlapping};
constexpr NamedPair kToyPair{kToy};
constexpr NamedPair kDisjoint{"iid(draft=[1,0],target=[0,1])"};
constexpr SearchSpace kSpace{.tokens = 2, .gammas = 1, .denominator = 3};

ClaimContext with(Effort effort) {
  ClaimContext context;
  context.effort = effort;
  context.threads = 1;
  return context;
}

ClaimRow row_at(const Places& places, Check check = at_least_third) {
  ClaimRow row;
  row.check = check;
  row.places = places;
  return row;
}

TEST_CASE("a filter keeps a statement from the instances that are not meant") {
  const ClaimContext context = with(Effort::standard);
  CHECK(run_claim(row_at({kSpace}), context).verdict == ClaimVerdict::refuted);
  const ClaimResult result = run_claim(row_at({Place(kSpace).only(kOverlapping)}), context);
  CHECK(result.verdict == ClaimVerdict::holds);
  REQUIRE(result.evidence.size() == 1);
  CHECK_THAT(result.evidence.front().detail,
             Containing("at most 3, where the laws overlap; there is nothing to compare on "));
  const Places both{kToyPair, Place(kDisjoint).only(kOverlapping)};
  CHECK(run_claim(row_at(both), context).instances == 1);
  // A filter that keeps nothing leaves a check that cannot fail: that is a fault of the row.
  CHECK_THROWS_AS(run_claim(row_at({Place(kDisjoint).only(kOverlapping)}), context),
                  std::logic_error);
}

TEST_CASE("what would be dropped without a word is refused") {
  // A property of a function, and a second one of a clause.
  CHECK_THROWS_AS(Check(at_least_third).where(overlapping), std::logic_error);
  const Check once = at_least(tau("token"), 0).where(overlapping);
  CHECK_THROWS_AS(once.where(overlapping), std::logic_error);
  // A method of a search, whose evidence is always exact.
  CHECK_THROWS_AS(Place(kSpace).closed_form(), std::logic_error);
  CHECK_THROWS_AS(Place(kSpace).with(at_least_nothing, Method::closed_form), std::logic_error);
  constexpr auto none = [](Effort) { return std::vector<Instance>{}; };
  const Family listed{"listed", none}, searched{"searched", none, true};
  CHECK(Place(listed).closed_form().method() == Method::closed_form);
  CHECK_THROWS_AS(Place(searched).closed_form(), std::logic_error);
}

TEST_CASE("gamma + 1 of gamma = inf is gamma = inf, and no horizon can be counted in it") {
  const Instance unbounded = make_instance(kToy, kUnbounded);
  const Comparisons grown = grows_in_gamma(rejections("token", {0, 3}))(unbounded);
  REQUIRE(grown.size() == 1);
  CHECK(grown.front().left == 1);
  CHECK(grown.front().right == 1);
  CHECK_THROWS_AS(lossless("token")(unbounded), std::logic_error);
}

TEST_CASE("a place's own check stands in for the row's") {
  const ClaimContext context = with(Effort::standard);
  CHECK(run_claim(row_at({kDisjoint}), context).verdict == ClaimVerdict::refuted);
  const Places own{Place(kDisjoint).with(at_least_nothing, Method::closed_form)};
  const ClaimResult result = run_claim(row_at(own), context);
  CHECK(result.verdict == ClaimVerdict::holds);
  CHECK(result.evidence.front().method == Method::closed_form);
}

TEST_CASE("a correction is held at the row's places, or at its own") {
  const ClaimContext context = with(Effort::standard);
  ClaimRow row = row_at({kDisjoint, kToyPair});
  row.correction = {"E[tau] >= 0", at_least_nothing, {}};
  const ClaimResult result = run_claim(row, context);
  CHECK(result.verdict == ClaimVerdict::holds_with_correction);
  CHECK(result.instances == 4);
  row.correction = {"at overlapping laws", at_least_third, {Place(kSpace).only(kOverlapping)}};
  CHECK(run_claim(row, context).verdict == ClaimVerdict::holds_with_correction);
  row.correction = {"nowhere", at_least_third, {kSpace}};
  CHECK(run_claim(row, context).verdict == ClaimVerdict::refuted);
}

TEST_CASE("sizes and depth follow the effort") {
  ClaimRow row = row_at({kToyPair}, as_deep_as_four);
  row.depth = {2, 4, 6};
  CHECK(run_claim(row, with(Effort::quick)).verdict == ClaimVerdict::refuted);
  CHECK(run_claim(row, with(Effort::standard)).verdict == ClaimVerdict::holds);
  CHECK(run_claim(row, with(Effort::thorough)).verdict == ClaimVerdict::refuted);
  // One pair of one token for each gamma.
  const auto tried = [](Effort effort) {
    return enumerate_pairs({.tokens = 1, .gammas = {1, 2, 5}}, effort,
                           [](const Instance&) { return false; });
  };
  CHECK(
      (tried(Effort::quick) == 1 && tried(Effort::standard) == 2 && tried(Effort::thorough) == 5));
}

TEST_CASE("simulated tests and what is extra count as well") {
  const ClaimContext context = with(Effort::quick);
  ClaimRow row = row_at({kToyPair}, at_least_nothing);
  row.simulated[0] = {.verifier = "token", .at = kToyPair, .horizon = 2};
  CHECK(run_claim(row, context).verdict == ClaimVerdict::holds);
  CHECK(run_claim(row, context).tests == 1);
  row.simulated[1] = {.verifier = "wrong-no-carry", .at = {kToy, 2}, .horizon = 3};
  CHECK(run_claim(row, context).verdict == ClaimVerdict::refuted);
  row.simulated = {};
  // P(tau >= 1) = 2/3 on the toy pair, and not 1/2.
  const NamedForm right("P(tau >= i)", "test.tail", [](const Instance&) {
    return std::vector<Rational>{Rational(1), Rational(2, 3)};
  });
  row.simulated[0] = {.verifier = "token", .at = {kToy, 1}, .tail = &right};
  CHECK(run_claim(row, context).verdict == ClaimVerdict::holds);
  const NamedForm other("P(tau >= i)", "test.tail", [](const Instance&) {
    return std::vector<Rational>{Rational(1), Rational(1, 2)};
  });
  row.simulated[0].tail = &other;
  CHECK(run_claim(row, context).verdict == ClaimVerdict::refuted);
  row.simulated = {};
  row.extra = [](Examination& examination) {
    examination.test(make_instance(kToy), "extra", 0, 1);
  };
  CHECK(run_claim(row, context).verdict == ClaimVerdict::refuted);
}

TEST_CASE("places read as text, with the sizes of each effort") {
  CHECK(Place(kToyPair).text() == "iid(draft=[2/3,1/3],target=[1/3,2/3]), gamma 1");
  CHECK(Place(NamedPair{kToy, kUnbounded, 2}).text() ==
        "iid(draft=[2/3,1/3],target=[1/3,2/3]), gamma inf, K 2");
  CHECK(Place(SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = {2, 3, 3}, .drafts = 2})
            .only(kOverlapping)
            .text() ==
        "search: memoryless, at most 2 tokens, gamma 2..2/3/3, K 1..2, "
        "denominators to 4, where the laws overlap");
  CHECK(Place(BatteryShape{.tokens = 4, .gammas = 1, .random = {4, 12, 60}}).text() ==
        "battery: at most 4 tokens, gamma 1, 4/12/60 random trees");
  CHECK(Place(BatteryShape{.contexts = false}).text() ==
        "battery without context: at most 3 tokens, gamma 1..2");
}

}  // namespace
}  // namespace speclab::rows_test
