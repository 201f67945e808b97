// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 4: the trade of rejections against bias.
#include <fmt/format.h>

#include "claims/papers/yin2024/rules.h"
#include "theory/yin2024.h"

namespace speclab {
namespace yin2024_bias {
namespace {

constexpr std::string_view kOneToken = "one token, 0 <= b <= 1, sum (1 - b) d > 0";
constexpr std::string_view kOver = "one token, b >= min(1, t/d), sum (1 - b) d > 0";
constexpr BatteryShape kBattery{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};
constexpr SearchSpace kFew{.tokens = 3, .gammas = 1, .denominator = 3};
constexpr SearchSpace kMany{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}};
/// Loss*, as printed with b and with epsilon (Remark 5, equation (24)), against its certificate.
Comparisons certified_loss(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [](const Rule& rule, Comparisons& comparisons) {
    const Rational least = rule.certified();
    comparisons.push_back({fmt::format("certified least TV over all P at {} against Loss*",  //
                                       rule.text()),
                           least, Order::equal, rule.formula()});
    Rational gap(0), over(0), left(0);
    for (std::size_t x = 0; x < rule.accept.size(); ++x) {
      const Rational kept = lesser<Rational>(rule.draft[x], rule.target[x] + rule.epsilon(x));
      gap += abs(rule.target[x] - kept);
      left += rule.target[x] - kept;
      over += positive_part<Rational>(rule.draft[x] - rule.target[x] - rule.epsilon(x));
    }
    comparisons.push_back({fmt::format("the same against Loss* with epsilon at {}", rule.text()),
                           least, Order::equal, (gap - over) / 2});
    comparisons.push_back({fmt::format("sum of t - min(d, t + epsilon) at {} against sum of [d - t "
                                       "- epsilon]+",
                                       rule.text()),
                           left, Order::equal, over});
  });
}

/// The verifier whose corrections are optimal, and the others never better.
Comparisons of_verifiers(const Instance& instance) {
  Comparisons comparisons;
  for (const std::string_view slack : kSlacks) {
    const Rational least =
        least_loss(instance.rows->draft(0), instance.rows->target(0), parse_rational(slack));
    for (const std::string_view residual : {"optimal", "target", "draft"}) {
      comparisons.push_back(
          {fmt::format("TV of one token of biased(eps={},residual={}) against Loss*", slack,
                       residual),
           biased_token(instance, slack, residual).fraction(QuantityId::tv_to_target),
           residual == "optimal" ? Order::equal : Order::at_least, least});
    }
  }
  return comparisons;
}

constexpr ClaimRow kValue{
    .id = "yin2024.theorem4.value",
    .source = "yin2024 Theorem 4, optimal value",
    .statement = "min_P TV(b d + P sum (1 - b) d, t) = (1/2) sum |t - b d| - (1/2) sum (1 - b) d",
    .hypotheses = "one token, 0 <= b <= 1; where sum (1 - b) d = 0 too: there it is TV(d, t)",
    .check = certified_loss,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = {2, 4, 6}}, kBattery,
               Place(kBattery).with(of_verifiers)},
    .bites = {{{"yin2024.theorem4.formula", Fault::constant},
               {"yin2024.theorem4.program", Fault::halved},
               {"yin2024.lemma1.epsilon", Fault::raised},
               {"biased", Fault::replaced, "lenient(l=1/2)"}}},
};

/// No P matters where nothing is rejected: every law of the correction has the loss TV(d, t).
Comparisons never_rejecting(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    if (rule.rejected() > 0) return;
    const Rational all = distance(instance);
    comparisons.push_back(
        {fmt::format("Loss* at {}, which never rejects, against TV(d, t)", rule.text()),
         rule.formula(), Order::equal, all});
    comparisons.push_back(
        {fmt::format("certified least TV over all P at {} against TV(d, t)", rule.text()),
         rule.certified(), Order::equal, all});
    each_law(rule.draft.size(), 2, [&](const std::vector<Rational>& law) {
      comparisons.push_back({fmt::format("TV at {} with any P against TV(d, t)", rule.text()),
                             rule.loss(law), Order::equal, all});
    });
  });
}

