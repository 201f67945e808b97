// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024):
// the statements on the class of Algorithm 2, on members that are run.
#include "claims/battery/small_pairs.h"
#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/region.h"

namespace speclab {
namespace yin2024_executed {
namespace {

constexpr SearchSpace kOneToken{.tokens = 2, .gammas = 1, .denominator = {3, 3, 4}};
constexpr BatteryShape kFewTokens{.tokens = 3, .gammas = 1, .random = 0, .contexts = false};
constexpr BatteryShape kBattery{.tokens = 3, .gammas = 2, .random = {3, 8, 30}};

constexpr ClaimRow kTheorem2{
    .id = "yin2024.theorem2.rule",
    .source = "yin2024 Theorem 2 and Corollary 1, on rules that are run",
    .statement =
        "rules with b <= min(1, t/d) and Corollary 1's P are unbiased over T tokens and have "
        "E[N_rej] >= sum E[TV_n]; b = s min(1, t/d): s sum E[TV_n] + (1 - s) T",
    .hypotheses = "b and P by context, gamma = T",
    .check = members_run,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {3, 8, 30}},
               SearchSpace{.tokens = 2, .gammas = 2, .denominator = {3, 3, 4}}},
    .bites = {{levelled("yin2024.rule.P"), halved("yin2024.rule.b"),
               raised("yin2024.theorem1.formula"), levelled("yin2024.corollary1.P")}},
};

/// Every b and P of a grid, run: unbiased if and only if Corollary 1 predicts it.
Comparisons corollary1(const Instance& at) {
  const RuleRuns runs(at);
  return for_rules(at, RuleRange::all, [&](const Rule& rule, Comparisons& says) {
    const bool within = !rule.exceeds();
    const bool rejects = rule.rejected() > 0;
    std::vector<Rule::Law> laws = laws_of(rule.size(), 2);
    const Rule::Law wanted = within ? rule.corollary_law() : Rule::Law{};
    if (within && rejects) laws.push_back(wanted);
    for (const Rule::Law& law : laws) {
      const bool unbiased = within && (!rejects || law == wanted);
      says.add(runs.run(rule, law).bias(), unbiased ? Order::equal : Order::above, 0,
               "TV of the rule {}, {}", rule,
               unbiased ? "P of Corollary 1"
               : within ? "another P"
                        : "beyond min(1, t/d)");
    }
  });
}

constexpr ClaimRow kCorollary1{
    .id = "yin2024.corollary1.rule",
    .source = "yin2024 Corollary 1, on rules that are run",
    .statement =
        "a rule's token is unbiased if and only if b <= min(1, t/d) where d > 0 and P = (t - b d) "
        "/ sum (1 - b) d where that is defined",
    .hypotheses = "one token",
    .check = corollary1,
    .places = {kOneToken, kFewTokens},
    .bites = {{levelled("yin2024.rule.P"), zeroed("yin2024.rule.b"),
               levelled("yin2024.corollary1.P")}},
};

/// The token of a rule by equation (14), with epsilon of either sign.
Comparisons equation14(const Instance& at) {
  const RuleRuns runs(at);
  return for_rules(at, RuleRange::all, [&](const Rule& rule, Comparisons& says) {
    Rule::Law law;  // (1, 2, ..) normalised: any law will do
    const auto size = static_cast<int>(rule.size());
    for (int x = 0; x < size; ++x) law.emplace_back(2 * (x + 1), size * (size + 1));
    const Fates run = runs.run(rule, law);
    const Rational rejected = rule.rejected_by_epsilon();
    says.equal(run.rejections(), rejected,
               "P(reject) of the rule {} against sum of [d - t - epsilon]+", rule);
    for (std::size_t x = 0; x < rule.size(); ++x) {
      says.equal(run.at(at.start(), {static_cast<Token>(x)}).reached(),
                 rule.kept_by_epsilon(x) + law[x] * rejected,
                 "P({}) of the rule {}, epsilon {} 0, against min(d, t + epsilon) + P P(reject)", x,
                 rule, rule.epsilon(x) < 0 ? "<" : ">=");
    }
  });
}

constexpr ClaimRow kEquation14{
    .id = "yin2024.equation14.rule",
    .source = "yin2024 Lemma 1, equations (9), (14), on rules that are run",
    .statement =
        "P(x) = min(d, t + epsilon) + P sum [d - t - epsilon]+ with epsilon = b d - t, which may "
        "be negative",
    .hypotheses = "one token, every b in [0, 1] of a grid",
    .check = equation14,
    .places = {kOneToken, kFewTokens},
    .bites = {{raised("yin2024.lemma1.epsilon"), zeroed("yin2024.lemma1.epsilon"),
               levelled("yin2024.rule.P")}},
};

/// The law that is one token.
Rule::Law point_mass(std::size_t size, std::size_t x) {
  Rule::Law law(size);
  law[x] = 1;
  return law;
}

/// Every point mass and Corollary 1's P, with b <= min(1, t/d).
Comparisons lemma2(const Instance& at) {
  Comparisons says;
  const Rational bound = kTvSum(at);
  const RuleRuns runs(at);
  const auto size = static_cast<std::size_t>(at.rows->vocabulary());
  for (const Member& member : members()) {
    for (std::size_t x = 0; x <= size; ++x) {
      const Fates found = runs.run([&](const RuleContext& context) {
        const Rule rule = member.rule(context);
        return Design{rule.accept, x == 0 ? rule.corollary_law() : point_mass(size, x - 1)};
      });
      if (found.bias() > 0) continue;
      says.at_least(found.rejections(), bound,
                    "E[N_rej] of the rule {}, found unbiased, against sum of E TV", member.text);
    }
  }
  return says;
}

/// Two tokens: after token 0 the models agree, after token 1 they are disjoint.
std::vector<Instance> parting(Effort) {
  const std::vector<Rational> first{1, 0}, second{0, 1}, even{Rational(1, 2), Rational(1, 2)};
  return {listed_tree({{{}, first}, {{0}, first}, {{1}, first}},
                      {{{}, even}, {{0}, first}, {{1}, second}}, 2)};
}

/// Without unbiasedness it may be fewer: whoever always corrects to 0 comes where models agree.
Comparisons biased_has_fewer(const Instance& at) {
  const Fates found = RuleRuns(at).run([](const RuleContext& context) {
    return Design{members().front().rule(context).accept, point_mass(2, 0)};
  });
  return {{"E[N_rej] of b = min(1, t/d), P = token 0, T = 2, against sum of E TV",
           found.rejections(), Order::below, kTvSum(at)},
          {"its TV", found.bias(), Order::above, 0}};
}

constexpr Family kParting{"two tokens, the models parting after one of them", parting};

constexpr ClaimRow kLemma2{
    .id = "yin2024.lemma2.rule",
    .source = "yin2024 Lemma 2, on rules that are run",
    .statement =
        "an unbiased rule with b <= min(1, t/d) has E[N_rej] >= sum E[TV_n]; a biased one need "
        "not, though its b exceeds min(1, t/d) nowhere",
    .hypotheses = "b and P by context, gamma = T; P of Corollary 1 and every point mass",
    .check = lemma2,
    .places = {kBattery, kOneToken, Place(kParting).with(biased_has_fewer)},
    .bites = {{raised("yin2024.theorem1.formula"), halved("yin2024.theorem1.formula"),
               zeroed("yin2024.rule.b")}},
};

/// Rules on the boundary of the region, and between: as b d and P (1 - b) d move from one rule to
/// another, the TV takes every value between.
Comparisons region(const Instance& at) {
  Comparisons says;
  const TradeRegion region(at);
  const RuleRuns runs(at);
  const Rational between = distance(at);
  std::vector<Rational> rejected{between / 2, between};
  for (int i = 0; i <= 4; ++i) rejected.emplace_back(i, 4);
  for (const Rational& r : rejected) {
    const Rational low = region.lowest(r), high = region.highest(r);
    says.at_least(high, between, "largest TV at P(reject) = {} against TV(d, t)", to_text(r));
    for (int i = 0; i <= 3; ++i) {
      const Fates found =
          runs.run([&](const RuleContext&) { return region.rule_at(r, Rational(i, 3)); });
      says.equal(found.rejections(), r, "P(reject) of a rule made for {}", to_text(r));
      says.add(found.bias(), i == 0 ? Order::equal : Order::at_least, low,
               "TV of the rule against the least at P(reject) = {}", to_text(r));
      says.add(found.bias(), i == 3 ? Order::equal : Order::at_most, high,
               "TV of the rule against the most at P(reject) = {}", to_text(r));
    }
  }
  return says;
}

Comparisons outside(const Instance& at) {
  const TradeRegion region(at);
  const RuleRuns runs(at);
  return for_rules(at, RuleRange::all, [&](const Rule& rule, Comparisons& says) {
    for (const Rule::Law& law : laws_of(rule.size(), 2)) {
      const Fates found = runs.run(rule, law);
      says.at_least(found.bias(), region.lowest(found.rejections()),
                    "TV of the rule {} against the least at its P(reject)", rule);
      says.at_most(found.bias(), region.highest(found.rejections()),
                   "TV of the rule {} against the most at its P(reject)", rule);
    }
  });
}

constexpr ClaimRow kRegion{
    .id = "yin2024.figure4.region",
    .source = "yin2024 Figure 4 (a), section 4.1, the blue and the red region",
    .statement =
        "rules realise the points (r, TV) with [TV(d,t) - r]+ <= TV <= max over sets S of min(1, "
        "d(S) + r) - t(S), which is TV(d,t) or more, and no others",
    .hypotheses = "one token, 0 <= r = P(reject) <= 1",
    .check = region,
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 3, 4}}, kFewTokens,
               Place(kOneToken).with(outside), Place(kFewTokens).with(outside)},
    .bites = {{levelled("yin2024.rule.P"), halved("yin2024.rule.b"), raised("yin2024.figure4.top"),
               lowered("yin2024.figure4.top")}},
};

