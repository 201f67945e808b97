// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 4 and appendices E to G: the front of rejections and bias, the two options of the
// experiment, several tokens.
#include <fmt/format.h>

#include <memory>

#include "claims/engine/ingredient.h"
#include "claims/papers/yin2024/rules.h"
#include "model/listed_tree.h"
#include "theory/yin2024.h"

namespace speclab {
namespace yin2024_pareto {
namespace {

constexpr std::string_view kOver = "one token, b >= min(1, t/d), sum (1 - b) d > 0";
constexpr BatteryShape kBattery{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};
constexpr SearchSpace kFew{.tokens = 3, .gammas = 1, .denominator = 3};
constexpr SearchSpace kMany{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}};

Comparisons theorem5(const Instance& instance) {
  Comparisons comparisons;
  each_rule(instance, RuleRange::over, [&](const Rule& rule) {
    comparisons.push_back({fmt::format("P(reject) + Loss* at {} against TV(d, t)", rule.text()),
                           rule.rejected() + rule.formula(), Order::equal, distance(instance)});
  });
  for (const std::string_view slack : kSlacks) {
    const auto run = biased_token(instance, slack, "optimal");
    comparisons.push_back(
        {fmt::format("P(reject) + TV of one token of biased(eps={}) against TV(d, t)", slack),
         run.fraction(QuantityId::rejections) + run.fraction(QuantityId::tv_to_target),
         Order::equal, distance(instance)});
  }
  return comparisons;
}

constexpr ClaimRow kTheorem5{
    .id = "yin2024.theorem5",
    .source = "yin2024 Theorem 5",
    .statement = "P(reject) + Loss* = TV(d, t) for every b >= min(1, t/d)",
    .hypotheses = "one token",
    .check = theorem5,
    .places = {kMany, kBattery},
    .bites = {{{"yin2024.theorem4.formula", Fault::halved},
               {"biased", Fault::replaced, "biased(eps=1/4,residual=target)"}}},
};

Comparisons front_on_grid(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    comparisons.push_back({fmt::format("P(reject) + Loss* at {} against TV(d, t)", rule.text()),
                           rule.rejected() + rule.formula(), Order::at_least, distance(instance)});
  });
}

/// No member of the class lies below the line and one lies on it. Over all b and P: a coupling of
/// the draft and the target's token, in which P(accept) and P(emitted = target's token) each count;
/// a column (x, y) is worth 2 at x = y (accepted, and right) and 1 elsewhere (one of the two).
Comparisons front_certified(const Instance& instance) {
  LinearProgram program = position_program(instance.rows->draft(0), instance.rows->target(0), 1);
  for (auto& column : program.columns) column.reward += 1;
  return {{"certified least P(reject) + TV over all b, P against TV(d, t)",
           2 - ingredient("yin2024.front.program", certify(program).bound), Order::equal,
           distance(instance)}};
}

constexpr ClaimRow kFront{
    .id = "yin2024.theorem5.front",
    .source = "yin2024 section 4.1, Pareto front",
    .statement = "P(reject) + TV(output, t) >= TV(d, t) for every b and P",
    .hypotheses = "one token",
    .check = front_on_grid,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = {4, 6, 8}},
               Place(kBattery).with(front_certified)},
    .bites = {{{"yin2024.front.program", Fault::zeroed},
               {"yin2024.theorem4.formula", Fault::lowered}}},
};

/// The loss of P := t, where b exceeds min(1, t/d).
Comparisons baseline(const Instance& instance) {
  return for_rejecting(instance, RuleRange::over, [](const Rule& rule, Comparisons& comparisons) {
    if (!rule.exceeds()) return;
    const std::vector<Rational> law(rule.target.begin(), rule.target.end());
    comparisons.push_back({fmt::format("TV at {}, P = t, against Loss*", rule.text()),
                           rule.loss(law), Order::above, rule.formula()});
  });
}

