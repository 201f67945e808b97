// lin2026: the class of equation (1), the printed coins, and what the searches find.
#include <algorithm>

#include "catch.h"
#include "claims/papers/lin2026/blocks.h"
#include "claims/papers/lin2026/class.h"
#include "held.h"

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

constexpr Smallest kSmallest[] = {
    {"lin2026.lemmaA.1", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=1, K=2: P(X = (0) is accepted) of spectr-gbv(K=2) against T [1 - (1 - "
     "min(D/T, "
     "1))^K]: 7/18 < 1/2"},
    {"lin2026.theorem4.2", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=1, K=2: TV of 1 tokens of spectr-gbv(K=2) to the target's: 2/9 > 0"},
    {"lin2026.theorem4.2", 1, "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: TV of 1 tokens of spectr-gbv(K=2) to the target's: 3/40 > 0"},
    {"lin2026.theorem5.3", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=1, K=2: E[tau] of spectr-gbv(K=2) against equation (5): 7/9 < 1"},
    {"lin2026.theorem5.3", 1, "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: E[tau] of spectr-gbv(K=2) against equation (5): 41/60 < 5/6"},
    {"lin2026.definition4.1", 0, "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: E[tau] of Definition 4.1 against E[tau] of Algorithm 1: 13/18 > "
     "41/60"},
    {"lin2026.theorem5.3.agreement", 0, "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: E[tau] of Definition 4.1 against equation (5): 13/18 < 5/6"},
    {"lin2026.section3.3.coins", 0, "iid(draft=[1/2,1/2],target=[1,0])",
     "violated, gamma=1: alpha(0), a probability: 2 > 1"},
    {"lin2026.theorem4.2.drafts", 0, "iid(draft=[1,0],target=[1/2,1/2])",
     "violated, gamma=1: P(O = (0)) with drafts from the target: 1/4 < 1/2"},
    {"lin2026.section1.growth", 0, "iid(draft=[1],target=[1])",
     "violated, gamma=1: E[tau] of the best coupling of K + 1 i.i.d. drafts against K, K = 1: 1 = "
     "1"},
    {"lin2026.growth", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=1, K=2: E[tau] of spectr-gbv(K=2) against spectr-gbv(K=1): 7/9 < 1"},
    {"lin2026.optimal", 0, "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: E[tau] of the best coupling of i.i.d. drafts against equation (5): "
     "8/9 > 5/6"},
    {"lin2026.optimal.existing", 0, "iid(draft=[2/3,1/3,0],target=[0,2/3,1/3])",
     "violated, gamma=1, K=2: E[tau] of rrs(K=2) against equation (5): 5/9 > 1/2"},
    {"lin2026.remark5.2.strict", 0, "iid(draft=[1],target=[1])",
     "violated, gamma=1: equation (5) with K + 1 drafts against equation (5): 1 = 1"},
    {"lin2026.remark5.2.limit", 0, "iid(draft=[1,0],target=[0,1])",
     "violated, gamma=1: gamma - Bound(8) against its rest: 1 > 0"},
    {"lin2026.growth", 1, "iid(draft=[3/4,1/4],target=[1/2,1/2])",
     "violated, gamma=1, K=2: E[tau] of spectr-gbv(K=2) against spectr-gbv(K=1): 197/280 < 3/4"},
    {"lin2026.lemmaA.1.coins", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=2, K=2: P((0) drafted, its coin or a longer one's falls) against T [1 - (1 - "
     "min(D/T, 1))^K]: 45/98 < 1/2"},
    {"lin2026.lemmaA.1.break", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=1, K=2: P((0) accepted) against P((0) drafted) h_L: 7/18 < 1/2"},
    {"lin2026.lemmaA.1.equation7", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=2, K=2: P((0) drafted, a coin longer than it falls) against the sum over x "
     "of "
     "P(((0),x) drafted, its coin or a longer one's falls): 45/98 < 1/2"},
    {"lin2026.theorem4.2.object", 0, "iid(draft=[1/2,1/2],target=[1/2,1/2])",
     "violated, gamma=1, K=2: TV of L tokens of (t, y, x ~ q_new) of spectr-gbv(K=2) to the "
     "target's: 2/9 > 0"},
    {"lin2026.equation1.optimum", 0, "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: 1 - sum t (1 - u)(1 - d)^(K-1) against equation (5): 7/9 < 5/6"},
    {"lin2026.lemma5.1", 0,
     "automaton(draft=[[1/2,1/2],[1,0],[1,0]],target=[[2/3,1/3],[1/2,1/"
     "2],[1,0]],next=[[1,2],[1,1],["
     "2,2]],start=0)",
     "violated, gamma=2, K=2: E[tau] of the drafts' laws given y = (1/2,1/2);(1,0);(0,1) and "
     "(1,0);(1/4,3/4);(1/4,3/4) against equation (5): 5/3 > 13/8"},
    {"lin2026.lemma5.1", 1, "iid(draft=[2/3,1/3,0],target=[0,2/3,1/3])",
     "violated, gamma=2, K=2: E[tau] of the drafts' laws given y = "},
    {"lin2026.lemma5.1.proof", 1, "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=2, K=2: P(no draft begins with (0) | y does) against P(draft 1 does not) "
     "P(draft 2 does not), laws "},
    {"lin2026.section3.3.nu", 0, "iid(draft=[1/2,1/2],target=[1,0])",
     "violated, gamma=1: P(X = (0) is accepted) of greedy-block against D nu: 1/2 < 1"},
    {"miao2023.above-block", 0, "iid(draft=[5/6,1/6],target=[1/2,1/2])",
     "violated, gamma=3, K=2: E[tau] of rrs(K=2) against block: 2299/1458 < 19/12"},
};

TEST_CASE("lin2026: the searches find the smallest counterexamples") { check_smallest(kSmallest); }

TEST_CASE("every verdict on several drafts is the recorded one") {
  check_recorded({"lin2026", "slot-block", "miao2023", "sun2023", "hu2025"});
}

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
  const ClaimResult found = run_claim(row, quick());
  CHECK(found.verdict == ClaimVerdict::refuted);
  CHECK(found.instances == 2);
  REQUIRE_FALSE(found.evidence.empty());
  CHECK(found.evidence.front().pair == kFair);
  CHECK(found.evidence.front().detail.ends_with("smallest counterexample"));
  row.places = {Family{.text = "three pairs", .make = make}};
  CHECK(run_claim(row, quick()).instances == 3);
  CHECK(Place(Family{.text = "three pairs", .make = make, .searched = true}).text() ==
        "search: three pairs");
}

}  // namespace
}  // namespace speclab::lin2026_test
