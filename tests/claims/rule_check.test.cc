// A rule judged as a whole: losslessness, counterexamples, rates, growth and proofs.
#include "claims/rule/rule_check.h"

#include "answer/fault_rows.h"
#include "catch.h"
#include "claims/engine/paths.h"
#include "claims/rule/rule_document.h"
#include "model/registry.h"
#include "report/report.h"

namespace speclab::rule_check_test {
namespace {

RuleReport judged(const std::string& verifier, const std::vector<std::string>& pairs = {},
                  std::vector<int> gammas = {1, 2}) {
  RuleRequest request;
  request.verifier = verifier;
  for (const std::string& text : pairs) request.pairs.push_back(make_pair(text));
  request.gammas = std::move(gammas);
  return check_rule(request);
}

TEST_CASE("a lossless rule: its rates are those of the papers") {
  const RuleReport report = judged("block");
  CHECK(report.declared_lossless);
  CHECK(report.lossless());
  CHECK(report.undefined.mass == 0);
  CHECK(report.unchecked.empty());
  REQUIRE(report.rates.size() == 4);
  const RuleRate& toy = report.rates.front();
  // sun2025 section 3; 4/3 = 2/3 + 2/3 is the sum of min(D, T) of sun2024 Theorem 1.
  CHECK(toy.accepted == Rational(11, 9));
  CHECK(toy.block == Rational(11, 9));
  CHECK(toy.optimum == Rational(4, 3));
  CHECK(toy.greedy == Rational(4, 3));
  CHECK(report.share_of_optimum() == Rational(11, 12));
  // Every iteration of block verification from a memoryless pair is like the first.
  for (int i = 0; i < kRuleIterations; ++i) {
    CHECK(toy.tokens.at(static_cast<std::size_t>(i)) == (i + 1) * Rational(20, 9));
  }
  CHECK(report.in_gamma.comparisons > 20);
  CHECK(report.in_gamma.falls.empty());
  CHECK(report.in_drafts.unasked == "it takes no number of drafts");
  CHECK(report.proof.verdict == TheoremVerdict::proved);
}

TEST_CASE("every faulty rule that the joint law rejects is not lossless, and the pair is small") {
  for (const ControlRow& row : control_rows()) {
    if (row.property != kJointLaw) continue;
    CAPTURE(row.verifier);
    const Verifier verifier = make_verifier(row.verifier);
    if (verifier.info->small_pairs) continue;
    RuleRequest request;
    request.verifier = row.verifier;
    request.most_queries = 0;
    const RuleReport report = check_rule(request);
    REQUIRE_FALSE(report.lossless());
    CHECK_FALSE(report.share_of_optimum());
    const RuleCounterexample& found = *report.counterexample;
    CAPTURE(found.pair, found.gamma, found.horizon);
    const Instance instance = make_instance(found.pair, found.gamma);
    CHECK(exact_tv(row.verifier, instance, found.horizon) == found.tv);
    CHECK(found.tv > 0);
    CHECK(found.output != found.target);
    if (found.horizon > 1) {
      CHECK(exact_tv(row.verifier, instance, found.horizon - 1) == 0);
    }
    // The target's probability of the tokens, by the rows.
    Rational target(0);
    for (const Start& start : instance.pair().start()) {
      target += start.probability * follow(*instance.rows, start.state, found.tokens).target;
    }
    CHECK(found.target == target);
    CHECK(instance.pair().vocabulary() <= 3);
  }
}

TEST_CASE("the smallest counterexample of a rule is the first pair in the enumeration order") {
  // Of the drafts argmax, tested as if sampled: at equal laws of 1/2 the token 0 alone is drafted
  // and accepted with probability 1.
  const RuleReport report = judged("wrong-greedy-draft");
  REQUIRE_FALSE(report.lossless());
  const RuleCounterexample& found = *report.counterexample;
  CHECK(found.pair == "iid(draft=[1/2,1/2],target=[1/2,1/2])");
  CHECK(found.gamma == 1);
  CHECK(found.horizon == 1);
  CHECK(found.tokens == std::vector<Token>{0});
  CHECK(found.output == 1);
  CHECK(found.target == Rational(1, 2));
  CHECK(found.tv == Rational(1, 2));
  CHECK(report.proof.verdict == TheoremVerdict::refuted);
}

TEST_CASE("what is undefined is measured, with its place") {
  const RuleReport report = judged("block-listing");
  CHECK(report.undefined.mass == 1);
  CHECK(report.undefined.gamma == 1);
  CHECK(exact_answer("block-listing", make_instance(report.undefined.pair))
            .fraction(QuantityId::iteration_undefined) == 1);
  CHECK_FALSE(report.lossless());
}

TEST_CASE("a rule whose acceptance falls with the number of drafts is seen") {
  // 3/4 with two drafts and 19/27 with three where the models are equal: 1 - (1 - 1/K)^K.
  const RuleReport report = judged("wrong-largest-rho(K=2)");
  CHECK(report.lossless());
  CHECK_THAT(report.in_drafts.falls, Containing("3/4 at K = 2"));
  CHECK_THAT(report.in_drafts.falls, Containing("19/27 at K = 3"));
  CHECK(judged("rrs(K=2)").in_drafts.falls.empty());
  CHECK(judged("rrs(K=2)").in_drafts.comparisons > 10);
}

TEST_CASE("a rule of one tree is checked at its depth") {
  const RuleReport report = judged("rrs-without(tree=2-1)");
  CHECK(report.lossless());
  CHECK(report.settings == report.pairs);
  CHECK(report.in_gamma.unasked == "its tree has one depth");
  for (const RuleRate& rate : report.rates) CHECK(rate.gamma == 2);
  CHECK_FALSE(report.share_of_optimum());

  // A pair of the user's is checked at that depth, whatever its size and the lengths asked for.
  const std::string mine = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";
  const RuleReport with_mine = judged("rrs-without(tree=2-1)", {mine}, {1});
  CHECK(with_mine.lossless());
  CHECK(with_mine.unchecked.empty());
  CHECK(with_mine.pairs == report.pairs + 1);
  CHECK(with_mine.settings == report.settings + 1);
  REQUIRE(with_mine.rates.size() == 1);
  CHECK(with_mine.rates.front().accepted == Rational(153, 100));
}

TEST_CASE("a pair with more sequences than a check looks at is reported with who takes it") {
  const RuleReport report = judged("block", {"zipf(vocabulary=1000,draft=1,target=1.1)"}, {2});
  CHECK(report.lossless());
  REQUIRE(report.unchecked.size() == 1);
  CHECK_THAT(report.unchecked.front(), Containing("(max-paths); exact takes that option"));
}

TEST_CASE("pairs of the user's are checked, and what they show is reported on them") {
  const std::string mine = "iid(draft=[1/7,6/7],target=[2/7,5/7])";
  const RuleReport report = judged("token", {mine, "zipf(vocabulary=12,draft=1.2,target=1)"}, {3});
  CHECK(report.lossless());
  CHECK(report.pairs == judged("token").pairs + 2);
  REQUIRE(report.rates.size() == 2);
  CHECK(report.rates.front().pair == mine);
  CHECK(report.rates.front().gamma == 3);
  // Token verification keeps each draft with probability 6/7: a sum of three powers.
  CHECK(report.rates.front().accepted == Rational(6, 7) + Rational(36, 49) + Rational(216, 343));
  CHECK_THROWS_AS(judged("rule(file=\"nowhere.json\")"), InputError);
}

TEST_CASE("a broken declaration is found on small pairs, and speclab's own rules are trusted") {
  CHECK_FALSE(broken_declaration(make_verifier("block")));
  CHECK_FALSE(broken_declaration(make_verifier("wrong-greedy-draft")));
  // A biased rule under the name of a plugin's, which declares it lossless: t/d = 1/2 of the token
  // 0 is accepted always.
  static VerifierRow row = *find_verifier("constant-ratio");
  row.name = "plugged";
  row.example = "plugged(threshold=1/2)";
  row.kind = VerifierKind::lossless;
  add_verifier(row);
  const auto broken = broken_declaration(make_verifier("plugged(threshold=1/2)"));
  REQUIRE(broken);
  CHECK(*broken == "TV 1/2 of 1 token on iid(draft=[1,0],target=[1/2,1/2]), gamma 1");
  static VerifierRow right = *find_verifier("token");
  right.name = right.example = "plugged-token";
  add_verifier(right);
  CHECK_FALSE(broken_declaration(make_verifier("plugged-token")));
}

TEST_CASE("a report reads in the order of its questions") {
  const std::vector<CheckedRule> rules{{judged("block"), ""}, {judged("block-listing"), "run me"}};
  const std::string text = render(rules_document(rules), Format::table);
  CHECK_THAT(text, Containing("block: lossless on "));
  CHECK_THAT(text, Containing("block-listing: not lossless\n  smallest counterexample: "));
  CHECK_THAT(text, Containing("\n  run me\n"));
  CHECK_THAT(text, Containing("undefined draws (0/0): probability 1 on "));
  CHECK_THAT(text, Containing("the optimum bounds lossless rules alone"));
  CHECK_THAT(render(rules_document(rules), Format::csv),
             Containing("verifier,lossless,tv,pair,gamma,command,undefined,share_of_optimum"));
}

}  // namespace
}  // namespace speclab::rule_check_test