/// P := t attains Loss* if and only if it is in the set of Theorem 4.
Comparisons baseline_when(const Instance& instance) {
  return for_rejecting(instance, RuleRange::over, [](const Rule& rule, Comparisons& comparisons) {
    if (!rule.exceeds()) return;
    const std::vector<Rational> law(rule.target.begin(), rule.target.end());
    const auto wanted = rule.wanted();
    bool inside = true;
    for (std::size_t x = 0; x < law.size(); ++x) {
      inside = inside && law[x] <= positive_part(wanted[x]);
    }
    comparisons.push_back({fmt::format("TV at {}, P = t, {} the set, against Loss*", rule.text(),
                                       inside ? "in" : "outside"),
                           rule.loss(law), inside ? Order::equal : Order::above, rule.formula()});
  });
}

constexpr ClaimRow kBaseline{
    .id = "yin2024.section4.2.baseline",
    .source = "yin2024 section 4.2, appendix G (Decoding-UNO)",
    .statement = "P := t is suboptimal: TV > Loss* where b exceeds min(1, t/d)",
    .hypotheses = kOver,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = baseline,
    .places = {kFew},
    .correction = {"unless t = 0 where A < 0 and t <= A elsewhere: then P := t is an optimum",
                   baseline_when,
                   {kMany, kBattery}},
    .bites = {{{"yin2024.theorem4.A", Fault::zeroed}, {"yin2024.theorem4.formula", Fault::raised}}},
};

/// b = min(1, (t + eps) / d) as a rule.
Rule slack_rule(const Instance& instance, const Rational& eps) {
  Rule rule{instance.rows->draft(0), instance.rows->target(0), {}};
  for (std::size_t x = 0; x < rule.draft.size(); ++x) {
    const Rational raised = rule.target[x] + eps;
    rule.accept.push_back(raised < rule.draft[x] ? Rational(raised / rule.draft[x]) : Rational(1));
  }
  return rule;
}

/// The code's clamp, its sum, and its P* = [A]+ normalised.
Comparisons clamped(const Instance& instance) {
  Comparisons comparisons;
  if (!instance.pair().memoryless()) return comparisons;
  for (const std::string_view slack : kSlacks) {
    const Rational eps = parse_rational(slack);
    const Rule rule = slack_rule(instance, eps);
    if (rule.rejected() == 0) continue;
    std::vector<Rational> law;
    Rational sum(0), positive(0);
    for (std::size_t x = 0; x < rule.draft.size(); ++x) {
      const Rational gap = rule.target[x] - rule.draft[x];
      law.push_back(gap < -eps ? Rational(-eps) : gap);
      sum += law.back();
    }
    law = ingredient("yin2024.appendixG.clamp", std::move(law));
    const auto wanted = rule.wanted();
    for (std::size_t x = 0; x < law.size(); ++x) {
      law[x] /= sum;
      comparisons.push_back(
          {fmt::format("max(t - d, -eps) / sum at token {}, eps={}, against A", x, slack), law[x],
           Order::equal, wanted[x]});
      law[x] = positive_part(law[x]);
      positive += law[x];
    }
    for (Rational& mass : law) mass /= positive;
    comparisons.push_back({fmt::format("TV of P = [A]+ normalised, eps={}, against Loss*", slack),
                           rule.loss(law), Order::equal, rule.formula()});
  }
  return comparisons;
}

constexpr ClaimRow kClamped{
    .id = "yin2024.appendixG.residual",
    .source = "yin2024 appendix G, implementation detail of Table 1",
    .statement = "A = max(t - d, -eps) / sum max(t - d, -eps) and P* = [A]+ normalised is optimal",
    .hypotheses = "one token, b = min(1, (t + eps) / d), sum (1 - b) d > 0",
    .check = clamped,
    .places = {kMany, kBattery},
    .bites = {{{"yin2024.appendixG.clamp", Fault::raised},
               {"yin2024.theorem4.formula", Fault::lowered}}},
};

/// b = 0 at the root, where the models agree; b = 1 after it. After token 0 the draft misses the
/// target altogether, after token 1 by half.
Instance two_tokens() {
  const auto law = [](int first, int whole) {
    return std::vector<Rational>{Rational(first, whole), Rational(whole - first, whole)};
  };
  return name_instance(
      std::make_shared<ListedTreePair>(
          2, ListedLaws{{{}, law(1, 2)}, {{0}, law(1, 1)}, {{1}, law(3, 4)}},
          ListedLaws{{{}, law(1, 2)}, {{0}, law(0, 1)}, {{1}, law(1, 4)}}),
      "tree: draft 1/2; 1 after 0, 3/4 after 1; target 1/2; 0 after 0, 1/4 after 1", 2);
}

