// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 3.2 and appendix D: batches of drafts.
#include <fmt/format.h>

#include <array>

#include "claims/registry.h"
#include "claims/simulated.h"
#include "claims/yin2024_decodes.h"
#include "claims/yin2024_recursion.h"

namespace speclab {
namespace {

ClaimResult algorithm4(const ClaimContext& context) {
  Examination examination(context);
  examination.search(
      {.tokens = 3, .gammas = 2, .drafts = 2, .denominator = context.size(3, 3, 4)},
      emits_target([](const Instance& instance) { return batch_of(instance, "batch-printed"); }));
  return examination.finish();
}

ClaimResult theorem3_lossless(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .drafts = 3, .random = context.size(2, 8, 20)},
                    emits_target([](const Instance& instance) { return batch_of(instance); }));
  simulate_output_law(examination, "batch(M=3)",
                      make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 3), 3);
  return examination.finish();
}

Statement theorem3_statement(int first) {
  return [first](const Instance& instance) -> std::vector<Compared> {
    return {{fmt::format("E[N_rej] of batch, T = gamma, M = K, against Theorem 3 with f(x_0) = {}",
                         first),
             decode_to_horizon(batch_of(instance), instance).rejections, Order::equal,
             theorem3_sum(instance, instance.drafts, Rational(first))}};
  };
}

/// sum over x_{1:T} of f = P(R_T = 1), the growth of E[N_rej] from T - 1 to T.
Statement equation22_statement(int first) {
  return [first](const Instance& instance) -> std::vector<Compared> {
    Rational sum(0);
    for (const Weighed& path : equation22(instance, instance.drafts, Rational(first))) {
      if (static_cast<int>(path.tokens.size()) == instance.gamma) sum += path.f;
    }
    Rational rejected = decode_to_horizon(batch_of(instance), instance).rejections;
    if (instance.gamma > 1) {
      Instance shorter = instance;
      --shorter.gamma;
      rejected -= decode_to_horizon(batch_of(shorter), shorter).rejections;
    }
    return {{fmt::format("P(R_T = 1) of batch, T = gamma, M = K, against sum of f with f(x_0) = {}",
                         first),
             rejected, Order::equal, sum}};
  };
}

ClaimResult recursion(const ClaimContext& context, Statement (*statement)(int first)) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .drafts = 2, .denominator = 3}, statement(0));
  examination.search({.tokens = 2, .gammas = 2, .drafts = 3, .denominator = context.size(3, 4, 6)},
                     statement(1), Reading::corrected);
  examination.check({.tokens = 3, .gammas = 3, .drafts = 3, .random = context.size(2, 8, 20)},
                    statement(1), Reading::corrected);
  return examination.finish();
}

ClaimResult equation22_claim(const ClaimContext& context) {
  return recursion(context, equation22_statement);
}
ClaimResult theorem3_rejections(const ClaimContext& context) {
  return recursion(context, theorem3_statement);
}

ClaimResult improvement(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .drafts = 3, .random = context.size(2, 8, 20)},
                    [](const Instance& instance) -> std::vector<Compared> {
                      return {{"E[N_rej] of batch, T = gamma, M = K, against token",
                               decode_to_horizon(batch_of(instance), instance).rejections,
                               Order::at_most, decode_to_horizon("token", instance).rejections}};
                    });
  return examination.finish();
}

/// By how much batch(M = K) rejects a single token less often than token verification.
Rational saved(const Instance& instance) {
  return decode_to_horizon("token", instance).rejections -
         decode_to_horizon(batch_of(instance), instance).rejections;
}

ClaimResult bernoulli(const ClaimContext& context) {
  Examination examination(context);
  examination.search(
      {.tokens = 2,
       .gammas = 1,
       .drafts = context.size(3, 4, 6),
       .denominator = context.size(5, 6, 12)},
      [](const Instance& instance) -> std::vector<Compared> {
        if (instance.pair().vocabulary() != 2) return {};
        // The token that the draft likes better has u >= v.
        const auto draft = instance.rows->draft(0);
        const auto target = instance.rows->target(0);
        const std::size_t x = draft[0] >= target[0] ? 0 : 1;
        return {{"batch improvement of one token, M = K, against (u - v) (1 - u^(M-1))",
                 saved(instance), Order::equal,
                 bernoulli_improvement(draft[x], target[x], instance.drafts)}};
      });
  return examination.finish();
}

