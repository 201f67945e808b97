// What the claims of yin2024 stand on: fates path by path, Algorithm 2 in general, the bound on
// what more drafts can change, the figure's chains drawn anew.
#include "catch.h"
#include "claims/papers/yin2024/readings.h"
#include "claims/papers/yin2024/recursion.h"
#include "claims/papers/yin2024/rules.h"

namespace speclab::yin2024_test {
namespace {

Rational mass_of(const Fates& fates, std::size_t length) {
  Rational sum(0);
  for (const auto& [key, fate] : fates.paths) {
    if (key.second.size() == length) sum += fate.reached();
  }
  return sum;
}

TEST_CASE("the toy pair's fates: token, two drafts, and the exact decodes beside them") {
  const Instance toy = make_instance(kToy, 2);
  const Fates token = fates_of("token", toy);
  CHECK(token.rejections(2) == Rational(2, 3));
  CHECK(token.calls == Rational(4, 3));
  CHECK(token.at(0, {1}).rejected() == Rational(1, 3));
  CHECK(token.at(0, {0}).rejected() == 0);
  const Fates batch = fates_of("batch(M=2)", toy);
  CHECK(batch.rejections(2) == Rational(43, 81));
  CHECK(batch.calls == Rational(11, 9));
  CHECK(batch.at(0, {1}).rejected() == Rational(2, 9));
  CHECK(batch.bias(toy, 2) == 0);
  CHECK(mass_of(batch, 1) == 1);
  CHECK(mass_of(batch, 2) == 1);
  for (const std::string_view verifier :
       {"token", "batch(M=1)", "batch(M=3)", "batch-printed(M=2)"}) {
    CAPTURE(std::string(verifier));
    for (const std::string_view pair : {"iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])",
                                        "tree(vocabulary=2,depth=3,seed=5,denominator=6)"}) {
      const Instance instance = make_instance(pair, 2);
      const Fates fates = fates_of(verifier, instance);
      const Answer answer = exact_answer(verifier, instance, 2);
      CHECK(fates.rejections(2) == answer.fraction(QuantityId::rejections));
      CHECK(fates.calls == answer.fraction(QuantityId::target_calls));
      CHECK(fates.bias(instance, 2) == answer.fraction(QuantityId::tv_to_target));
    }
  }
  CHECK_THROWS_AS(fates_of("block", toy), std::logic_error);
}

TEST_CASE("line 28 after the loop: biased as printed, right where it subtracts nothing") {
  const Instance pair = make_instance("iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 1, 2);
  CHECK(fates_after_loop(1, Rational(1), pair).bias(pair, 1) == Rational(1, 6));
  CHECK(fates_after_loop(2, Rational(1), pair).bias(pair, 1) == Rational(1, 9));
  CHECK(fates_after_loop(2, Rational(0), pair).bias(pair, 1) == 0);
}

TEST_CASE("Algorithm 2: the members are unbiased, an arbitrary one is not") {
  for (const std::string_view name :
       {kToy, std::string_view("tree(vocabulary=3,depth=3,seed=9,denominator=5)")}) {
    const Instance instance = make_instance(name, 2);
    const Fates any = run_algorithm2(instance, arbitrary_design);
    CHECK(mass_of(any, 1) == 1);
    CHECK(mass_of(any, 2) == 1);
    CHECK(any.bias(instance, 2) > 0);
    CHECK(any.calls == 1 + any.rejected_at(1));
    for (const Member& member : members()) {
      CAPTURE(std::string(member.text));
      const Fates run = run_algorithm2(instance, member.design());
      CHECK(run.bias(instance, 2) == 0);
      CHECK(run.calls == 1 + run.rejected_at(1));
    }
  }
  const Instance toy = make_instance(kToy, 2);
  CHECK(run_algorithm2(toy, members()[0].design()).rejections(2) == Rational(2, 3));
  CHECK(run_algorithm2(toy, members()[1].design()).rejections(2) == Rational(4, 3));
  CHECK(run_algorithm2(toy, members()[2].design()).rejections(2) == 2);
  const DesignOf stuck = [](auto draft, auto, const TokenPath&) {
    return Design{std::vector<Rational>(draft.size()), std::vector<Rational>(draft.size())};
  };
  CHECK_THROWS_AS(run_algorithm2(toy, stuck), std::logic_error);
}

TEST_CASE("Theorem 4's certificate: general b over three tokens, and no rejection at all") {
  const Instance pair = make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])");
  const auto rule = [&](Rational a, Rational b, Rational c) {
    return Rule{pair.rows->draft(0), pair.rows->target(0), {a, b, c}};
  };
  // TV 1/2; b = 1 emits the draft.
  CHECK(rule(1, 1, 1).certified() == Rational(1, 2));
  CHECK(rule(1, 1, 1).formula() == Rational(1, 2));
  // b d = (1/8, 1/4, 5/16): 3/16 of token 2 too much.
  CHECK(rule(1, 1, Rational(1, 2)).certified() == Rational(3, 16));
  CHECK(rule(1, 1, Rational(1, 5)).certified() == 0);
  CHECK(rule(0, 0, 0).certified() == 0);
  CHECK(rule(1, 1, Rational(1, 2)).exceeds());
  CHECK_FALSE(rule(1, 1, Rational(1, 5)).exceeds());
}

TEST_CASE("what more drafts can change: zero where the draft hits nothing, halved by each draft") {
  CHECK(rest_after(make_instance("iid(draft=[1,0],target=[0,1])", 2), 3) == 0);
  CHECK(rest_after(make_instance("iid(draft=[1/2,1/2],target=[1,0])", 1), 4) == Rational(1, 16));
  CHECK(rest_after(make_instance("iid(draft=[1/2,1/2],target=[1,0])", 3), 4) == Rational(3, 16));
}

TEST_CASE("the figure's chains in six orders of drawing") {
  // Worked out apart from this program, in Python.
  const std::array<double, 6> expected{16.404890175, 16.396033548, 16.480248940,
                                       16.836747774, 16.333701046, 16.373199632};
  for (std::size_t i = 0; i < kDrawings.size(); ++i) {
    CHECK(reading_rejections(10, kDrawings[i]) == Approx(expected[i]).margin(1e-8));
  }
  const SeedSpread spread = reading_spread(60);
  CHECK(spread.mean == Approx(16.244446179).margin(1e-8));
  CHECK(spread.deviation == Approx(0.300802501).margin(1e-8));
}

}  // namespace
}  // namespace speclab::yin2024_test
