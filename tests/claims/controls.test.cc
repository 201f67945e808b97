// Every wrong verifier is rejected, no right one is.
#include "claims/battery/controls.h"

#include <algorithm>
#include <set>

#include "answer/law_test.h"
#include "catch.h"
#include "claims/battery/properties.h"
#include "verifiers/faults/fault.h"

namespace speclab::controls_test {
namespace {

TEST_CASE("the battery rejects every control and passes every right verifier") {
  ClaimContext context;
  context.effort = Effort::quick;
  const auto outcomes = run_controls(context);
  CHECK(outcomes.size() == control_count());
  CHECK(control_count(Controls::plugins) == 0);
  int wrong = 0;
  for (const ControlOutcome& outcome : outcomes) {
    CAPTURE(outcome.verifier);
    if (!outcome.as_meant()) FAIL_CHECK(surprise_text(outcome));
    wrong += outcome.wrong ? 1 : 0;
    const auto exact = std::any_of(outcome.failures.begin(), outcome.failures.end(),
                                   [](auto& f) { return f.property == "joint law of the output"; });
    for (const PropertyFailure& failure : outcome.failures) {
      CHECK(failure.power > 0.999);
      CHECK_FALSE(failure.detail.empty());
    }
    // What the exact joint law finds, the simulation finds too.
    if (exact) CHECK(outcome.failures.back().method == Method::simulation);
  }
  std::size_t elsewhere = 0;  // faults in verifiers besides their first
  for (const char* rule : {"block", "greedy-block", "batch(M=2)", "rrs(K=2)"}) {
    elsewhere += faults_in(make_verifier(rule)).size();
  }
  CHECK(wrong == static_cast<int>(control_rows().size() + elsewhere));
  // No exact property is idle: each rejects a control.
  for (const Property& property : exact_properties()) {
    CAPTURE(property.name);
    CHECK(std::any_of(outcomes.begin(), outcomes.end(), [&](const ControlOutcome& outcome) {
      return std::any_of(outcome.failures.begin(), outcome.failures.end(),
                         [&](auto& f) { return f.property == property.name; });
    }));
  }
  // A slow verifier fails by its speed, not by its law.
  for (const std::string_view slow :
       {"wrong-one-draft-fewer(K=2)", "wrong-largest-rho(K=2)", "wrong-early-slots(K=2)"}) {
    CAPTURE(slow);
    const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                    [&](auto& outcome) { return outcome.verifier == slow; });
    REQUIRE(found != outcomes.end());
    REQUIRE_FALSE(found->failures.empty());
    CHECK(found->failures.back().property == "E[tau] as the closed forms say");
    CHECK(std::none_of(found->failures.begin(), found->failures.end(),
                       [](auto& f) { return f.property == "joint law of the output"; }));
  }
}

TEST_CASE("every wrong verifier has a row that says where it is rejected") {
  std::set<std::string_view> rows;
  for (const ControlRow& row : control_rows()) {
    CAPTURE(row.verifier);
    CHECK(rows.insert(row.verifier).second);
    CHECK((row.power == 0 || row.power > 0.999));
    const auto properties = exact_properties();
    CHECK(std::any_of(properties.begin(), properties.end(),
                      [&](const Property& property) { return property.name == row.property; }));
    CHECK(make_instance(row.at).name() == row.at.pair);
    if (!row.tv.empty()) CHECK(row.property == kJointLaw);
  }
  for (const VerifierInfo& info : verifier_rows()) {
    CAPTURE(info.name);
    if (info.kind == VerifierKind::wrong) CHECK(rows.contains(info.example));
  }
}

TEST_CASE("a control is as meant where it is rejected as its row says, and only then") {
  const ControlRow row{"wrong-x", "", {"iid(draft=[1],target=[1])", 1}, kJointLaw, "1/3", 0.999};
  ControlOutcome outcome;
  outcome.verifier = "wrong-x";
  outcome.wrong = true;
  outcome.row = &row;
  outcome.tv = Rational(1, 3);
  outcome.failures = {{kJointLaw, std::string(row.at.pair), Method::exact, "", 1},
                      {kSimulated, std::string(row.at.pair), Method::simulation, "", 0.9999}};
  CHECK(outcome.as_meant());
  ControlOutcome other = outcome;
  other.tv = Rational(1, 4);
  CHECK_THAT(other.surprise(), Containing("is 1/4, not 1/3"));
  other = outcome;
  other.failures[0].pair = "iid(draft=[1,0],target=[1,0])";
  CHECK_THAT(other.surprise(), Containing("not rejected by 'joint law of the output'"));
  other = outcome;
  other.failures[1].power = 0.9;
  CHECK_THAT(other.surprise(), Containing("by a simulation of power 0.999"));
  other = outcome;
  other.failures.clear();
  CHECK_THAT(other.surprise(), Containing("survives"));
  other = outcome;
  other.wrong = false;
  CHECK_THAT(other.surprise(), Containing("a right verifier fails"));
  // A plugin's verifier that fails is the plugin's fault, not the battery's.
  other.own = true;
  CHECK_THAT(other.surprise(), Containing("the plugin declares it lossless, and it fails"));
  CHECK_THAT(other.surprise(), !Containing("right verifier"));
}

/// P(the whole draft is accepted), the least of the draft lengths 1 and 2.
Rational whole_draft(std::string_view verifier, std::string_view pair) {
  const auto at = [&](int gamma) {
    return exact_answer(verifier, make_instance(pair, gamma))
        .fractions(QuantityId::accepted_law)
        .back();
  };
  return std::min(at(1), at(2));
}

TEST_CASE("what a verifier is said to lack it does lack") {
  for (const VerifierInfo& row : verifier_rows()) {
    CAPTURE(row.name);
    if (row.lacks.full_acceptance) {
      CHECK(std::min(whole_draft(row.example, "iid(draft=[1/2,1/2],target=[1/2,1/2])"),
                     whole_draft(row.example, "iid(draft=[1],target=[1])")) < 1);
    }
    if (row.lacks.token_names) {
      // t/d is 6/5 at two tokens, which are ordered by their numbers. Of the likeliest tokens the
      // lowest is SpecHub's hub.
      const auto differ = [&row](const char* pair, const char* renumbered) {
        return whole_draft(row.example, pair) != whole_draft(row.example, renumbered);
      };
      CHECK((differ("iid(draft=[1/2,1/4,1/4],target=[3/5,3/10,1/10])",
                    "iid(draft=[1/4,1/4,1/2],target=[1/10,3/10,3/5])") ||
             differ("iid(draft=[2/5,2/5,1/5],target=[1/10,9/10,0])",
                    "iid(draft=[1/5,2/5,2/5],target=[0,9/10,1/10])")));
    }
    if (row.lacks.purposes) {
      CHECK(make_verifier(row.example).drafts == 1);
      const Instance instance = make_instance("iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])");
      CHECK(conditional_laws(row.example, instance).correction > kRounding);
    }
  }
}

TEST_CASE("a coin of 0 accepts nothing that the target never emits, unless it is closed") {
  const Instance instance = make_instance("iid(draft=[1/2,1/2],target=[1,0])");
  const auto outside = [&](const char* verifier, double coin) {
    return tokens_outside_support(make_verifier(verifier), instance.doubles(), instance.gamma, coin,
                                  4);
  };
  CHECK(outside("token", 0) == 0);
  CHECK(outside("token", 1 - 0x1p-53) == 0);
  // Half of the 4 drafts, each with 4 draws, at each of gamma positions.
  CHECK(outside("wrong-closed-coin", 0) == 8 * static_cast<std::uint64_t>(instance.gamma));
}

}  // namespace
}  // namespace speclab::controls_test
