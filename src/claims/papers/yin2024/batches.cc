// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 3.2: what batches of drafts save, closed forms, limits and growth. Algorithm 4 and its
// recursion are in rejections.cc, Proposition 1 in limits.cc.
#include <fmt/format.h>

#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/recursion.h"
#include "claims/papers/yin2024/rules.h"

namespace speclab {
namespace yin2024_batches {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}};

/// Over all positions, and at the last one.
Comparisons improvement(const Instance& instance) {
  const Fates batch = fates_of(batch_of(instance), instance);
  return {
      {"E[N_rej] of batch, T = gamma, M = K, against token", batch.rejections(instance.gamma),
       Order::at_most, decode_to_horizon("token", instance).fraction(QuantityId::rejections)},
      {"P(R_T = 1) of batch, T = gamma, M = K, against E TV_T", batch.rejected_at(instance.gamma),
       Order::at_most, tv_along_target(instance).probability.back()}};
}

constexpr ClaimRow kImprovement{
    .id = "yin2024.theorem3.improvement",
    .source = "yin2024 Theorem 3, takeaways",
    .statement =
        "the batch improvement is never negative, at any position: P(R_n = 1) of batch(M) <= "
        "E[TV_n]",
    .hypotheses = "gamma = inf, any pair",
    .check = improvement,
    .places = {kBattery},
    .bites = {{{"token", Fault::replaced, "block"}, {"yin2024.theorem1.formula", Fault::halved}}},
};

/// One draft more; strictly fewer rejections of one token where the draft can still hit.
Comparisons one_draft_more(const Instance& instance) {
  Instance larger = instance;
  ++larger.drafts;
  const auto few = decode_to_horizon(batch_of(instance), instance);
  const auto more = decode_to_horizon(batch_of(larger), larger);
  const Rational rejections =
      ingredient("yin2024.section3.2.more", more.fraction(QuantityId::rejections));
  Comparisons comparisons{
      {"E[N_rej] of batch, T = gamma, M = K + 1, against M = K", rejections, Order::at_most,
       few.fraction(QuantityId::rejections)},
      {"E[target calls] of batch, T = gamma, M = K + 1, against M = K",
       more.fraction(QuantityId::target_calls), Order::at_most,
       few.fraction(QuantityId::target_calls)},
      {"E[tau] of batch, M = K + 1, against M = K", accepted(batch_of(larger), larger),
       Order::at_least, accepted(batch_of(instance), instance)}};
  const State start = instance.pair().start().front().state;
  const auto draft = instance.rows->draft(start);
  const BatchStep step = batch_step(draft, instance.rows->target(start), instance.drafts);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (instance.gamma > 1 || step.product * step.last[x] * draft[x] == 0) continue;
    comparisons.push_back(
        {"E[N_rej] of one token, M = K + 1, the draft can hit what is left, "
         "against M = K",
         rejections, Order::below, few.fraction(QuantityId::rejections)});
    break;
  }
  return comparisons;
}

constexpr ClaimRow kGrowth{
    .id = "yin2024.section3.2.monotone",
    .source = "yin2024 Figures 2 (c) and 3, as M grows",
    .statement =
        "E[N_rej] and E[target calls] of batch(M) fall with M, E[tau] grows; one token: "
        "E[N_rej] falls strictly while d(x) t^{M+1}(x) prod_m r_m > 0 for some x",
    .hypotheses = "gamma = inf, any pair",
    .check = one_draft_more,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .drafts = 2, .random = {2, 8, 20}}},
    .bites = {{{"yin2024.section3.2.more", Fault::raised},
               {"batch", Fault::replaced, "batch-printed"}}},
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
           Order::equal,
           ingredient("yin2024.bernoulli",
                      bernoulli_improvement(draft[x], target[x], instance.drafts))}};
}

