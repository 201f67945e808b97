// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 3.2: what batches of drafts save, closed forms, limits and growth. Algorithm 4 and its
// recursion are in rejections.cc, Proposition 1 in limits.cc.
#include "claims/engine/closed_forms.h"
#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/fates.h"
#include "claims/papers/yin2024/recursion.h"
#include "theory/yin2024.h"

namespace speclab {
namespace yin2024_batches {
namespace {

constexpr std::string_view kOneMore = "batch(M={K+1})";

/// Over all positions, and at the last one.
Comparisons improvement(const Instance& at) {
  Comparisons says = at_most(rejections(kBatch), rejections("token"))(at);
  says.at_most(fates_of(verifier_text(kBatch, at), at).rejected_at(at.gamma),
               tv_along_target(at).back(), "P(R_T = 1) of batch, T = gamma, M = K, against E TV_T");
  return says;
}

constexpr ClaimRow kImprovement{
    .id = "yin2024.theorem3.improvement",
    .source = "yin2024 Theorem 3, takeaways",
    .statement =
        "the batch improvement is never negative, at any position: P(R_n = 1) of batch(M) <= "
        "E[TV_n]",
    .hypotheses = "gamma = inf, any pair",
    .check = improvement,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}}},
    .bites = {{replaced("token", "block"), halved("yin2024.theorem1.formula")}},
};

/// One draft more; strictly fewer rejections of one token where the draft can still hit.
Comparisons one_draft_more(const Instance& at) {
  Comparisons says =
      (at_most(rejections(kOneMore), rejections(kBatch)) &&
       at_most(calls(kOneMore), calls(kBatch)) && at_least(tau(kOneMore), tau(kBatch)))(at);
  if (at.gamma > 1) return says;
  const auto draft = at.draft();
  const BatchStep step = batch_step(draft, at.target(), at.drafts);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (step.product * step.last[x] * draft[x] == 0) continue;
    says.add(ingredient("yin2024.section3.2.more", says.front().left), Order::below,
             says.front().right,
             "E[N_rej] of one token, M = K + 1, the draft can hit what is left, against M = K");
    break;
  }
  return says;
}

constexpr ClaimRow kGrowth{
    .id = "yin2024.section3.2.monotone",
    .source = "yin2024 Figures 2 (c) and 3, as M grows",
    .statement =
        "E[N_rej] and E[target calls] of batch(M) fall with M, E[tau] grows; one token: E[N_rej] "
        "falls strictly while d(x) t^{M+1}(x) prod_m r_m > 0 for some x",
    .hypotheses = "gamma = inf, any pair",
    .check = one_draft_more,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .drafts = 2, .random = {2, 8, 20}}},
    .bites = {{raised("yin2024.section3.2.more"), replaced("batch", "batch-printed")}},
};

// The improvement of one token is TV(d, t) - prod_m r_m, and prod_m r_m is E[N_rej] of batch(M).

/// The token that the draft likes better has u >= v.
constexpr NamedForm kBernoulli{
    "TV(d, t) - (u - v) (1 - u^(M-1))", "yin2024.bernoulli", [](const Instance& at) {
      const auto draft = at.draft();
      const auto target = at.target();
      const std::size_t x = draft[0] >= target[0] ? 0 : 1;
      return Rational(distance(at) - bernoulli_improvement(draft[x], target[x], at.drafts));
    }};

constexpr ClaimRow kBernoulliRow{
    .id = "yin2024.section3.2.bernoulli",
    .source = "yin2024 section 3.2, Bernoulli distribution",
    .statement = "TV(t, d) - prod_m r_m = |u - v| (1 - u^{M-1}), d ~ Ber(u), t ~ Ber(v)",
    .hypotheses = "one token, u >= v",
    .check = equal(rejections(kBatch), kBernoulli).where(bernoulli),
    .places = {SearchSpace{
        .tokens = 2, .gammas = 1, .drafts = {3, 4, 6}, .denominator = {5, 6, 12}}},
    .bites = {{raised("yin2024.bernoulli"), replaced("batch", "batch-printed")}},
};

/// r, the share of the draft's tokens that the target takes.
Rational ratio(const Instance& at) { return at.target()[0] / at.draft()[0]; }

constexpr NamedForm kUniform{
    "TV(d, t) - ((1 - 1/r) - (1 - 1/r)^M)", "yin2024.uniform", [](const Instance& at) {
      return Rational(distance(at) - uniform_improvement<Rational>(ratio(at), at.drafts));
    }};
constexpr NamedForm kUniformLeast{
    "TV(d, t) - (M - 1) / r", "yin2024.uniform-least", [](const Instance& at) {
      return Rational(distance(at) - Rational(at.drafts - 1) / ratio(at));
    }};

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

constexpr ClaimRow kUniformRow{
    .id = "yin2024.section3.2.uniform",
    .source = "yin2024 section 3.2, uniform distribution",
    .statement =
        "TV(t, d) - prod_m r_m = (1 - 1/r) - (1 - 1/r)^M, positive for r > 1, M > 1, at most (M - "
        "1) / r, so that it vanishes as r grows",
    .hypotheses = "one token; d uniform on V tokens, t on V / r of them",
    .check = equal(rejections(kBatch), kUniform) && at_least(rejections(kBatch), kUniformLeast) &&
             below(rejections(kBatch), kLine).where([](const Instance& at) {
               return ratio(at) > 1 && at.drafts > 1;
             }),
    .places = {Family{"uniform laws on 1 <= n <= V tokens, V to 5/6/9, gamma 1, K 1..4",
                      uniform_laws}},
    .bites = {{raised("yin2024.uniform"), replaced("batch", "batch-printed")}},
};

/// From decodes with more and more drafts: prod_m r_m is within what more can still change of 0.
Comparisons improvement_limit(const Instance& at) {
  Comparisons says;
  for (const int many : kGrowing) {
    // Over three tokens the sequences of decisions double with every draft.
    if (at.pair().vocabulary() > 2 && many > 8) continue;
    const Rational left =
        exact_answer(fmt::format("batch(M={})", many), at, 1).fraction(QuantityId::rejections);
    says.at_most(left, rest_after(at, many),
                 "TV(d, t) less the batch improvement of one token, M = {}, against what more "
                 "drafts can change",
                 many);
    says.at_least(left, 0, "the same against 0");
  }
  return says;
}

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
    .correction =
        {"where supp t lies within supp d, so u < 1 or u = v",
         improvement_limit,
         {Place(SearchSpace{.tokens = 2, .gammas = 1, .denominator = {5, 6, 10}}).only(kCovered)}},
    .bites = {{zeroed("yin2024.rest"), replaced("batch", "batch-printed")}},
};

constexpr ClaimRow kClaims[] = {kImprovement, kGrowth, kBernoulliRow, kUniformRow, kLimit};

}  // namespace
}  // namespace yin2024_batches

Claims yin2024_batches_claims() { return yin2024_batches::kClaims; }

}  // namespace speclab
