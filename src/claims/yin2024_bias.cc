// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 4: the trade of rejections against bias.
#include <fmt/format.h>

#include "claims/optimum.h"
#include "claims/yin2024_rules.h"
#include "theory/yin2024.h"

namespace speclab {
namespace {

constexpr std::string_view kOneToken = "one token, 0 <= b <= 1, sum (1 - b) d > 0";
constexpr std::string_view kOver = "one token, b >= min(1, t/d), sum (1 - b) d > 0";
constexpr BatteryShape kBattery{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};
constexpr SearchSpace kFew{.tokens = 3, .gammas = 1, .denominator = 3};
constexpr SearchSpace kMany{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}};
/// The slacks of the verifier biased(eps) that stand for the class.
constexpr std::array kSlacks{"0", "1/10", "1/4"};

/// One token of biased(eps).
Answer biased(const Instance& instance, std::string_view slack, std::string_view residual) {
  return exact_answer(fmt::format("biased(eps={},residual={})", slack, residual), instance, 1);
}

/// TV(d, t) of a memoryless pair.
Rational distance(const Instance& instance) {
  return total_variation(instance.rows->draft(0), instance.rows->target(0));
}

/// 1 - the least TV over all P: couplings of what is emitted (an accepted x, or a correction that
/// may be any token) with the target's token, worth 1 where they agree.
LinearProgram overlap_program(const Rule& rule) {
  LinearProgram program;
  const std::size_t size = rule.target.size();
  std::vector<std::size_t> sources;  // tokens accepted; `size` for a correction
  for (std::size_t x = 0; x < size; ++x) {
    if (rule.kept(x) > 0) sources.push_back(x);
  }
  if (rule.rejected() > 0) sources.push_back(size);
  program.law_rows = sources.size();
  for (const std::size_t x : sources) {
    program.totals.push_back(x < size ? rule.kept(x) : rule.rejected());
  }
  for (const Rational& mass : rule.target) program.totals.push_back(mass);
  for (std::size_t row = 0; row < sources.size(); ++row) {
    for (std::size_t y = 0; y < size; ++y) {
      program.columns.push_back({Rational(sources[row] == y || sources[row] == size ? 1 : 0),
                                 {{row, Rational(1)}, {sources.size() + y, Rational(1)}}});
    }
  }
  return program;
}

Comparisons certified_loss(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [](const Rule& rule, Comparisons& comparisons) {
    comparisons.push_back(
        {fmt::format("certified least TV over all P at {} against Loss*", rule.text()),
         1 - certify(overlap_program(rule)).bound, Order::equal, rule.formula()});
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
           biased(instance, slack, residual).fraction(QuantityId::tv_to_target),
           residual == "optimal" ? Order::equal : Order::at_least, least});
    }
  }
  return comparisons;
}

constexpr ClaimRow kValue{
    .id = "yin2024.theorem4.value",
    .source = "yin2024 Theorem 4, optimal value",
    .statement = "min_P TV(b d + P sum (1 - b) d, t) = (1/2) sum |t - b d| - (1/2) sum (1 - b) d",
    .hypotheses = kOneToken,
    .check = certified_loss,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = {2, 4, 6}},
               Place(kBattery).with(of_verifiers)},
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

/// Calls visit(law) for the laws with probabilities of this denominator.
template <class Visit>
void each_law(std::size_t tokens, int denominator, const Visit& visit) {
  std::vector<Rational> law(tokens, Rational(0));
  const auto choose = [&](const auto& self, std::size_t x, int left) -> void {
    if (x + 1 == tokens) {
      law[x] = Rational(left, denominator);
      return visit(law);
    }
    for (int part = 0; part <= left; ++part) {
      law[x] = Rational(part, denominator);
      self(self, x + 1, left - part);
    }
  };
  choose(choose, 0, denominator);
}

/// P attains Loss* if and only if it is 0 where A < 0 and at most A elsewhere.
Comparisons set_of_optima(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [](const Rule& rule, Comparisons& comparisons) {
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
};

Comparisons unbiased(const Instance& instance) {
  return for_rules(instance, RuleRange::under, [](const Rule& rule, Comparisons& comparisons) {
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
};

/// Whether b exceeds min(1, t/d) at a token that is drafted.
bool exceeds(const Rule& rule) {
  for (std::size_t x = 0; x < rule.accept.size(); ++x) {
    if (rule.draft[x] > 0 && rule.accept[x] > rule.threshold(x)) return true;
  }
  return false;
}

Comparisons bias(const Instance& instance) {
  return for_rules(instance, RuleRange::over, [](const Rule& rule, Comparisons& comparisons) {
    if (!exceeds(rule)) return;
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
};

/// Two optimal laws that differ, for every b that exceeds the threshold and for which A > 0 at this
/// many tokens or more.
Comparisons multiple_optima(const Instance& instance, int least_positive) {
  return for_rules(instance, RuleRange::over, [&](const Rule& rule, Comparisons& comparisons) {
    if (!exceeds(rule)) return;
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
};

/// [t - d]+ normalised attains Loss*.
Comparisons standard_residual(const Instance& instance) {
  return for_rules(instance, RuleRange::over, [](const Rule& rule, Comparisons& comparisons) {
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
         biased(instance, slack, "standard").fraction(QuantityId::tv_to_target), Order::equal,
         biased(instance, slack, "optimal").fraction(QuantityId::tv_to_target)});
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
};

Comparisons theorem5(const Instance& instance) {
  Comparisons comparisons;
  each_rule(instance, RuleRange::over, [&](const Rule& rule) {
    comparisons.push_back({fmt::format("P(reject) + Loss* at {} against TV(d, t)", rule.text()),
                           rule.rejected() + rule.formula(), Order::equal, distance(instance)});
  });
  for (const std::string_view slack : kSlacks) {
    const auto run = biased(instance, slack, "optimal");
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
};

Comparisons front_on_grid(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    comparisons.push_back({fmt::format("P(reject) + Loss* at {} against TV(d, t)", rule.text()),
                           rule.rejected() + rule.formula(), Order::at_least, distance(instance)});
  });
}

/// No member of the class lies below the line. Over all b and P at once: a coupling of the draft
/// and the target's token, in which P(accept) and P(emitted = target's token) each count; a column
/// (x, y) is worth 2 at x = y (accepted, and right) and 1 elsewhere (one of the two).
Comparisons front_certified(const Instance& instance) {
  LinearProgram program = position_program(instance.rows->draft(0), instance.rows->target(0), 1);
  for (auto& column : program.columns) column.reward += 1;
  return {{"certified least P(reject) + TV over all b, P against TV(d, t)",
           2 - certify(program).bound, Order::at_least, distance(instance)}};
}

constexpr ClaimRow kFront{
    .id = "yin2024.theorem5.front",
    .source = "yin2024 section 4.1, Pareto front",
    .statement = "P(reject) + TV(output, t) >= TV(d, t) for every b and P",
    .hypotheses = "one token",
    .check = front_on_grid,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = {4, 6, 8}},
               Place(kBattery).with(front_certified)},
};

constexpr ClaimRow kClaims[] = {kValue,    kSet,      kUnbiased, kBias,
                                kMultiple, kStandard, kTheorem5, kFront};

}  // namespace

Claims yin2024_bias_claims() { return kClaims; }

}  // namespace speclab