constexpr ClaimRow kNeverRejecting{
    .id = "yin2024.theorem4.never-rejecting",
    .source = "yin2024 appendix E.1, before Theorem 10",
    .statement = "where sum (1 - b) d = 0 the objective is the constant TV(d, t), whatever P is",
    .hypotheses = "one token",
    .check = never_rejecting,
    .places = {kFew, kBattery},
    .bites = {{{"yin2024.theorem4.formula", Fault::raised},
               {"yin2024.theorem4.program", Fault::zeroed}}},
};

/// The points of the set of Theorem 4 that put as much as they may on the first tokens, or on the
/// last: they are one point only where the set is.
std::vector<Rational> filled(const std::vector<Rational>& wanted, bool forwards) {
  std::vector<Rational> law(wanted.size(), Rational(0));
  Rational left(1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t x = forwards ? i : wanted.size() - 1 - i;
    law[x] = lesser<Rational>(left, positive_part(wanted[x]));
    left -= law[x];
  }
  return law;
}

/// P attains Loss* if and only if it is 0 where A < 0 and at most A elsewhere.
Comparisons set_of_optima(const Instance& instance) {
  return for_rejecting(instance, RuleRange::all, [](const Rule& rule, Comparisons& comparisons) {
    const auto wanted = rule.wanted();
    const Rational least = rule.formula();
    const auto look = [&](const std::vector<Rational>& law) {
      bool inside = true;
      for (std::size_t x = 0; x < law.size(); ++x) {
        inside = inside && law[x] <= positive_part(wanted[x]);
      }
      std::string text;
      for (const Rational& mass : law) text += (text.empty() ? "" : ",") + to_text(mass);
      comparisons.push_back({fmt::format("TV at {}, P=({}), {} the set, against Loss*", rule.text(),
                                         text, inside ? "in" : "outside"),
                             rule.loss(law), inside ? Order::equal : Order::above, least});
    };
    look(filled(wanted, true));
    look(filled(wanted, false));
    each_law(wanted.size(), 3, look);
  });
}

constexpr ClaimRow kSet{
    .id = "yin2024.theorem4.set",
    .source = "yin2024 Theorem 4, set of optima",
    .statement =
        "P is optimal if and only if P = 0 where A < 0 and 0 <= P <= A elsewhere, A = (t "
        "- b d) / sum (1 - b) d",
    .hypotheses = kOneToken,
    .check = set_of_optima,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 3},
               BatteryShape{.tokens = {2, 3, 3}, .gammas = 1, .random = 0, .contexts = false}},
    .bites = {{{"yin2024.theorem4.formula", Fault::raised},
               {"yin2024.theorem4.A", Fault::levelled}}},
};

Comparisons unbiased(const Instance& instance) {
  return for_rejecting(instance, RuleRange::under, [](const Rule& rule, Comparisons& comparisons) {
    for (const Rational& mass : rule.wanted()) {
      comparisons.push_back(
          {fmt::format("A at {}", rule.text()), mass, Order::at_least, Rational(0)});
    }
    comparisons.push_back({fmt::format("Loss* at {}, P = A", rule.text()), rule.loss(rule.wanted()),
                           Order::equal, Rational(0)});
  });
}

constexpr ClaimRow kUnbiased{
    .id = "yin2024.theorem4.unbiased",
    .source = "yin2024 section 4.1 after Theorem 4, case 1",
    .statement = "A is a law and Loss* = 0",
    .hypotheses = "one token, b <= min(1, t/d), sum (1 - b) d > 0",
    .check = unbiased,
    .places = {kFew, kBattery},
    .bites = {{{"yin2024.theorem4.A", Fault::levelled}}},
};

Comparisons bias(const Instance& instance) {
  return for_rejecting(instance, RuleRange::over, [](const Rule& rule, Comparisons& comparisons) {
    if (!rule.exceeds()) return;
    comparisons.push_back(
        {fmt::format("Loss* at {}", rule.text()), rule.formula(), Order::above, Rational(0)});
  });
}

