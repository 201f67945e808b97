// What the claims of yin2024 stand on: fates path by path, Algorithm 2 in general, the bound on
// what more drafts can change, the figure's chains drawn anew.
#include "catch.h"
#include "claims/papers/yin2024/fates.h"
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
  CHECK(token.rejections() == Rational(2, 3));
  CHECK(token.calls == Rational(4, 3));
  CHECK(token.at(0, {1}).rejected() == Rational(1, 3));
  CHECK(token.at(0, {0}).rejected() == 0);
  const Fates batch = fates_of("batch(M=2)", toy);
  CHECK(batch.rejections() == Rational(43, 81));
  CHECK(batch.calls == Rational(11, 9));
  CHECK(batch.at(0, {1}).rejected() == Rational(2, 9));
  CHECK(batch.bias() == 0);
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
      CHECK(fates.rejections() == answer.fraction(QuantityId::rejections));
      CHECK(fates.calls == answer.fraction(QuantityId::target_calls));
      CHECK(fates.bias() == answer.fraction(QuantityId::tv_to_target));
    }
  }
}

TEST_CASE("line 28 after the loop: biased as printed, right where it subtracts nothing") {
  const auto bias = [](int drafts, int share) {
    const Instance pair = make_instance("iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 1, drafts);
    return fates_after_loop(Rational(share), pair).bias();
  };
  CHECK(bias(1, 1) == Rational(1, 6));
  CHECK(bias(2, 1) == Rational(1, 9));
  CHECK(bias(2, 0) == 0);
}

TEST_CASE("Algorithm 2: the members are unbiased, an arbitrary one is not") {
  for (const std::string_view name :
       {kToy, std::string_view("tree(vocabulary=3,depth=3,seed=9,denominator=5)")}) {
    const Instance instance = make_instance(name, 2);
    const RuleRuns runs(instance);
    const Fates any = runs.run(arbitrary_design);
    CHECK(mass_of(any, 1) == 1);
    CHECK(mass_of(any, 2) == 1);
    CHECK(any.bias() > 0);
    CHECK(any.calls == 1 + any.rejected_at(1));
    for (const Member& member : members()) {
      CAPTURE(std::string(member.text));
      const Fates run = runs.run(member);
      CHECK(run.bias() == 0);
      CHECK(run.calls == 1 + run.rejected_at(1));
    }
  }
  const Instance toy = make_instance(kToy, 2);
  const RuleRuns runs(toy);
  CHECK(runs.run(members()[0]).rejections() == Rational(2, 3));
  CHECK(runs.run(members()[1]).rejections() == Rational(4, 3));
  CHECK(runs.run(members()[3]).rejections() == 2);
  const Rule::Law none(2);
  CHECK(runs.run([&](const RuleContext&) { return Design{none, none}; }).undefined == 1);
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
