// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): the law of the emitted tokens, and when the target is called.
#include "claims/engine/ingredient.h"
#include "claims/engine/vocabulary.h"
#include "claims/papers/zhong2025/rates.h"

namespace speclab {
namespace zhong2025 {
namespace {

/// Each token's law given those before it.
Comparisons emitted_law(const Instance& instance) {
  Comparisons says;
  const Rows<Rational>& rows = *instance.rows;
  for (const Rates& rates : class_rates()) {
    for (const auto& context : reached_by(rates.verifier(), instance, beyond_window(instance))) {
      const auto draft = rows.draft(context.state);
      const auto target = rows.target(context.state);
      for (std::size_t x = 0; x < draft.size(); ++x) {
        const Rational mixture = ingredient("zhong2025.theorem3.1.mixture",
                                            (1 - rates.fp) * target[x] + rates.fp * draft[x]);
        says.equal(context.next[x], mixture, "P({} | {}) of {} against (1 - fp) t + fp d", x,
                   path_text(context.tokens), rates.verifier());
      }
    }
  }
  return says;
}

constexpr ClaimRow kLaw{
    .id = "zhong2025.theorem3.1.law",
    .source = "zhong2025 Theorem 3.1, equation (2)",
    .statement = "P(token x) = (1 - fp) t(x) + fp d(x), token after token",
    .hypotheses = kByClass,
    .check = emitted_law,
    .places = kDecoded,
    .bites = {raised("zhong2025.theorem3.1.mixture"), replaced("sprinter", "sprinter-printed")},
};

Comparisons emitted_distance(const Instance& instance) {
  Comparisons says;
  for (const Rates& rates : class_rates()) {
    says.equal(exact_tv(rates.verifier(), instance, 1),
               ingredient("zhong2025.theorem3.1.distance", rates.fp * distance_at_start(instance)),
               "TV of one token of {} against fp TV(d, t)", rates.verifier());
    for (const auto& context : reached_by(rates.verifier(), instance, beyond_window(instance))) {
      says.equal(total_variation<Rational>(context.next, instance.rows->target(context.state)),
                 ingredient("zhong2025.theorem3.1.distance",
                            rates.fp * distance_at(instance, context.state)),
                 "TV of the token after {} of {} against fp TV(d, t)", path_text(context.tokens),
                 rates.verifier());
    }
  }
  return says;
}

constexpr ClaimRow kDistance{
    .id = "zhong2025.theorem3.1.tv",
    .source = "zhong2025 Theorem 3.1, second part",
    .statement = "TV(law of a token, t) = fp TV(d, t), token after token",
    .hypotheses = kByClass,
    .check = emitted_distance,
    .places = kDecoded,
    .bites = {halved("zhong2025.theorem3.1.distance"), replaced("sprinter", "sprinter-printed")},
};

/// The law over which the tokens' rates are averaged, up to a factor.
using Weight = Rational (*)(const Rational& draft, const Rational& target);
Rational drafted(const Rational& draft, const Rational&) { return draft; }
Rational too_often(const Rational& draft, const Rational& target) {
  return ingredient("zhong2025.theorem3.1.excess", draft - target);
}

/// One token's TV against TV(d, t) times the verifier's false-positive rate, the probability that
/// it passes an unacceptable token: the mean of the rates of those with d > t under `weight`.
Comparisons token_dependent(const Instance& instance, Weight weight) {
  Comparisons says;
  if (!instance.pair().memoryless()) return says;
  const auto draft = instance.draft();
  const auto target = instance.target();
  const Rational tv = total_variation(draft, target);
  if (tv == 0) return says;
  for (const auto& fp : token_rates(draft.size())) {
    Rational passed(0);
    Rational all(0);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > target[x])) continue;
      const Rational mass = weight(draft[x], target[x]);
      passed += mass * fp[x];
      all += mass;
    }
    says.equal(exact_tv(token_verifier(fp), instance, 1), passed / all * tv,
               "TV of one token of {} against fp TV(d, t), fp = {}", token_verifier(fp),
               to_text(passed / all));
  }
  return says;
}

constexpr ClaimRow kTokenRates{
    .id = "zhong2025.theorem3.1.token-rates",
    .source = "this project, after zhong2025 Theorem 3.1",
    .statement = "TV(law of a token, t) = fp TV(d, t), fp = P(passed | d(x) > t(x))",
    .hypotheses = "error rates that depend on the token",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return token_dependent(instance, drafted); },
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = 4},
               NamedPair{"iid(draft=[1/2,1/2,0],target=[1/4,3/8,3/8])"}},
    .correction = {"fp = the mean of the tokens' rates under the law proportional to [d - t]+",
                   [](const Instance& instance) { return token_dependent(instance, too_often); },
                   {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 6}},
                    BatteryShape{.tokens = 4, .gammas = 1, .random = 0, .contexts = false}}},
    .bites = {constant("zhong2025.theorem3.1.excess"), replaced("sprinter", "sprinter-printed")},
};

