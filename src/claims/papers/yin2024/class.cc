// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// appendix C: the class of Algorithm 2.
#include <fmt/format.h>

#include <algorithm>

#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/rules.h"

namespace speclab {
namespace yin2024_class {
namespace {

constexpr SearchSpace kOneToken{.tokens = 2, .gammas = 1, .denominator = {3, 4, 6}};
constexpr BatteryShape kFewTokens{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};
constexpr BatteryShape kBattery{.tokens = 3, .gammas = 2, .random = {4, 8, 40}};

/// The state after a path.
State state_after(const Instance& instance, State start, const TokenPath& path) {
  State state = start;
  for (const Token x : path) state = instance.rows->next(state, x);
  return state;
}

/// Equations (11) and (14) at every path of a run: what follows x_{1:n-1} has the law b d + P sum
/// (1
/// - b) d whatever was rejected before, and R_n = 1 has the share P sum (1 - b) d of it.
void step_laws(const Instance& instance, const Fates& fates, const DesignOf& design,
               std::string_view text, Comparisons& comparisons) {
  for (const auto& [key, fate] : fates.paths) {
    const TokenPath before(key.second.begin(), key.second.end() - 1);
    const State state = state_after(instance, key.first, before);
    const auto draft = instance.rows->draft(state);
    Rational weight(0), start(0);
    for (const Start& s : instance.pair().start())
      start += s.state == key.first ? s.probability : 0;
    Design here = design(draft, instance.rows->target(state), before);
    Rule rule{draft, instance.rows->target(state), here.accept};
    for (const Rational& mass : here.correction) weight += mass;
    const Rational parent = before.empty() ? start : fates.at(key.first, before).reached();
    const auto x = static_cast<std::size_t>(key.second.back());
    const Rational corrected =
        weight > 0 ? Rational(rule.rejected() * here.correction[x] / weight) : Rational(0);
    // Equation (12): b d = min(d, t + epsilon).
    const Rational kept = ingredient("yin2024.equation14.kept",
                                     lesser<Rational>(draft[x], rule.target[x] + rule.epsilon(x)));
    comparisons.push_back({fmt::format("P(x = {}) of {} against P(before) (min(d, t + epsilon) + P "
                                       "sum (1 - b) d)",
                                       path_text(key.second), text),
                           fate.reached(), Order::equal, parent * (kept + corrected)});
    comparisons.push_back({fmt::format("P({}, R_n = 1) of {} against P(before) P sum (1 - b) d",
                                       path_text(key.second), text),
                           fate.rejected(), Order::equal, parent * corrected});
  }
}

Comparisons algorithm2(const Instance& instance) {
  Comparisons comparisons;
  const DesignOf any = arbitrary_design;
  step_laws(instance, run_algorithm2(instance, any), any, "any b and P", comparisons);
  for (const Member& member : members()) {
    const DesignOf design = member.design();
    step_laws(instance, run_algorithm2(instance, design), design, member.text, comparisons);
  }
  return comparisons;
}

/// Token verification is the member with b = min(1, t/d): the same fate of every path.
Comparisons token_is_member(const Instance& instance) {
  Comparisons comparisons;
  const Fates member = run_algorithm2(instance, members().front().design());
  const Fates token = fates_of("token", instance);
  for (const auto& [key, fate] : member.paths) {
    const Fate other = token.at(key.first, key.second);
    for (const int before : {0, 1}) {
      for (const int now : {0, 1}) {
        const auto at = [&](const Fate& of) {
          return of.mass[static_cast<std::size_t>(before)][static_cast<std::size_t>(now)];
        };
        comparisons.push_back(
            {fmt::format("P({}, R_(n-1) = {}, R_n = {}) of token against Algorithm "
                         "2 with b = min(1, t/d)",
                         path_text(key.second), before, now),
             at(other), Order::equal, at(fate)});
      }
    }
  }
  return comparisons;
}

constexpr ClaimRow kAlgorithm2{
    .id = "yin2024.algorithm2",
    .source = "yin2024 Algorithm 2, equations (11) to (14)",
    .statement =
        "P(x_n | x_{1:n-1}) = min(d, t + epsilon) + P sum (1 - b) d for every b and P, "
        "epsilon = b d - t",
    .hypotheses = "b_n, P_n see x_{1:n-1} and the token; gamma = inf; token verification is one",
    .check = algorithm2,
    .places = {kBattery, Place(kBattery).with(token_is_member)},
    .bites = {{{"yin2024.equation14.kept", Fault::raised},
               {"yin2024.lemma1.epsilon", Fault::lowered},
               {"token", Fault::replaced, "batch-printed(M=1)"}}},
};

Comparisons lemma1(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [](const Rule& rule, Comparisons& comparisons) {
    for (std::size_t x = 0; x < rule.accept.size(); ++x) {
      if (rule.draft[x] == 0) continue;
      const Rational ratio = (rule.target[x] + rule.epsilon(x)) / rule.draft[x];
      comparisons.push_back(
          {fmt::format("b at token {}, {}, against min(1, (t + epsilon) / d)", x, rule.text()),
           rule.accept[x], Order::equal, min_one<Rational>(ratio)});
      const bool over = rule.accept[x] > rule.threshold(x);
      comparisons.push_back({fmt::format("epsilon at token {}, {}, where b {} min(1, t/d)", x,
                                         rule.text(), over ? ">" : "<="),
                             rule.epsilon(x), over ? Order::above : Order::at_most, Rational(0)});
    }
  });
}

constexpr ClaimRow kLemma1{
    .id = "yin2024.lemma1",
    .source = "yin2024 Lemma 1, equations (2) and (9)",
    .statement =
        "every b in [0, 1] is min(1, (t + epsilon) / d) with epsilon = b d - t, and epsilon "
        "> 0 where b > min(1, t/d)",
    .hypotheses = "tokens with d > 0",
    .check = lemma1,
    .places = {kOneToken, kFewTokens},
    .bites = {{{"yin2024.lemma1.epsilon", Fault::raised},
               {"yin2024.lemma1.epsilon", Fault::zeroed}}},
};

/// One token, biased or not: who rejects less than TV exceeds min(1, t/d) somewhere.
Comparisons lemma2_one_token(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    if (ingredient("yin2024.lemma2.rejected", rule.rejected()) >= distance(instance)) return;
    Rational most(-1);
    for (std::size_t x = 0; x < rule.accept.size(); ++x) {
      if (rule.draft[x] > 0) most = std::max<Rational>(most, rule.accept[x] - rule.threshold(x));
    }
    comparisons.push_back(
        {fmt::format("largest b - min(1, t/d) at {}, which rejects less than TV", rule.text()),
         most, Order::above, Rational(0)});
  });
}

