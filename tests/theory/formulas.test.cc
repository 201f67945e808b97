#include "theory/formulas.h"

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "stops.h"
#include "system/interrupt_scope.h"
#include "theory/sun2024.h"

namespace speclab::formulas_test {
namespace {

FormulaResult toy(const std::string& text, int gamma) {
  return evaluate_formula(text, {make_pair("bernoulli(draft=1/3,target=2/3)"), gamma, true});
}

FormulaResult alone(const std::string& text, int gamma = 1) {
  return evaluate_formula(text, {nullptr, gamma, true});
}

}  // namespace

TEST_CASE("the sums of sun2024 section 3.1 as printed count a token too many") {
  const FormulaResult printed = toy("sun2024.section3.1(first=printed)", 2);
  const FormulaResult corrected = toy("sun2024.section3.1(first=corrected)", 2);
  REQUIRE(printed.values.size() == 2);
  CHECK(printed.values[0].quantity == QuantityId::token_accepted);
  CHECK(*printed.values[0].exact == Rational(19, 9));
  CHECK(*corrected.values[0].exact == Rational(10, 9));
  CHECK(*printed.values[1].exact == Rational(7, 3));
  CHECK(*corrected.values[1].exact == Rational(4, 3));
}

TEST_CASE("distance and batch improvement of one token") {
  CHECK(*toy("tv", 1).values[0].exact == Rational(1, 3));
  // |u - v| (1 - u^(M-1)) of the token drafted too often: 1/3 (1 - 2/3).
  CHECK(*toy("yin2024.section3.2(M=2)", 1).values[0].exact == Rational(1, 9));
  const auto uniform = make_pair("uniform(draft=8,target=4)");
  CHECK(*evaluate_formula("yin2024.section3.2(M=3)", {uniform, 1, true}).values[0].exact ==
        Rational(3, 8));
  for (const char* never_drafted :
       {"iid(draft=[0,1],target=[1/2,1/2])", "iid(draft=[1,0],target=[1/2,1/2])"}) {
    CHECK_THROWS_AS(
        evaluate_formula("yin2024.section3.2(M=3)", {make_pair(never_drafted), 1, true}),
        InputError);
  }
  const auto other = make_pair("iid(draft=[1/2,1/4,1/4],target=[1/4,1/4,1/2])");
  CHECK_THROWS_AS(evaluate_formula("yin2024.section3.2(M=3)", {other, 1, true}), InputError);
}

TEST_CASE("SPRINTER's tokens, time and FLOPs") {
  // 1/2 + 1/4 + (1/8) / (1 - 1/2)
  CHECK(*alone("zhong2025.theorem3.3(fp=1/2,tp=1/2,r=3)").values[0].exact == Rational(1));
  CHECK(*alone("zhong2025.theorem3.4(fp=1/2,tp=1/2,r=3,draft=0.1)").values[0].exact ==
        Rational(1, 5));
  CHECK(*alone("zhong2025.theorem3.4(fp=1/2,tp=1/2,r=3,draft=0.1,verifier=0.1)").values[0].exact ==
        Rational(2, 5));
  const FormulaResult flops = alone("zhong2025.flops(draft=1,verifier=0,target=9)", 3);
  CHECK(*flops.values[0].exact == Rational(30));
  CHECK(*flops.values[1].exact == Rational(12));
  CHECK(*flops.values[2].exact == Rational(5, 2));
  CHECK(*alone("target-positions(K=2)", 8).values[0].exact == Rational(18));
}

TEST_CASE("a formula's text is canonical, and errors in it are reported") {
  CHECK(alone("zhong2025.theorem3.3( r=3, tp=0.5,fp=2/4 )").name ==
        "zhong2025.theorem3.3(fp=1/2,tp=1/2,r=3)");
  for (const char* text : {"zhong2025.theorem3.3(fp=1,tp=1/2,r=3)", "zhong2025.theorem3.3(fp=0)",
                           "zhong2025.theorem3.3(fp=0,tp=2,r=1)", "tv", "no-such-formula",
                           "target-positions(K=2,L=3)"}) {
    CHECK_THROWS_AS(alone(text), InputError);
  }
  CHECK_THROWS_AS(toy("target-positions(K=2)", 1), InputError);
  CHECK_THROWS_WITH(alone("no-such-formula"), Containing("target-positions"));
}

TEST_CASE("a formula of gamma tokens refuses gamma inf, and another takes it") {
  for (const char* text :
       {"target-positions(K=2)", "zhong2025.flops(draft=1,verifier=0,target=9)"}) {
    CHECK_THROWS_WITH(alone(text, kUnbounded), Containing("gamma inf has no end here"));
  }
  CHECK_THROWS_WITH(toy("sun2024.section3.1(first=printed)", kUnbounded),
                    Containing("gamma inf has no end here"));
  CHECK(*toy("tv", kUnbounded).values[0].exact == Rational(1, 3));
}

TEST_CASE("the sums of a formula are left when a signal comes") {
  const Rational draft(1, 3), target(2, 3);
  const InterruptScope scope;
  raise_interrupt();
  CHECK(stops([&] { bernoulli_token_accepted(draft, target, 1, FirstTerm::corrected); }));
  CHECK(stops([&] { bernoulli_block_accepted(draft, target, 1, FirstTerm::corrected); }));
}

}  // namespace speclab::formulas_test
