// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 4 and appendices E to G: the front of rejections and bias, the two options of the
// experiment, several tokens.
#include "claims/battery/small_pairs.h"
#include "claims/engine/vocabulary.h"
#include "claims/papers/yin2024/fates.h"
#include "theory/yin2024.h"

namespace speclab {
namespace yin2024_pareto {
namespace {

/// Where the rules of a range lie in the plane of rejections and bias.
Comparisons points(const Instance& at, RuleRange range, Order order) {
  return for_rules(at, range, [&](const Rule& rule, Comparisons& says) {
    says.add(rule.rejected() + rule.formula(), order, distance(at),
             "P(reject) + Loss* at {} against TV(d, t)", rule);
  });
}

Comparisons theorem5(const Instance& at) {
  Comparisons says = points(at, RuleRange::over, Order::equal);
  constexpr Check kSlackPoints =
      on_line("biased(eps=0)") && on_line("biased(eps=1/10)") && on_line("biased(eps=1/4)");
  for (Compared& point : kSlackPoints(at)) says.push_back(std::move(point));
  return says;
}

constexpr ClaimRow kTheorem5{
    .id = "yin2024.theorem5",
    .source = "yin2024 Theorem 5",
    .statement = "P(reject) + Loss* = TV(d, t) for every b >= min(1, t/d)",
    .hypotheses = "one token",
    .check = theorem5,
    .places = {kManyLaws, kTokenBattery},
    .bites = {{halved("yin2024.theorem4.formula"),
               replaced("biased", "biased(eps=1/4,residual=target)")}},
};

/// No member of the class lies below the line and one lies on it.
Comparisons front_certified(const Instance& at) {
  return {{"certified least P(reject) + TV over all b, P against TV(d, t)",
           2 - ingredient("yin2024.front.program", most_accepted_and_right(at)), Order::equal,
           distance(at)}};
}

constexpr ClaimRow kFront{
    .id = "yin2024.theorem5.front",
    .source = "yin2024 section 4.1, Pareto front",
    .statement = "P(reject) + TV(output, t) >= TV(d, t) for every b and P",
    .hypotheses = "one token",
    .check = [](const Instance& at) { return points(at, RuleRange::all, Order::at_least); },
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = {4, 6, 8}},
               Place(kTokenBattery).with(front_certified)},
    .bites = {{zeroed("yin2024.front.program"), lowered("yin2024.theorem4.formula")}},
};

/// The loss of P := t, where b exceeds min(1, t/d): above Loss*, or where `corrected` if and only
/// if P is outside the set of Theorem 4.
Comparisons baseline(const Instance& at, bool corrected) {
  return for_rejecting(at, RuleRange::over, [&](const Rule& rule, Comparisons& says) {
    if (!rule.exceeds()) return;
    const Rule::Law law(rule.target.begin(), rule.target.end());
    const bool inside = corrected && rule.optimal(law);
    says.add(rule.loss(law), inside ? Order::equal : Order::above, rule.formula(),
             "TV at {}, P = t,{} against Loss*", rule,
             !corrected ? ""
             : inside   ? " in the set,"
                        : " outside the set,");
  });
}

constexpr ClaimRow kBaseline{
    .id = "yin2024.section4.2.baseline",
    .source = "yin2024 section 4.2, appendix G (Decoding-UNO)",
    .statement = "P := t is suboptimal: TV > Loss* where b exceeds min(1, t/d)",
    .hypotheses = kOverThreshold,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return baseline(at, false); },
    .places = {kFewLaws},
    .correction = {"unless t = 0 where A < 0 and t <= A elsewhere: then P := t is an optimum",
                   [](const Instance& at) { return baseline(at, true); },
                   {kManyLaws, kTokenBattery}},
    .bites = {{zeroed("yin2024.theorem4.A"), raised("yin2024.theorem4.formula")}},
};

/// The code's clamp, its sum, and its P* = [A]+ normalised.
Comparisons clamped(const Instance& at) {
  Comparisons says;
  for (const std::string_view slack : kSlacks) {
    const Rational eps = parse_rational(slack);
    const Rule rule = slack_rule(at.draft(), at.target(), eps);
    if (rule.rejected() == 0) continue;
    Rule::Law law;
    Rational sum(0), positive(0);
    for (std::size_t x = 0; x < rule.size(); ++x) {
      law.push_back(std::max<Rational>(rule.target[x] - rule.draft[x], -eps));
      sum += law.back();
    }
    law = ingredient("yin2024.appendixG.clamp", std::move(law));
    const Rule::Law wanted = rule.wanted();
    for (std::size_t x = 0; x < law.size(); ++x) {
      law[x] /= sum;
      says.equal(law[x], wanted[x], "max(t - d, -eps) / sum at token {}, eps={}, against A", x,
                 slack);
      law[x] = positive_part(law[x]);
      positive += law[x];
    }
    for (Rational& mass : law) mass /= positive;
    says.equal(rule.loss(law), rule.formula(), "TV of P = [A]+ normalised, eps={}, against Loss*",
               slack);
  }
  return says;
}