/// The contrapositive, which is what the proof shows: unbiased with b <= min(1, t/d) throughout.
Comparisons lemma2_runs(const Instance& instance) {
  Comparisons comparisons;
  for (const Member& member : members()) {
    comparisons.push_back(
        {fmt::format("E[N_rej] of {}, T = gamma, against sum of E TV", member.text),
         ingredient("yin2024.lemma2.rejected",
                    run_algorithm2(instance, member.design()).rejections(instance.gamma)),
         Order::at_least, tv_along_target(instance).expected()});
  }
  return comparisons;
}

constexpr ClaimRow kLemma2{
    .id = "yin2024.lemma2",
    .source = "yin2024 Lemma 2",
    .statement =
        "who has E[N_rej] < sum E[TV_n] has b(x) > min(1, t/d) somewhere; with b <= min(1, "
        "t/d) throughout E[N_rej] >= sum E[TV_n]",
    .hypotheses =
        "Algorithm 2 without bias; no such one exists (Theorem 2), so the first half is "
        "held on one token of biased ones",
    .check = lemma2_runs,
    .places = {kBattery, Place(kOneToken).with(lemma2_one_token),
               Place(kFewTokens).with(lemma2_one_token)},
    .bites = {{{"yin2024.lemma2.rejected", Fault::lowered},
               {"yin2024.theorem1.formula", Fault::raised}}},
};

/// The largest b(x) d(x) of the class, token by token; and whether any P makes a b unbiased.
Comparisons largest_acceptance(const Instance& instance) {
  Comparisons comparisons;
  const State state = instance.pair().start().front().state;
  const auto draft = instance.rows->draft(state);
  const auto target = instance.rows->target(state);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    LinearProgram program = position_program(draft, target, 1);
    const std::size_t row = program.law_rows + x;
    for (auto& column : program.columns) {
      if (column.entries.back().first != row) column.reward = Rational(0);
    }
    comparisons.push_back({fmt::format("certified largest b d at token {} against min(d, t)", x),
                           ingredient("yin2024.corollary1.program", certify(program).bound),
                           Order::equal, lesser<Rational>(draft[x], target[x])});
  }
  return comparisons;
}