constexpr ClaimRow kBias{
    .id = "yin2024.theorem4.bias",
    .source = "yin2024 section 4.1 after Theorem 4, case 2",
    .statement = "Loss* > 0 where b exceeds min(1, t/d)",
    .hypotheses = kOver,
    .check = bias,
    .places = {kFew, kBattery},
    .bites = {{{"yin2024.theorem4.formula", Fault::zeroed}}},
};

/// Two optimal laws that differ, for every b that exceeds the threshold and for which A > 0 at this
/// many tokens or more.
Comparisons multiple_optima(const Instance& instance, int least_positive) {
  return for_rejecting(instance, RuleRange::over, [&](const Rule& rule, Comparisons& comparisons) {
    if (!rule.exceeds()) return;
    const auto wanted = rule.wanted();
    int positive = 0;
    for (const Rational& mass : wanted) positive += mass > 0 ? 1 : 0;
    if (positive < least_positive) return;
    const auto first = filled(wanted, true);
    const auto last = filled(wanted, false);
    comparisons.push_back({fmt::format("largest TV between optimal P at {}", rule.text()),
                           total_variation<Rational>(first, last), Order::above, Rational(0)});
    comparisons.push_back({fmt::format("TV at {} of the first of them against Loss*", rule.text()),
                           rule.loss(first), Order::equal, rule.formula()});
    comparisons.push_back({fmt::format("TV at {} of the last of them against Loss*", rule.text()),
                           rule.loss(last), Order::equal, rule.formula()});
  });
}

constexpr Filter kEveryToken{"the target gives every token a chance", [](const Instance& instance) {
                               const auto target = instance.rows->target(0);
                               return std::none_of(target.begin(), target.end(),
                                                   [](const Rational& p) { return p == 0; });
                             }};

constexpr ClaimRow kMultiple{
    .id = "yin2024.theorem4.multiple",
    .source = "yin2024 section 4.1 after Theorem 4, case 2",
    .statement = "there are multiple optimal P where b exceeds min(1, t/d)",
    .hypotheses = kOver,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return multiple_optima(instance, 0); },
    .places = {kFew, Place(kFew).only(kEveryToken)},
    .correction = {"where A > 0 at two tokens or more; at one token P is that token",
                   [](const Instance& instance) { return multiple_optima(instance, 2); },
                   {kMany, kBattery}},
    .bites = {{{"yin2024.theorem4.formula", Fault::raised}}},
};

/// [t - d]+ normalised attains Loss*.
Comparisons standard_residual(const Instance& instance) {
  return for_rejecting(instance, RuleRange::over, [](const Rule& rule, Comparisons& comparisons) {
    const Rational mass = total_variation(rule.target, rule.draft);
    std::vector<Rational> law;
    for (std::size_t x = 0; x < rule.draft.size(); ++x) {
      law.push_back(positive_part<Rational>(rule.target[x] - rule.draft[x]) / mass);
    }
    comparisons.push_back({fmt::format("TV at {}, P = [t - d]+, against Loss*", rule.text()),
                           rule.loss(law), Order::equal, rule.formula()});
  });
}

Comparisons standard_verifier(const Instance& instance) {
  Comparisons comparisons;
  for (const std::string_view slack : kSlacks) {
    comparisons.push_back(
        {fmt::format("TV of biased(eps={}), standard against optimal residual", slack),
         biased_token(instance, slack, "standard").fraction(QuantityId::tv_to_target), Order::equal,
         biased_token(instance, slack, "optimal").fraction(QuantityId::tv_to_target)});
  }
  return comparisons;
}

constexpr ClaimRow kStandard{
    .id = "yin2024.theorem4.standard",
    .source = "yin2024 appendix G, footnote 10, made precise",
    .statement = "[t - d]+ normalised is an optimal P for every b >= min(1, t/d)",
    .hypotheses = kOver,
    .check = standard_residual,
    .places = {kMany, Place(kBattery).with(standard_verifier)},
    .bites = {{{"yin2024.theorem4.formula", Fault::lowered}}},
};

constexpr ClaimRow kClaims[] = {kValue, kNeverRejecting, kSet,     kUnbiased,
                                kBias,  kMultiple,       kStandard};

}  // namespace
}  // namespace yin2024_bias

Claims yin2024_bias_claims() { return yin2024_bias::kClaims; }

}  // namespace speclab
