// How results of checks are reported: faults by name, verdicts on record.

#include "catch.h"
#include "claims/battery/controls.h"
#include "claims/battery/properties.h"
#include "claims/engine/registry.h"

namespace speclab::told_test {
namespace {

TEST_CASE("a pair of several prompts is held where its contexts need not be known") {
  const ClaimRow* row = select_claims({"zhong2025.theoremA.4"}).front();
  const Instance instance = make_instance("markov(vocabulary=2,horizon=3,seed=1)", 1);
  REQUIRE(instance.pair().start().size() > 1);
  const Comparisons comparisons = row->check(instance);
  CHECK_FALSE(comparisons.empty());
  for (const Compared& each : comparisons) {
    CAPTURE(each.text());
    CHECK(each.holds());
  }
}

TEST_CASE("a verdict is as recorded where it is the row's, and only there") {
  ClaimOutcome outcome{select_claims({"slot-block.lossless"}).front(), {}};
  outcome.result.verdict = outcome.row->recorded;
  CHECK(outcome.as_recorded());
  outcome.result.verdict = ClaimVerdict::refuted;
  REQUIRE(outcome.row->recorded != ClaimVerdict::refuted);
  CHECK_FALSE(outcome.as_recorded());
}

TEST_CASE("a planted fault is reported by its name") {
  CHECK(Bite{"sun2025.coupling", Fault::doubled}.text() == "sun2025.coupling doubled");
  CHECK(Bite{"block", Fault::replaced, "wrong-block"}.text() == "block replaced by wrong-block");
  for (const Fault fault :
       {Fault::zeroed, Fault::raised, Fault::lowered, Fault::constant, Fault::levelled}) {
    CHECK(Bite{"x", fault}.text().size() > 3);
  }
}

TEST_CASE("right verifiers have every exact property") {
  const Instance instance = make_instance("iid(draft=[2/3,1/3],target=[1/3,2/3])", 1);
  for (const Property& property : exact_properties()) {
    CAPTURE(property.name);
    for (const char* verifier : {"token", "block", "slot-block(K=2)"}) {
      CAPTURE(verifier);
      CHECK(property.fails(verifier, instance) == std::nullopt);
    }
  }
}

}  // namespace
}  // namespace speclab::told_test