/// sum (1 - b) d = 0: b = 1 where the draft goes and 0 elsewhere, with no P or P = t.
Comparisons no_rejection(const Instance& at) {
  Comparisons says;
  const RuleRuns runs(at);
  for (const bool none : {true, false}) {
    const std::string_view text = none ? "no P" : "P = t";
    const Fates run = runs.run([&](const RuleContext& context) {
      const auto drafted = [](const Rule& rule, std::size_t x) {
        return Rational(rule.draft[x] > 0 ? 1 : 0);
      };
      const Rule rule = Rule::of(context.draft, context.target, drafted);
      return Design{rule.accept, none ? Rule::Law(rule.size())
                                      : Rule::Law(rule.target.begin(), rule.target.end())};
    });
    says.equal(run.rejections(), 0, "E[N_rej] of b = 1, {}", text);
    says.equal(run.undefined, 0, "P(0/0) of b = 1, {}", text);
    Rational apart(0);
    for (const Start& start : at.pair().start()) {
      for (const PathLaws& path : whole_paths(*at.rows, start.state, at.gamma)) {
        apart += start.probability * positive_part<Rational>(path.draft - path.target);
        says.equal(run.at(start.state, path.tokens).reached(), start.probability * path.draft,
                   "P({}) of b = 1, {}, against the draft's", path_text(path.tokens), text);
      }
    }
    says.equal(run.bias(), apart, "TV of b = 1, {}, against that of the draft's joint law", text);
  }
  return says;
}

constexpr ClaimRow kNoRejection{
    .id = "yin2024.figure4.no-rejection",
    .source = "yin2024 section 4.1, Figure 4 (a) at P(reject) = 0, appendix E.1",
    .statement =
        "where sum (1 - b) d = 0 the T tokens follow the draft's joint law, whatever P is, and P "
        "is never drawn: of the line r = 0 one point alone is realised",
    .hypotheses = "b = 1 where d > 0; P by context, or no law at all",
    .check = no_rejection,
    .places = {kBattery, kFewTokens},
    .bites = {{halved("yin2024.rule.b"), levelled("yin2024.rule.b")}},
};

constexpr ClaimRow kClaims[] = {kTheorem2, kCorollary1, kEquation14,
                                kLemma2,   kRegion,     kNoRejection};

}  // namespace
}  // namespace yin2024_executed

Claims yin2024_executed_claims() { return yin2024_executed::kClaims; }

}  // namespace speclab
