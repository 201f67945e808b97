// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 4: the trade of rejections against bias.
#include <algorithm>

#include "claims/battery/small_pairs.h"
#include "claims/papers/yin2024/rules.h"
#include "theory/yin2024.h"

namespace speclab {
namespace yin2024_bias {
namespace {

constexpr std::string_view kOneToken = "one token, 0 <= b <= 1, sum (1 - b) d > 0";

/// Loss*, as printed with b and with epsilon (Remark 5, equation (24)), against its certificate.
Comparisons certified_loss(const Instance& at) {
  return for_rules(at, RuleRange::all, [](const Rule& rule, Comparisons& says) {
    const Rational least = rule.certified();
    says.equal(least, rule.formula(), "certified least TV over all P at {} against Loss*", rule);
    Rational gap(0), left(0);
    for (std::size_t x = 0; x < rule.size(); ++x) {
      gap += abs(rule.target[x] - rule.kept_by_epsilon(x));
      left += rule.target[x] - rule.kept_by_epsilon(x);
    }
    const Rational over = rule.rejected_by_epsilon();
    says.equal(least, (gap - over) / 2, "the same against Loss* with epsilon at {}", rule);
    says.equal(left, over, "sum of t - min(d, t + epsilon) at {} against sum of [d - t - epsilon]+",
               rule);
  });
}

/// The verifier whose corrections are optimal, and the others never better.
Comparisons of_verifiers(const Instance& at) {
  Comparisons says;
  for (const std::string_view slack : kSlacks) {
    const Rational least = least_loss(at.draft(), at.target(), parse_rational(slack));
    for (const std::string_view residual : {"optimal", "target", "draft"}) {
      says.add(biased_token(at, slack, residual).fraction(QuantityId::tv_to_target),
               residual == "optimal" ? Order::equal : Order::at_least, least,
               "TV of one token of biased(eps={},residual={}) against Loss*", slack, residual);
    }
  }
  return says;
}

constexpr ClaimRow kValue{
    .id = "yin2024.theorem4.value",
    .source = "yin2024 Theorem 4, optimal value",
    .statement = "min_P TV(b d + P sum (1 - b) d, t) = (1/2) sum |t - b d| - (1/2) sum (1 - b) d",
    .hypotheses = "one token, 0 <= b <= 1; where sum (1 - b) d = 0 too: there it is TV(d, t)",
    .check = certified_loss,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = {2, 4, 6}}, kTokenBattery,
               Place(kTokenBattery).with(of_verifiers)},
    .bites = {{constant("yin2024.theorem4.formula"), halved("yin2024.theorem4.program"),
               raised("yin2024.lemma1.epsilon"), replaced("biased", "lenient(l=1/2)")}},
};

/// No P matters where nothing is rejected: every law of the correction has the loss TV(d, t).
Comparisons never_rejecting(const Instance& at) {
  const Rational all = distance(at);
  return for_rules(at, RuleRange::all, [&](const Rule& rule, Comparisons& says) {
    if (rule.rejected() > 0) return;
    says.equal(rule.formula(), all, "Loss* at {}, which never rejects, against TV(d, t)", rule);
    says.equal(rule.certified(), all, "certified least TV over all P at {} against TV(d, t)", rule);
    for (const Rule::Law& law : laws_of(rule.size(), 2)) {
      says.equal(rule.loss(law), all, "TV at {} with any P against TV(d, t)", rule);
    }
  });
}

constexpr ClaimRow kNeverRejecting{
    .id = "yin2024.theorem4.never-rejecting",
    .source = "yin2024 appendix E.1, before Theorem 10",
    .statement = "where sum (1 - b) d = 0 the objective is the constant TV(d, t), whatever P is",
    .hypotheses = "one token",
    .check = never_rejecting,
    .places = {kFewLaws, kTokenBattery},
    .bites = {{raised("yin2024.theorem4.formula"), zeroed("yin2024.theorem4.program")}},
};

/// The points of the set of Theorem 4 that put as much as they may on the first tokens, or on the
/// last: they are one point only where the set is.
Rule::Law filled(const Rule::Law& wanted, bool forwards) {
  Rule::Law law(wanted.size());
  Rational left(1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t x = forwards ? i : wanted.size() - 1 - i;
    law[x] = lesser<Rational>(left, positive_part(wanted[x]));
    left -= law[x];
  }
  return law;
}

/// P attains Loss* if and only if it is 0 where A < 0 and at most A elsewhere.
Comparisons set_of_optima(const Instance& at) {
  return for_rejecting(at, RuleRange::all, [](const Rule& rule, Comparisons& says) {
    const Rule::Law wanted = rule.wanted();
    std::vector<Rule::Law> laws = laws_of(rule.size(), 3);
    laws.insert(laws.begin(), {filled(wanted, true), filled(wanted, false)});
    for (const Rule::Law& law : laws) {
      const bool inside = rule.optimal(law);
      says.add(rule.loss(law), inside ? Order::equal : Order::above, rule.formula(),
               "TV at {}, P={}, {} the set, against Loss*", rule, law_text(law),
               inside ? "in" : "outside");
    }
  });
}

constexpr ClaimRow kSet{
    .id = "yin2024.theorem4.set",
    .source = "yin2024 Theorem 4, set of optima",
    .statement =
        "P is optimal if and only if P = 0 where A < 0 and 0 <= P <= A elsewhere, A = (t - b d) / "
        "sum (1 - b) d",
    .hypotheses = kOneToken,
    .check = set_of_optima,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 3},
               BatteryShape{.tokens = {2, 3, 3}, .gammas = 1, .random = 0, .contexts = false}},
    .bites = {{raised("yin2024.theorem4.formula"), levelled("yin2024.theorem4.A")}},
};