constexpr ClaimRow kClamped{
    .id = "yin2024.appendixG.residual",
    .source = "yin2024 appendix G, implementation detail of Table 1",
    .statement = "A = max(t - d, -eps) / sum max(t - d, -eps) and P* = [A]+ normalised is optimal",
    .hypotheses = "one token, b = min(1, (t + eps) / d), sum (1 - b) d > 0",
    .check = clamped,
    .places = {kManyLaws, kTokenBattery},
    .bites = {{raised("yin2024.appendixG.clamp"), lowered("yin2024.theorem4.formula")}},
};

/// b = 0 at the root, where the models agree; b = 1 after it. After token 0 the draft misses the
/// target altogether, after token 1 by half.
std::vector<Instance> two_tokens(Effort) {
  const std::vector<Rational> even{Rational(1, 2), Rational(1, 2)}, zero{1, 0}, one{0, 1};
  const std::vector<Rational> most{Rational(3, 4), Rational(1, 4)}, least{most[1], most[0]};
  return {listed_tree({{{}, even}, {{0}, zero}, {{1}, most}},
                      {{{}, even}, {{0}, one}, {{1}, least}}, 2)};
}

/// TV of both tokens with this law of the correction at the root.
Rational joint_loss(const Instance& at, const Rule::Law& correction) {
  return RuleRuns(at)
      .run([&](const RuleContext& context) {
        return Design{Rule::Law(2, Rational(context.before.empty() ? 0 : 1)), correction};
      })
      .bias();
}

Comparisons stepwise_optimum(const Instance& at) {
  const Rule root{at.draft(), at.target(), Rule::Law(2)};
  return {{"TV of 2 tokens, b = 0 then 1, P at the root by Theorem 4, against P = (0,1)",
           joint_loss(at, root.wanted()), Order::above,
           joint_loss(at, ingredient("yin2024.remark6.P", Rule::Law{0, 1}))}};
}

/// The optimum of every position loses at most the sum of the positions' losses, and at least the
/// first position's.
Comparisons stepwise_bounds(const Instance& at) {
  const Rational eps(1, 4);
  const auto loss = [&](State start, const TokenPath& before) {
    const State state = follow(*at.rows, start, before).state;
    return ingredient("yin2024.remark6.loss",
                      least_loss(at.rows->draft(state), at.rows->target(state), eps));
  };
  const Fates fates = RuleRuns(at).run([&](const RuleContext& context) {
    return optimal_design(slack_rule(context.draft, context.target, eps));
  });
  Rational first(0);
  for (const Start& start : at.pair().start()) first += start.probability * loss(start.state, {});
  Rational sum = first;
  for (const auto& [key, fate] : fates.paths) {
    if (static_cast<int>(key.second.size()) < at.gamma) {
      sum += fate.reached() * loss(key.first, key.second);
    }
  }
  return {{"TV of T = gamma tokens, eps=1/4, against the first position's Loss*", fates.bias(),
           Order::at_least, first},
          {"the same against the sum of all positions' Loss*", fates.bias(), Order::at_most, sum}};
}

constexpr ClaimRow kRemark6{
    .id = "yin2024.remark6",
    .source = "yin2024 Remark 6, equation (27)",
    .statement =
        "the optimum over P_1 .. P_T of the TV of all T tokens is not attained token by token: "
        "Theorem 4's P at every position can lose more",
    .hypotheses = "b_1 .. b_T given, T = 2; it loses between the first and the sum of all Loss*",
    .check = stepwise_optimum,
    .places =
        {Family{"two tokens after a tree's root, b = 0 then 1", two_tokens},
         Place(BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 6, 20}}).with(stepwise_bounds)},
    .bites = {{levelled("yin2024.remark6.P"), zeroed("yin2024.remark6.loss"),
               raised("yin2024.remark6.loss")}},
};

constexpr ClaimRow kClaims[] = {kTheorem5, kFront, kBaseline, kClamped, kRemark6};

}  // namespace
}  // namespace yin2024_pareto

Claims yin2024_pareto_claims() { return yin2024_pareto::kClaims; }

}  // namespace speclab