ClaimResult uniform(const ClaimContext& context) {
  Examination examination(context);
  std::vector<Instance> instances;
  for (int wide = 1; wide <= context.size(5, 6, 9); ++wide) {
    for (int narrow = 1; narrow <= wide; ++narrow) {
      for (int many = 1; many <= 4; ++many) {
        instances.push_back(
            make_instance(fmt::format("uniform(draft={},target={})", wide, narrow), 1, many));
      }
    }
  }
  examination.check(instances, [](const Instance& instance) {
    const auto ratio = instance.rows->target(0)[0] / instance.rows->draft(0)[0];
    const Rational found = saved(instance);
    std::vector<Compared> comparisons{
        {"batch improvement of one token, M = K, against (1 - 1/r) - (1 - 1/r)^M", found,
         Order::equal, uniform_improvement<Rational>(ratio, instance.drafts)}};
    if (ratio > 1 && instance.drafts > 1) {
      comparisons.push_back({"batch improvement, r > 1, M > 1", found, Order::above, Rational(0)});
    }
    return comparisons;
  });
  return examination.finish();
}

ClaimResult improvement_limit(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    const auto draft = instance.rows->draft(0);
    const auto target = instance.rows->target(0);
    const BatchStep step = batch_step(draft, target, kManyBatches);
    return {{"limit of the batch improvement of one token against TV(d, t)", step.tv - step.product,
             Order::equal, step.tv}};
  };
  examination.search({.tokens = 2, .gammas = 1, .denominator = 4}, statement);
  examination.search({.tokens = 2, .gammas = 1, .denominator = context.size(6, 8, 16)},
                     where_covered(statement), Reading::corrected);
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;

constexpr std::array kClaims{
    ClaimRow{"yin2024.algorithm4", "yin2024 Algorithm 4, Theorem 3, first part",
             "the output of Algorithm 4 as printed (batch-printed(M)) has the target's law",
             "line 28 inside the loop over the drafts", kRefuted, "", algorithm4},
    ClaimRow{"yin2024.theorem3.lossless", "yin2024 Theorem 3, first part",
             "the output of batch(M) has the target's law",
             "Algorithm 4 repaired: all M roots are tried, then t^{M+1}", kHolds, "",
             theorem3_lossless},
    ClaimRow{"yin2024.equation22", "yin2024 equation (22)",
             "P(R_n = 1) = sum of f(x_{1:n}), f = h t(x_{1:n-1}) - (h - prod_m r_m t^{M+1}(x_n)) "
             "f(x_{1:n-1}), no draft being rejected before x_1",
             "batch(M), gamma = inf", kCorrected,
             "f(x_0) = 1: position 1 is a root, as a position after a rejection is",
             equation22_claim},
    ClaimRow{"yin2024.theorem3.rejections", "yin2024 Theorem 3, second part",
             "E[N_rej] = sum_n E_t[TV] - sum_n E_f[TV - prod_m r_m], no draft being rejected "
             "before x_1",
             "batch(M), gamma = inf", kCorrected,
             "f(x_0) = 1: position 1 is a root, as a position after a rejection is",
             theorem3_rejections},
    ClaimRow{"yin2024.theorem3.improvement", "yin2024 Theorem 3, takeaways",
             "the batch improvement is never negative: E[N_rej] of batch(M) <= E[N_rej] of token",
             "gamma = inf, any pair", kHolds, "", improvement},
    ClaimRow{"yin2024.section3.2.bernoulli", "yin2024 section 3.2, Bernoulli distribution",
             "TV(t, d) - prod_m r_m = |u - v| (1 - u^{M-1}), d ~ Ber(u), t ~ Ber(v)",
             "one token, u >= v", kHolds, "", bernoulli},
    ClaimRow{"yin2024.section3.2.uniform", "yin2024 section 3.2, uniform distribution",
             "TV(t, d) - prod_m r_m = (1 - 1/r) - (1 - 1/r)^M, positive for r > 1, M > 1",
             "one token; d uniform on V tokens, t on V / r of them", kHolds, "", uniform},
    ClaimRow{"yin2024.section3.2.limit", "yin2024 section 3.2, batch improvement",
             "lim_{M -> inf} TV(t, d) - prod_m r_m = TV(t, d)", "one token, Bernoulli laws",
             kCorrected, "where supp t lies within supp d, so u < 1 or u = v", improvement_limit},
};

}  // namespace

std::span<const ClaimRow> yin2024_batches_claims() { return kClaims; }

}  // namespace speclab
