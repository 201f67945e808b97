// lin2026: the class of equation (1) and the printed coins; and families that are searched.
#include <algorithm>

#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/papers/lin2026/blocks.h"
#include "claims/papers/lin2026/class.h"
#include "claims/papers/lin2026/printed.h"

namespace speclab::lin2026_test {
namespace {

constexpr std::string_view kFair = "iid(draft=[1/2,1/2],target=[1/2,1/2])";

Rational R(const std::string& text) { return parse_rational(text); }

/// The largest E[tau] of the members with K drafts of one token out of two.
Rational best_of_two_tokens(std::string_view pair, int drafts) {
  const Blocks blocks = blocks_of(make_instance(pair, 1, drafts));
  Rational most(-1);
  each_two_token_member(blocks, drafts, 4, [&](const std::vector<Kernel>& kernels) {
    most = std::max(most, mean_agreement(blocks, kernels));
  });
  return most;
}

TEST_CASE("what rounding can change of a printed gain is the most over both ends of each number") {
  const Rational half = R("1/2");
  for (const auto& [old_value, new_value] : {std::pair{2, 3}, {119, 128}, {1123, 1249}}) {
    CAPTURE(old_value, new_value);
    Rational most(0);
    for (const Rational& by : {half, Rational(-half)}) {
      for (const Rational& other : {half, Rational(-half)}) {
        most = std::max(most, Rational(abs(Rational((new_value + by) / (old_value + other) -
                                                    Rational(new_value, old_value)))));
      }
    }
    CHECK(lin2026_printed::gain_rounding(old_value, new_value) == R("1/2000") + most);
  }
}

TEST_CASE("the class of equation 1 at one position of two tokens") {
  CHECK(best_of_two_tokens(kFair, 2) == 1);
  CHECK(best_of_two_tokens(kToy, 2) == R("7/9"));
  CHECK(best_of_two_tokens(kToy, 3) == R("23/27"));
  CHECK(best_of_two_tokens("iid(draft=[1/2,1/2],target=[3/4,1/4])", 2) == R("7/8"));
}

TEST_CASE("a member is one by the definition, and the identical kernels of the toy pair are none") {
  const Blocks blocks = blocks_of(make_instance(kToy, 1, 2));
  // P(X = 0 | y): 1 and 1/2, the largest agreement of one draft with y.
  const Kernel looking{{R("1"), R("0")}, {R("1/2"), R("1/2")}};
  const Kernel alone{{R("2/3"), R("1/3")}, {R("2/3"), R("1/3")}};
  CHECK(in_class(blocks, {looking, alone}));
  CHECK(in_class(blocks, {alone, alone}));
  CHECK_FALSE(in_class(blocks, {looking, looking}));
  CHECK(mean_agreement(blocks, {looking, alone}) == R("7/9"));
  CHECK(mean_agreement(blocks, {alone, alone}) == R("2/3"));
}

TEST_CASE("members of two positions exceed equation 5") {
  const Blocks blocks = blocks_of(make_instance("iid(draft=[1/4,3/4,0],target=[1/2,0,1/2])", 2, 2));
  Rational most(-1);
  each_member(blocks, [&](const std::vector<Kernel>& kernels) {
    most = std::max(most, mean_agreement(blocks, kernels));
  });
  CHECK(most == R("131/256"));
}

TEST_CASE("the printed coins, all of them thrown") {
  const PrintedCoins coins(make_instance(kFair, 2, 2), 0);
  CHECK(coins.some_falls({0}, 1) == R("45/98"));
  CHECK(coins.some_falls({0, 0}, 2) == R("1/4"));
}

TEST_CASE("Theorem 4.2's object of the printed algorithm") {
  const Instance instance = make_instance("iid(draft=[1/3,1/3,1/3],target=[1/2,1/3,1/6])", 2, 2);
  CHECK(object_distance("spectr-gbv(K={K})", instance) == R("654127/4970511"));
  CHECK(object_distance("spectr-coupled(K={K})", instance) == 0);
}

constexpr ClaimContext kLeastEffort{.effort = Effort::quick, .threads = 1};

TEST_CASE("a family that is searched ends at its first violation") {
  ClaimRow row;
  row.check = [](const Instance& instance) -> Comparisons {
    return {{"gamma", Rational(instance.gamma), Order::at_most, Rational(1)}};
  };
  constexpr auto make = [](Effort) {
    return std::vector<Instance>{make_instance(kToy, 1), make_instance(kFair, 2),
                                 make_instance(kToy, 3)};
  };
  row.places = {Family{.text = "three pairs", .make = make, .searched = true}};
  const ClaimResult found = run_claim(row, kLeastEffort);
  CHECK(found.verdict == ClaimVerdict::refuted);
  CHECK(found.instances == 2);
  REQUIRE_FALSE(found.evidence.empty());
  CHECK(found.evidence.front().pair == kFair);
  CHECK(found.evidence.front().detail.ends_with("smallest counterexample"));
  row.places = {Family{.text = "three pairs", .make = make}};
  CHECK(run_claim(row, kLeastEffort).instances == 3);
  CHECK(Place(Family{.text = "three pairs", .make = make, .searched = true}).text() ==
        "search: three pairs");
}

}  // namespace
}  // namespace speclab::lin2026_test
