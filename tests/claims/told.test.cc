// How what the checks found is told: texts that are read back, faults by name, verdicts on record.
#include <algorithm>

#include "catch.h"
#include "claims/outcome_text.h"
#include "claims/properties.h"

namespace speclab {
namespace {

TEST_CASE("what a control found is read back as it was written") {
  ControlOutcome found;
  found.verifier = "wrong-x";
  found.failures = {{kJointLaw, "iid(draft=[1],target=[1])", Method::exact, "TV 1/3", 1},
                    {kSupport, "", Method::simulation, "\"G\"=2", 0.9990234375}};
  found.instances = 17;
  found.tests = 2;
  for (const std::optional<Rational>& tv :
       {std::optional<Rational>(), std::optional<Rational>(Rational(1, 3))}) {
    found.tv = tv;
    ControlOutcome known;
    known.verifier = "wrong-x";
    const ControlOutcome read = read_control_outcome(known, outcome_text(found));
    CHECK(read.verifier == "wrong-x");
    CHECK(read.tv == tv);
    CHECK(read.instances == 17);
    CHECK(read.tests == 2);
    REQUIRE(read.failures.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(read.failures[i].property == found.failures[i].property);
      CHECK(read.failures[i].pair == found.failures[i].pair);
      CHECK(read.failures[i].method == found.failures[i].method);
      CHECK(read.failures[i].detail == found.failures[i].detail);
      CHECK(read.failures[i].power == found.failures[i].power);
    }
  }
}

TEST_CASE("what a claim's check found is read back as it was written") {
  const ClaimRow* row = select_claims({"slot-block.lossless"}).front();
  ClaimOutcome found{row, {}, 1.5};
  found.result.verdict = ClaimVerdict::refuted;
  found.result.evidence = {{"iid(draft=[1],target=[1])", Method::exact, "1 > 0"},
                           {"all pairs", Method::proof, "cells", 12}};
  found.result.instances = 3;
  found.result.comparisons = 4;
  found.result.tests = 5;
  found.result.least_power = 0.75;
  const ClaimOutcome read = read_claim_outcome(row, outcome_text(found));
  CHECK(read.row == row);
  CHECK(read.seconds == 1.5);
  CHECK(read.result.verdict == found.result.verdict);
  CHECK(read.result.instances == 3);
  CHECK(read.result.comparisons == 4);
  CHECK(read.result.tests == 5);
  CHECK(read.result.least_power == 0.75);
  REQUIRE(read.result.evidence.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(read.result.evidence[i].pair == found.result.evidence[i].pair);
    CHECK(read.result.evidence[i].method == found.result.evidence[i].method);
    CHECK(read.result.evidence[i].detail == found.result.evidence[i].detail);
    CHECK(read.result.evidence[i].cells == found.result.evidence[i].cells);
  }
}

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
  ClaimOutcome outcome{select_claims({"slot-block.lossless"}).front(), {}, 0};
  outcome.result.verdict = outcome.row->recorded;
  CHECK(outcome.as_recorded());
  outcome.result.verdict = ClaimVerdict::refuted;
  REQUIRE(outcome.row->recorded != ClaimVerdict::refuted);
  CHECK_FALSE(outcome.as_recorded());
}

TEST_CASE("a planted fault is told by its name") {
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
}  // namespace speclab
