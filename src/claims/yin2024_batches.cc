// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 3.2 and appendix D: batches of drafts.
#include <fmt/format.h>

#include "claims/yin2024_decodes.h"
#include "claims/yin2024_recursion.h"

namespace speclab {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}};

constexpr ClaimRow kAlgorithm4{
    .id = "yin2024.algorithm4",
    .source = "yin2024 Algorithm 4, Theorem 3, first part",
    .statement = "the output of Algorithm 4 as printed (batch-printed(M)) has the target's law",
    .hypotheses = "line 28 inside the loop over the drafts",
    .recorded = ClaimVerdict::refuted,
    .check =
        [](const Instance& instance) {
          return emits_target(instance, batch_of(instance, "batch-printed"));
        },
    .places = {SearchSpace{.tokens = 3, .gammas = 2, .drafts = 2, .denominator = {3, 3, 4}}},
};

constexpr ClaimRow kLossless{
    .id = "yin2024.theorem3.lossless",
    .source = "yin2024 Theorem 3, first part",
    .statement = "the output of batch(M) has the target's law",
    .hypotheses = "Algorithm 4 repaired: all M roots are tried, then t^{M+1}",
    .check = [](const Instance& instance) { return emits_target(instance, batch_of(instance)); },
    .places = {kBattery},
    .simulated = {{{.verifier = "batch(M=3)",
                    .at = {"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 3},
                    .horizon = 3}}},
};

constexpr Places kRecursion{SearchSpace{.tokens = 2, .gammas = 2, .drafts = 2, .denominator = 3}};
constexpr std::string_view kRoot =
    "f(x_0) = 1: position 1 is a root, as a position after a rejection is";
constexpr Places kRecursionCorrected{
    SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {3, 4, 6}}, kBattery};

/// sum over x_{1:T} of f = P(R_T = 1), the growth of E[N_rej] from T - 1 to T.
Comparisons equation22_sum(const Instance& instance, int first) {
  Rational sum(0);
  for (const Weighed& path : equation22(instance, instance.drafts, Rational(first))) {
    if (static_cast<int>(path.tokens.size()) == instance.gamma) sum += path.f;
  }
  Rational rejected =
      decode_to_horizon(batch_of(instance), instance).fraction(QuantityId::rejections);
  if (instance.gamma > 1) {
    Instance shorter = instance;
    --shorter.gamma;
    rejected -= decode_to_horizon(batch_of(shorter), shorter).fraction(QuantityId::rejections);
  }
  return {{fmt::format("P(R_T = 1) of batch, T = gamma, M = K, against sum of f with f(x_0) = {}",
                       first),
           rejected, Order::equal, sum}};
}

constexpr ClaimRow kEquation22{
    .id = "yin2024.equation22",
    .source = "yin2024 equation (22)",
    .statement =
        "P(R_n = 1) = sum of f(x_{1:n}), f = h t(x_{1:n-1}) - (h - prod_m r_m t^{M+1}(x_n)) "
        "f(x_{1:n-1}), no draft being rejected before x_1",
    .hypotheses = "batch(M), gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return equation22_sum(instance, 0); },
    .places = kRecursion,
    .correction = {kRoot, [](const Instance& instance) { return equation22_sum(instance, 1); },
                   kRecursionCorrected},
};

Comparisons theorem3(const Instance& instance, int first) {
  return {{fmt::format("E[N_rej] of batch, T = gamma, M = K, against Theorem 3 with f(x_0) = {}",
                       first),
           decode_to_horizon(batch_of(instance), instance).fraction(QuantityId::rejections),
           Order::equal, theorem3_sum(instance, instance.drafts, Rational(first))}};
}

constexpr ClaimRow kRejections{
    .id = "yin2024.theorem3.rejections",
    .source = "yin2024 Theorem 3, second part",
    .statement =
        "E[N_rej] = sum_n E_t[TV] - sum_n E_f[TV - prod_m r_m], no draft being rejected "
        "before x_1",
    .hypotheses = "batch(M), gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return theorem3(instance, 0); },
    .places = kRecursion,
    .correction = {kRoot, [](const Instance& instance) { return theorem3(instance, 1); },
                   kRecursionCorrected},
};

Comparisons improvement(const Instance& instance) {
  return {{"E[N_rej] of batch, T = gamma, M = K, against token",
           decode_to_horizon(batch_of(instance), instance).fraction(QuantityId::rejections),
           Order::at_most, decode_to_horizon("token", instance).fraction(QuantityId::rejections)}};
}

