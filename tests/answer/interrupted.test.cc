// Signals that come after the trials, while closed forms are worked out.
#include "answer/answer.h"
#include "answer/bench.h"
#include "catch.h"
#include "stops.h"
#include "system/interrupt_scope.h"
#include "toy.h"

namespace speclab::interrupted_test {
namespace {

Question asked(Bench& bench, Arithmetic arithmetic) {
  return bench.question(std::string(kToy), "token", {2, 4, 3}, arithmetic);
}

}  // namespace

TEST_CASE("a signal after the trials leaves the closed forms out and marks the answer") {
  Bench bench;
  const Question question = asked(bench, Arithmetic::floating);
  BySimulation method;
  method.trials = 64;
  method.threads = 1;
  const Tallied tallied = bench.sample(question, method, {});
  const Answer whole = bench.estimate(question, method, tallied);
  CHECK_FALSE(whole.run->interrupted);
  CHECK(whole.predictions.size() > 5);
  CHECK(whole.notes.empty());
  const InterruptScope scope;
  raise_interrupt();
  const Answer part = bench.estimate(question, method, tallied);
  CHECK(part.run->interrupted);
  CHECK(part.run->trials == 64);
  CHECK(part.predictions.empty());
  REQUIRE(part.notes.size() == 1);
  CHECK_THAT(part.notes[0], Containing("closed forms are left out: interrupted"));
}

TEST_CASE("a signal ends closed forms in either arithmetic") {
  Bench bench;
  for (const Arithmetic arithmetic : {Arithmetic::floating, Arithmetic::rational}) {
    const Question question = asked(bench, arithmetic);
    CHECK_FALSE(stops([&] { bench.answer(question, ByClosedForm{}); }));
    const InterruptScope scope;
    raise_interrupt();
    CHECK(stops([&] { bench.answer(question, ByClosedForm{}); }));
  }
}

TEST_CASE("rows whose making a signal ended are not counted beside others") {
  Bench bench;
  // As many states as take a check for signals: 2^17 - 1.
  const PairPointer large = bench.pair("tree(vocabulary=2,depth=16)");
  const Question question = asked(bench, Arithmetic::floating);
  {
    const InterruptScope scope;
    raise_interrupt();
    REQUIRE(stops([&] { bench.doubles(large); }));
  }
  CHECK(bench.plan(question, ByEnumeration{}).doubles);
  CHECK(bench.doubles(large));
}

}  // namespace speclab::interrupted_test