constexpr Horizon kNextToken{1, 1};

constexpr ClaimRow kRemark32{
    .id = "zhong2025.remark3.2",
    .source = "zhong2025 Remark 3.2",
    .statement = "fp = 0: the output of decoding with sprinter has the target's law",
    .hypotheses = "any tp",
    .check = lossless("sprinter(fp=0,tp=1)", kNextToken) &&
             lossless("sprinter(fp=0,tp=1/2)", kNextToken),
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .random = {4, 12, 40}}},
    .simulated = {{{.verifier = "sprinter(fp=0,tp=1/2)", .at = {kToy, 3}, .horizon = 3}}},
    .bites = {replaced("sprinter", "sprinter(fp=1/10,tp=1)"),
              replaced("sprinter", "sprinter-printed")},
};

/// The law of one token on the tokens that should be rejected, d(x) > t(x), at fp = 0.
Comparisons never_sampled(const Instance& instance, bool corrected) {
  Comparisons says;
  for (const auto& context : reached_by("sprinter(fp=0,tp=1)", instance, 1)) {
    const auto draft = instance.rows->draft(context.state);
    const auto target = instance.rows->target(context.state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > target[x])) continue;
      says.equal(context.next[x],
                 corrected ? ingredient("zhong2025.remark3.2.target", target[x]) : Rational(0),
                 "P({}) of sprinter(fp=0,tp=1), d > t there", x);
    }
  }
  return says;
}

constexpr ClaimRow kRemark32Never{
    .id = "zhong2025.remark3.2.never",
    .source = "zhong2025 Remark 3.2, in parentheses",
    .statement = "fp = 0: SPRINTER never samples a token that should be rejected, d(x) > t(x)",
    .hypotheses = "one token, a perfect verifier",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return never_sampled(at, false); },
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 4}, NamedPair{kToy}},
    .correction = {"never without the target's check, which keeps it with t/d: it is emitted with "
                   "probability t(x)",
                   [](const Instance& at) { return never_sampled(at, true); },
                   {BatteryShape{.tokens = 4, .gammas = 1, .random = {4, 12, 40}}}},
    .bites = {raised("zhong2025.remark3.2.target"), replaced("sprinter", "sprinter(fp=1,tp=1)")},
};

/// P(the cheap verifier says no) at a context.
Rational refused(const Instance& instance, const Rates& rates, State state) {
  const auto draft = instance.rows->draft(state);
  const auto target = instance.rows->target(state);
  Rational sum(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    sum += draft[x] * (1 - (draft[x] > target[x] ? rates.fp : rates.tp));
  }
  return ingredient("zhong2025.calls.refused", sum);
}

Comparisons target_calls(const Instance& instance) {
  Comparisons says;
  const int horizon = beyond_window(instance);
  auto rates_list = class_rates();
  rates_list.push_back({Rational(1), Rational(1)});
  for (const Rates& rates : rates_list) {
    Rational noes(0);
    const auto contexts = reached_by(rates.verifier(), instance, horizon);
    if (contexts.empty()) continue;
    for (const auto& context : contexts) {
      noes += context.probability * refused(instance, rates, context.state);
    }
    says.equal(exact_answer(rates.verifier(), instance, horizon).fraction(QuantityId::target_calls),
               noes, "E[target calls] of {} tokens of {} against the noes of the verifier", horizon,
               rates.verifier());
  }
  return says;
}

constexpr ClaimRow kCalls{
    .id = "zhong2025.calls",
    .source = "zhong2025 section 3 and Algorithm 1",
    .statement =
        "the target is called where the verifier says no and nowhere else: E[calls] of T tokens = "
        "sum over positions of P(no)",
    .hypotheses = kByClass,
    .check = target_calls,
    .places = kDecoded,
    .bites = {raised("zhong2025.calls.refused"), replaced("sprinter", "sprinter(fp=1,tp=1)")},
};

constexpr ClaimRow kClaims[] = {kLaw, kDistance, kTokenRates, kRemark32, kRemark32Never, kCalls};

}  // namespace
}  // namespace zhong2025

Claims zhong2025_claims() { return zhong2025::kClaims; }

}  // namespace speclab
