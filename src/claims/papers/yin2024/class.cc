// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// appendix C: the class of Algorithm 2.
#include <algorithm>

#include "claims/battery/small_pairs.h"
#include "claims/engine/optimum.h"
#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/fates.h"

namespace speclab {
namespace yin2024_class {
namespace {

constexpr SearchSpace kOneToken{.tokens = 2, .gammas = 1, .denominator = {3, 4, 6}};
constexpr BatteryShape kBattery{.tokens = 3, .gammas = 2, .random = {4, 8, 40}};

/// Equations (11) and (14) at every path of a run: what follows x_{1:n-1} has the law b d + P sum
/// (1 - b) d whatever was rejected before, and R_n = 1 has the share P sum (1 - b) d of it.
void step_laws(const Fates& fates, const DesignOf& design, std::string_view text,
               Comparisons& says) {
  const Instance& at = fates.instance;
  for (const auto& [key, fate] : fates.paths) {
    const TokenPath before(key.second.begin(), key.second.end() - 1);
    const State state = follow(*at.rows, key.first, before).state;
    const RuleContext context{at.rows->draft(state), at.rows->target(state), before, state};
    const Design here = design(context);
    const Rule rule{context.draft, context.target, here.accept};
    Rational weight(0), parent(0);
    for (const Rational& mass : here.correction) weight += mass;
    for (const Start& s : at.pair().start()) parent += s.state == key.first ? s.probability : 0;
    if (!before.empty()) parent = fates.at(key.first, before).reached();
    const auto x = static_cast<std::size_t>(key.second.back());
    const Rational corrected =
        weight > 0 ? Rational(rule.rejected() * here.correction[x] / weight) : Rational(0);
    // Equation (12): b d = min(d, t + epsilon).
    const Rational kept = ingredient("yin2024.equation14.kept", rule.kept_by_epsilon(x));
    says.equal(fate.reached(), parent * (kept + corrected),
               "P(x = {}) of {} against P(before) (min(d, t + epsilon) + P sum (1 - b) d)",
               path_text(key.second), text);
    says.equal(fate.rejected(), parent * corrected,
               "P({}, R_n = 1) of {} against P(before) P sum (1 - b) d", path_text(key.second),
               text);
  }
}

Comparisons algorithm2(const Instance& at) {
  Comparisons says;
  const RuleRuns runs(at);
  step_laws(runs.run(arbitrary_design), arbitrary_design, "any b and P", says);
  for (const Member& member : members()) {
    step_laws(runs.run(member), member, member.text, says);
  }
  return says;
}

/// Token verification is the member with b = min(1, t/d): the same fate of every path.
Comparisons token_is_member(const Instance& at) {
  Comparisons says;
  const Fates token = fates_of("token", at);
  for (const auto& [key, fate] : RuleRuns(at).run(members().front()).paths) {
    const Fate other = token.at(key.first, key.second);
    for (std::size_t i = 0; i < 4; ++i) {
      says.equal(other.mass[i / 2][i % 2], fate.mass[i / 2][i % 2],
                 "P({}, R_(n-1) = {}, R_n = {}) of token against Algorithm 2 with b = min(1, t/d)",
                 path_text(key.second), i / 2, i % 2);
    }
  }
  return says;
}

constexpr ClaimRow kAlgorithm2{
    .id = "yin2024.algorithm2",
    .source = "yin2024 Algorithm 2, equations (11) to (14)",
    .statement =
        "P(x_n | x_{1:n-1}) = min(d, t + epsilon) + P sum (1 - b) d for every b and P, epsilon = b "
        "d - t",
    .hypotheses = "b_n, P_n see x_{1:n-1} and the token; gamma = inf; token verification is one",
    .check = algorithm2,
    .places = {kBattery, Place(kBattery).with(token_is_member)},
    .bites = {{raised("yin2024.equation14.kept"), lowered("yin2024.lemma1.epsilon"),
               replaced("token", "batch-printed(M=1)")}},
};

Comparisons lemma1(const Instance& at) {
  return for_rules(at, RuleRange::all, [](const Rule& rule, Comparisons& says) {
    for (std::size_t x = 0; x < rule.size(); ++x) {
      if (rule.draft[x] == 0) continue;
      const Rational ratio = (rule.target[x] + rule.epsilon(x)) / rule.draft[x];
      says.equal(rule.accept[x], min_one<Rational>(ratio),
                 "b at token {}, {}, against min(1, (t + epsilon) / d)", x, rule);
      const bool over = rule.accept[x] > rule.threshold(x);
      says.add(rule.epsilon(x), over ? Order::above : Order::at_most, 0,
               "epsilon at token {}, {}, where b {} min(1, t/d)", x, rule, over ? ">" : "<=");
    }
  });
}

constexpr ClaimRow kLemma1{
    .id = "yin2024.lemma1",
    .source = "yin2024 Lemma 1, equations (2) and (9)",
    .statement =
        "every b in [0, 1] is min(1, (t + epsilon) / d) with epsilon = b d - t, and epsilon > 0 "
        "where b > min(1, t/d)",
    .hypotheses = "tokens with d > 0",
    .check = lemma1,
    .places = {kOneToken, kTokenBattery},
    .bites = {{raised("yin2024.lemma1.epsilon"), zeroed("yin2024.lemma1.epsilon")}},
};

/// One token, biased or not: who rejects less than TV exceeds min(1, t/d) somewhere.
Comparisons lemma2_one_token(const Instance& at) {
  return for_rules(at, RuleRange::all, [&](const Rule& rule, Comparisons& says) {
    if (ingredient("yin2024.lemma2.rejected", rule.rejected()) >= distance(at)) return;
    Rational most(-1);
    for (std::size_t x = 0; x < rule.size(); ++x) {
      if (rule.draft[x] > 0) most = std::max<Rational>(most, rule.accept[x] - rule.threshold(x));
    }
    says.above(most, 0, "largest b - min(1, t/d) at {}, which rejects less than TV", rule);
  });
}

constexpr ClaimRow kLemma2{
    .id = "yin2024.lemma2",
    .source = "yin2024 Lemma 2",
    .statement =
        "an instance with E[N_rej] < sum E[TV_n] has b(x) > min(1, t/d) somewhere; with b <= "
        "min(1, t/d) throughout E[N_rej] >= sum E[TV_n]",
    .hypotheses =
        "Algorithm 2 without bias; no such instance exists (Theorem 2), so the first half is "
        "checked on one token of biased ones",
    .check = members_run,
    .places = {kBattery, Place(kOneToken).with(lemma2_one_token),
               Place(kTokenBattery).with(lemma2_one_token)},
    .bites = {{lowered("yin2024.lemma2.rejected"), raised("yin2024.theorem1.formula")}},
};

/// The largest b(x) d(x) of the class, token by token; and whether any P makes a b unbiased.
Comparisons largest_acceptance(const Instance& at) {
  Comparisons says;
  const auto draft = at.draft();
  const auto target = at.target();
  for (std::size_t x = 0; x < draft.size(); ++x) {
    LinearProgram program = position_program(at, 1);
    for (auto& column : program.columns) {
      if (column.entries.back().first != program.law_rows + x) column.reward = Rational(0);
    }
    says.equal(ingredient("yin2024.corollary1.program", certify(program).bound),
               lesser<Rational>(draft[x], target[x]),
               "certified largest b d at token {} against min(d, t)", x);
  }
  return says;
}

Comparisons unbiased_when(const Instance& at) {
  return for_rules(at, RuleRange::all, [](const Rule& rule, Comparisons& says) {
    says.add(rule.certified(), rule.exceeds() ? Order::above : Order::equal, 0,
             "certified least TV over all P at {}, b {} min(1, t/d)", rule,
             rule.exceeds() ? "beyond" : "within");
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
               Place(kOneToken).with(unbiased_when), Place(kTokenBattery).with(unbiased_when)},
    .bites = {{halved("yin2024.corollary1.program"), zeroed("yin2024.theorem4.program"),
               raised("yin2024.theorem4.program")}},
};

/// Corollary 1's P, in its two forms, is a law and without bias; no other law is.
Comparisons corollary_residual(const Instance& at) {
  return for_rejecting(at, RuleRange::under, [](const Rule& rule, Comparisons& says) {
    const Rule::Law law = rule.corollary_law();
    const Rational over = rule.rejected_by_epsilon();
    Rational sum(0);
    for (std::size_t x = 0; x < law.size(); ++x) {
      sum += law[x];
      says.at_least(law[x], 0, "P at token {}, {}, against 0", x, rule);
      says.equal(law[x], (rule.target[x] - rule.kept_by_epsilon(x)) / over,
                 "P at token {}, {}, against its form with epsilon", x, rule);
    }
    says.equal(sum, 1, "sum of P against 1");
    for (const Rule::Law& other : laws_of(law.size(), 3)) {
      says.add(rule.loss(other), other == law ? Order::equal : Order::above, 0, "TV at {} with {}",
               rule, other == law ? "P" : "another law");
    }
  });
}

constexpr ClaimRow kResidual{
    .id = "yin2024.corollary1.residual",
    .source = "yin2024 Corollary 1, equation (15)",
    .statement =
        "the one P without bias is (t - b d) / sum (1 - b) d = (t - min(d, t + epsilon)) / sum [d "
        "- t - epsilon]+",
    .hypotheses = "Algorithm 2 with b <= min(1, t/d), sum (1 - b) d > 0",
    .check = corollary_residual,
    .places = {kOneToken, kTokenBattery, Place(kBattery).with(members_run)},
    .bites = {{levelled("yin2024.corollary1.P"), lowered("yin2024.lemma1.epsilon")}},
};

constexpr ClaimRow kClaims[] = {kAlgorithm2, kLemma1, kLemma2, kAcceptance, kResidual};

}  // namespace
}  // namespace yin2024_class

Claims yin2024_class_claims() { return yin2024_class::kClaims; }

}  // namespace speclab