Comparisons unbiased(const Instance& at) {
  return for_rejecting(at, RuleRange::under, [](const Rule& rule, Comparisons& says) {
    for (const Rational& mass : rule.wanted()) says.at_least(mass, 0, "A at {}", rule);
    says.equal(rule.loss(rule.wanted()), 0, "Loss* at {}, P = A", rule);
  });
}

constexpr ClaimRow kUnbiased{
    .id = "yin2024.theorem4.unbiased",
    .source = "yin2024 section 4.1 after Theorem 4, case 1",
    .statement = "A is a law and Loss* = 0",
    .hypotheses = "one token, b <= min(1, t/d), sum (1 - b) d > 0",
    .check = unbiased,
    .places = {kFewLaws, kTokenBattery},
    .bites = {{levelled("yin2024.theorem4.A")}},
};

Comparisons bias(const Instance& at) {
  return for_rejecting(at, RuleRange::over, [](const Rule& rule, Comparisons& says) {
    if (rule.exceeds()) says.above(rule.formula(), 0, "Loss* at {}", rule);
  });
}

constexpr ClaimRow kBias{
    .id = "yin2024.theorem4.bias",
    .source = "yin2024 section 4.1 after Theorem 4, case 2",
    .statement = "Loss* > 0 where b exceeds min(1, t/d)",
    .hypotheses = kOverThreshold,
    .check = bias,
    .places = {kFewLaws, kTokenBattery},
    .bites = {{zeroed("yin2024.theorem4.formula")}},
};

/// Two optimal laws that differ, for every b that exceeds the threshold and for which A > 0 at this
/// many tokens or more.
Comparisons multiple_optima(const Instance& at, int least_positive) {
  return for_rejecting(at, RuleRange::over, [&](const Rule& rule, Comparisons& says) {
    const Rule::Law wanted = rule.wanted();
    const auto positive =
        std::count_if(wanted.begin(), wanted.end(), [](const Rational& mass) { return mass > 0; });
    if (!rule.exceeds() || positive < least_positive) return;
    const Rule::Law first = filled(wanted, true), last = filled(wanted, false);
    says.above(total_variation<Rational>(first, last), 0, "largest TV between optimal P at {}",
               rule);
    says.equal(rule.loss(first), rule.formula(), "TV at {} of the first of them against Loss*",
               rule);
    says.equal(rule.loss(last), rule.formula(), "TV at {} of the last of them against Loss*", rule);
  });
}

constexpr Filter kEveryToken{"the target gives every token a chance", [](const Instance& at) {
                               const auto target = at.target();
                               return std::all_of(target.begin(), target.end(),
                                                  [](const Rational& p) { return p > 0; });
                             }};

constexpr ClaimRow kMultiple{
    .id = "yin2024.theorem4.multiple",
    .source = "yin2024 section 4.1 after Theorem 4, case 2",
    .statement = "there are multiple optimal P where b exceeds min(1, t/d)",
    .hypotheses = kOverThreshold,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return multiple_optima(at, 0); },
    .places = {kFewLaws, Place(kFewLaws).only(kEveryToken)},
    .correction = {"where A > 0 at two tokens or more; at one token P is that token",
                   [](const Instance& at) { return multiple_optima(at, 2); },
                   {kManyLaws, kTokenBattery}},
    .bites = {{raised("yin2024.theorem4.formula")}},
};

/// [t - d]+ normalised attains Loss*.
Comparisons standard_residual(const Instance& at) {
  return for_rejecting(at, RuleRange::over, [](const Rule& rule, Comparisons& says) {
    const Rational mass = total_variation(rule.target, rule.draft);
    Rule::Law law;
    for (std::size_t x = 0; x < rule.size(); ++x) {
      law.push_back(positive_part<Rational>(rule.target[x] - rule.draft[x]) / mass);
    }
    says.equal(rule.loss(law), rule.formula(), "TV at {}, P = [t - d]+, against Loss*", rule);
  });
}

Comparisons standard_verifier(const Instance& at) {
  Comparisons says;
  for (const std::string_view slack : kSlacks) {
    says.equal(biased_token(at, slack, "standard").fraction(QuantityId::tv_to_target),
               biased_token(at, slack, "optimal").fraction(QuantityId::tv_to_target),
               "TV of biased(eps={}), standard against optimal residual", slack);
  }
  return says;
}

constexpr ClaimRow kStandard{
    .id = "yin2024.theorem4.standard",
    .source = "yin2024 appendix G, footnote 10, made precise",
    .statement = "[t - d]+ normalised is an optimal P for every b >= min(1, t/d)",
    .hypotheses = kOverThreshold,
    .check = standard_residual,
    .places = {kManyLaws, Place(kTokenBattery).with(standard_verifier)},
    .bites = {{lowered("yin2024.theorem4.formula")}},
};

constexpr ClaimRow kClaims[] = {kValue, kNeverRejecting, kSet,     kUnbiased,
                                kBias,  kMultiple,       kStandard};

}  // namespace
}  // namespace yin2024_bias

Claims yin2024_bias_claims() { return yin2024_bias::kClaims; }

}  // namespace speclab