constexpr ClaimRow kBernoulli{
    .id = "yin2024.section3.2.bernoulli",
    .source = "yin2024 section 3.2, Bernoulli distribution",
    .statement = "TV(t, d) - prod_m r_m = |u - v| (1 - u^{M-1}), d ~ Ber(u), t ~ Ber(v)",
    .hypotheses = "one token, u >= v",
    .check = bernoulli,
    .places = {SearchSpace{
        .tokens = 2, .gammas = 1, .drafts = {3, 4, 6}, .denominator = {5, 6, 12}}},
    .bites = {{{"yin2024.bernoulli", Fault::raised}, {"batch", Fault::replaced, "batch-printed"}}},
};

Comparisons uniform(const Instance& instance) {
  const auto ratio = instance.rows->target(0)[0] / instance.rows->draft(0)[0];
  const Rational found = saved(instance);
  Comparisons comparisons{
      {"batch improvement of one token, M = K, against (1 - 1/r) - (1 - 1/r)^M", found,
       Order::equal,
       ingredient("yin2024.uniform", uniform_improvement<Rational>(ratio, instance.drafts))}};
  comparisons.push_back({"batch improvement of one token, M = K, against (M - 1) / r", found,
                         Order::at_most, Rational(instance.drafts - 1) / ratio});
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
    .statement =
        "TV(t, d) - prod_m r_m = (1 - 1/r) - (1 - 1/r)^M, positive for r > 1, M > 1, at "
        "most (M - 1) / r, so that it vanishes as r grows",
    .hypotheses = "one token; d uniform on V tokens, t on V / r of them",
    .check = uniform,
    .places = {Family{"uniform laws on 1 <= n <= V tokens, V to 5/6/9, gamma 1, K 1..4",
                      uniform_laws}},
    .bites = {{{"yin2024.uniform", Fault::raised}, {"batch", Fault::replaced, "batch-printed"}}},
};

/// From decodes with more and more drafts: within what more can still change of TV(d, t).
Comparisons improvement_limit(const Instance& instance) {
  Comparisons comparisons;
  for (const int many : kGrowing) {
    // Over three tokens the sequences of decisions double with every draft.
    if (instance.pair().vocabulary() > 2 && many > 8) continue;
    Instance at = instance;
    at.drafts = many;
    const Rational left = distance(at) - saved(at);
    comparisons.push_back({fmt::format("TV(d, t) less the batch improvement of one token, M = {}, "
                                       "against what more drafts can change",
                                       many),
                           left, Order::at_most, rest_after(at, many)});
    comparisons.push_back({"the same against 0", left, Order::at_least, Rational(0)});
  }
  return comparisons;
}

constexpr SearchSpace kManyBernoulli{.tokens = 2, .gammas = 1, .denominator = {5, 6, 10}};

std::vector<Instance> narrow_laws(Effort) {
  return {make_instance("uniform(draft=2,target=1)"), make_instance("uniform(draft=3,target=1)"),
          make_instance("uniform(draft=3,target=2)")};
}

constexpr ClaimRow kLimit{
    .id = "yin2024.section3.2.limit",
    .source = "yin2024 section 3.2, batch improvement",
    .statement = "lim_{M -> inf} TV(t, d) - prod_m r_m = TV(t, d)",
    .hypotheses = "one token; Bernoulli laws, uniform laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = improvement_limit,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 4},
               Family{"uniform laws on n of V <= 3 tokens", narrow_laws}},
    .correction = {"where supp t lies within supp d, so u < 1 or u = v",
                   improvement_limit,
                   {Place(kManyBernoulli).only(kCovered)}},
    .bites = {{{"yin2024.rest", Fault::zeroed}, {"batch", Fault::replaced, "batch-printed"}}},
};

constexpr ClaimRow kClaims[] = {kImprovement, kGrowth, kBernoulli, kUniform, kLimit};

}  // namespace
}  // namespace yin2024_batches

Claims yin2024_batches_claims() { return yin2024_batches::kClaims; }

}  // namespace speclab