constexpr ClaimRow kImprovement{
    .id = "yin2024.theorem3.improvement",
    .source = "yin2024 Theorem 3, takeaways",
    .statement =
        "the batch improvement is never negative: E[N_rej] of batch(M) <= E[N_rej] of token",
    .hypotheses = "gamma = inf, any pair",
    .check = improvement,
    .places = {kBattery},
};

/// By how much batch(M = K) rejects a single token less often than token verification.
Rational saved(const Instance& instance) {
  return decode_to_horizon("token", instance).fraction(QuantityId::rejections) -
         decode_to_horizon(batch_of(instance), instance).fraction(QuantityId::rejections);
}

Comparisons bernoulli(const Instance& instance) {
  if (instance.pair().vocabulary() != 2) return {};
  // The token that the draft likes better has u >= v.
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  const std::size_t x = draft[0] >= target[0] ? 0 : 1;
  return {{"batch improvement of one token, M = K, against (u - v) (1 - u^(M-1))", saved(instance),
           Order::equal, bernoulli_improvement(draft[x], target[x], instance.drafts)}};
}

constexpr ClaimRow kBernoulli{
    .id = "yin2024.section3.2.bernoulli",
    .source = "yin2024 section 3.2, Bernoulli distribution",
    .statement = "TV(t, d) - prod_m r_m = |u - v| (1 - u^{M-1}), d ~ Ber(u), t ~ Ber(v)",
    .hypotheses = "one token, u >= v",
    .check = bernoulli,
    .places = {SearchSpace{
        .tokens = 2, .gammas = 1, .drafts = {3, 4, 6}, .denominator = {5, 6, 12}}},
};

Comparisons uniform(const Instance& instance) {
  const auto ratio = instance.rows->target(0)[0] / instance.rows->draft(0)[0];
  const Rational found = saved(instance);
  Comparisons comparisons{{"batch improvement of one token, M = K, against (1 - 1/r) - (1 - 1/r)^M",
                           found, Order::equal,
                           uniform_improvement<Rational>(ratio, instance.drafts)}};
  if (ratio > 1 && instance.drafts > 1) {
    comparisons.push_back({"batch improvement, r > 1, M > 1", found, Order::above, Rational(0)});
  }
  return comparisons;
}

std::vector<Instance> uniform_laws(Effort effort) {
  std::vector<Instance> instances;
  for (int wide = 1; wide <= Sized(5, 6, 9).at(effort); ++wide) {
    for (int narrow = 1; narrow <= wide; ++narrow) {
      for (int many = 1; many <= 4; ++many) {
        instances.push_back(
            make_instance(fmt::format("uniform(draft={},target={})", wide, narrow), 1, many));
      }
    }
  }
  return instances;
}

constexpr ClaimRow kUniform{
    .id = "yin2024.section3.2.uniform",
    .source = "yin2024 section 3.2, uniform distribution",
    .statement = "TV(t, d) - prod_m r_m = (1 - 1/r) - (1 - 1/r)^M, positive for r > 1, M > 1",
    .hypotheses = "one token; d uniform on V tokens, t on V / r of them",
    .check = uniform,
    .places = {Family{"uniform laws on 1 <= n <= V tokens, V to 5/6/9, gamma 1, K 1..4",
                      uniform_laws}},
};

Comparisons improvement_limit(const Instance& instance) {
  const BatchStep step =
      batch_step(instance.rows->draft(0), instance.rows->target(0), kManyBatches);
  return {{"limit of the batch improvement of one token against TV(d, t)", step.tv - step.product,
           Order::equal, step.tv}};
}

constexpr SearchSpace kManyBernoulli{.tokens = 2, .gammas = 1, .denominator = {6, 8, 16}};

constexpr ClaimRow kLimit{
    .id = "yin2024.section3.2.limit",
    .source = "yin2024 section 3.2, batch improvement",
    .statement = "lim_{M -> inf} TV(t, d) - prod_m r_m = TV(t, d)",
    .hypotheses = "one token, Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = improvement_limit,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 4}},
    .correction = {"where supp t lies within supp d, so u < 1 or u = v",
                   improvement_limit,
                   {Place(kManyBernoulli).only(kCovered)}},
};

constexpr ClaimRow kClaims[] = {kAlgorithm4,  kLossless,  kEquation22, kRejections,
                                kImprovement, kBernoulli, kUniform,    kLimit};

}  // namespace

Claims yin2024_batches_claims() { return kClaims; }

}  // namespace speclab