Comparisons unbiased_when(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [](const Rule& rule, Comparisons& comparisons) {
    comparisons.push_back({fmt::format("certified least TV over all P at {}, b {} min(1, t/d)",
                                       rule.text(), rule.exceeds() ? "beyond" : "within"),
                           rule.certified(), rule.exceeds() ? Order::above : Order::equal,
                           Rational(0)});
  });
}

constexpr ClaimRow kAcceptance{
    .id = "yin2024.corollary1.acceptance",
    .source = "yin2024 Corollary 1, first part",
    .statement =
        "some P makes b unbiased if and only if b(x) <= min(1, t(x) / d(x)) wherever d > 0",
    .hypotheses = "Algorithm 2",
    .check = largest_acceptance,
    .places = {BatteryShape{.tokens = 4, .gammas = 1, .random = {2, 8, 20}},
               Place(kOneToken).with(unbiased_when), Place(kFewTokens).with(unbiased_when)},
    .bites = {{{"yin2024.corollary1.program", Fault::halved},
               {"yin2024.theorem4.program", Fault::zeroed},
               {"yin2024.theorem4.program", Fault::raised}}},
};

/// Corollary 1's P, in its two forms, is a law and without bias; no other law is.
Comparisons corollary_residual(const Instance& instance) {
  return for_rejecting(instance, RuleRange::under, [](const Rule& rule, Comparisons& comparisons) {
    const auto law = corollary_law(rule);
    Rational sum(0), over(0);
    for (std::size_t x = 0; x < law.size(); ++x) {
      over += positive_part<Rational>(rule.draft[x] - rule.target[x] - rule.epsilon(x));
    }
    for (std::size_t x = 0; x < law.size(); ++x) {
      sum += law[x];
      const Rational kept = lesser<Rational>(rule.draft[x], rule.target[x] + rule.epsilon(x));
      comparisons.push_back({fmt::format("P at token {}, {}, against 0", x, rule.text()), law[x],
                             Order::at_least, Rational(0)});
      comparisons.push_back(
          {fmt::format("P at token {}, {}, against its form with epsilon", x, rule.text()), law[x],
           Order::equal, (rule.target[x] - kept) / over});
    }
    comparisons.push_back({"sum of P against 1", sum, Order::equal, Rational(1)});
    each_law(law.size(), 3, [&](const std::vector<Rational>& other) {
      comparisons.push_back(
          {fmt::format("TV at {} with {}", rule.text(), other == law ? "P" : "another law"),
           rule.loss(other), other == law ? Order::equal : Order::above, Rational(0)});
    });
  });
}

/// Runs with it are unbiased over T tokens.
Comparisons members_unbiased(const Instance& instance) {
  Comparisons comparisons;
  for (const Member& member : members()) {
    comparisons.push_back({fmt::format("TV of T = gamma tokens of {} to the target's", member.text),
                           run_algorithm2(instance, member.design()).bias(instance, instance.gamma),
                           Order::equal, Rational(0)});
  }
  return comparisons;
}

constexpr ClaimRow kResidual{
    .id = "yin2024.corollary1.residual",
    .source = "yin2024 Corollary 1, equation (15)",
    .statement =
        "the one P without bias is (t - b d) / sum (1 - b) d = (t - min(d, t + epsilon)) / "
        "sum [d - t - epsilon]+",
    .hypotheses = "Algorithm 2 with b <= min(1, t/d), sum (1 - b) d > 0",
    .check = corollary_residual,
    .places = {kOneToken, kFewTokens, Place(kBattery).with(members_unbiased)},
    .bites = {{{"yin2024.corollary1.P", Fault::levelled},
               {"yin2024.lemma1.epsilon", Fault::lowered}}},
};

constexpr ClaimRow kClaims[] = {kAlgorithm2, kLemma1, kLemma2, kAcceptance, kResidual};

}  // namespace
}  // namespace yin2024_class

Claims yin2024_class_claims() { return yin2024_class::kClaims; }

}  // namespace speclab