/// TV of both tokens with this law of the correction at the root.
Rational joint_loss(const Instance& instance, const std::vector<Rational>& correction) {
  const auto fates = run_algorithm2(
      instance, [&](std::span<const Rational>, std::span<const Rational>, const TokenPath& before) {
        const std::vector<Rational> accept(2, Rational(before.empty() ? 0 : 1));
        return Design{accept, correction};
      });
  return fates.bias(instance, instance.gamma);
}

Comparisons stepwise_optimum(const Instance& instance) {
  const auto target = instance.rows->target(instance.pair().start().front().state);
  const Rule root{instance.rows->draft(instance.pair().start().front().state),
                  target,
                  {Rational(0), Rational(0)}};
  return {{"TV of 2 tokens, b = 0 then 1, P at the root by Theorem 4, against P = (0,1)",
           joint_loss(instance, root.wanted()), Order::above,
           joint_loss(instance, ingredient("yin2024.remark6.P", std::vector<Rational>{0, 1}))}};
}

/// The optimum of every position loses at most the sum of the positions' losses, and at least the
/// first position's.
Comparisons stepwise_bounds(const Instance& instance) {
  const Rational eps(1, 4);
  const auto at = [&](const TokenPath& before, State start) {
    State state = start;
    for (const Token x : before) state = instance.rows->next(state, x);
    return ingredient("yin2024.remark6.loss",
                      least_loss(instance.rows->draft(state), instance.rows->target(state), eps));
  };
  const Fates fates = run_algorithm2(
      instance,
      [&](std::span<const Rational> draft, std::span<const Rational> target, const TokenPath&) {
        Design design;
        for (std::size_t x = 0; x < draft.size(); ++x) {
          const Rational kept = lesser<Rational>(draft[x], target[x] + eps);
          design.accept.push_back(draft[x] > 0 ? Rational(kept / draft[x]) : Rational(1));
          design.correction.push_back(positive_part<Rational>(target[x] - kept));
        }
        return design;
      });
  Rational first(0);
  for (const Start& start : instance.pair().start()) {
    first += start.probability * at({}, start.state);
  }
  Rational sum = first;
  for (const auto& [key, fate] : fates.paths) {
    if (static_cast<int>(key.second.size()) < instance.gamma) {
      sum += fate.reached() * at(key.second, key.first);
    }
  }
  const Rational joint = fates.bias(instance, instance.gamma);
  return {{"TV of T = gamma tokens, eps=1/4, against the first position's Loss*", joint,
           Order::at_least, first},
          {"the same against the sum of all positions' Loss*", joint, Order::at_most, sum}};
}

constexpr Family kTwoTokens{"two tokens after a tree's root, b = 0 then 1",
                            [](Effort) { return std::vector<Instance>{two_tokens()}; }};

constexpr ClaimRow kRemark6{
    .id = "yin2024.remark6",
    .source = "yin2024 Remark 6, equation (27)",
    .statement =
        "the optimum over P_1 .. P_T of the TV of all T tokens is no matter of single "
        "tokens: Theorem 4's P at every position can lose more",
    .hypotheses = "b_1 .. b_T given, T = 2; it loses between the first and the sum of all Loss*",
    .check = stepwise_optimum,
    .places = {kTwoTokens, Place(BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 6, 20}})
                               .with(stepwise_bounds)},
    .bites = {{{"yin2024.remark6.P", Fault::levelled},
               {"yin2024.remark6.loss", Fault::zeroed},
               {"yin2024.remark6.loss", Fault::raised}}},
};

constexpr ClaimRow kClaims[] = {kTheorem5, kFront, kBaseline, kClamped, kRemark6};

}  // namespace
}  // namespace yin2024_pareto

Claims yin2024_pareto_claims() { return yin2024_pareto::kClaims; }

}  // namespace speclab
