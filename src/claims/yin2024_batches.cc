// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 3.2 and appendix D: batches of drafts.
#include <fmt/format.h>

#include <array>

#include "claims/one_iteration.h"
#include "claims/registry.h"
#include "claims/simulated.h"
#include "claims/yin2024_decodes.h"
#include "model/listed_tree.h"

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

/// One context of Theorem 3, with its divisions as printed: t^1 = t, r_m = TV(t^m, d), t^{m+1} =
/// [t^m - d]+ / r_m. Where some r_m is 0 the product is 0 and `last` has no say.
struct BatchStep {
  Rational tv;
  Rational product{1};         ///< r_1 ... r_M
  std::vector<Rational> last;  ///< t^{M+1}
};

BatchStep batch_step(std::span<const Rational> draft, std::span<const Rational> target, int many) {
  BatchStep step{total_variation(target, draft), Rational(1), {target.begin(), target.end()}};
  if (many == kManyBatches) {
    // What the drafts can hit is used up.
    step.last = remaining_target(draft, target, kManyBatches);
    step.product = 0;
    for (const Rational& mass : step.last) step.product += mass;
    if (step.product > 0) {
      for (Rational& mass : step.last) mass /= step.product;
    }
    return step;
  }
  for (int m = 1; m <= many && step.product > 0; ++m) {
    const Rational missed = total_variation<Rational>(step.last, draft);
    step.product *= missed;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      step.last[x] = missed > 0
                         ? Rational(positive_part<Rational>(step.last[x] - draft[x]) / missed)
                         : Rational(0);
    }
  }
  return step;
}

/// A path and its f by equation (22).
struct Weighed {
  TokenPath tokens;
  State state;
  Rational target;  ///< t(x_{1:n})
  Rational f;
  Rational h_rest;  ///< h(x_n) (t(x_{1:n-1}) - f(x_{1:n-1})), what Proposition 1 says f_inf is
};

/// f of every path of 0..T tokens, path by path, from f(x_0) = `first`.
std::vector<Weighed> equation22(const Instance& instance, int many, const Rational& first) {
  const Rows<Rational>& rows = *instance.rows;
  std::vector<Weighed> paths;
  for (const Start& start : instance.pair().start()) {
    paths.push_back({{}, start.state, start.probability, start.probability * first, Rational(0)});
  }
  for (std::size_t at = 0; at < paths.size(); ++at) {
    const Weighed parent = paths[at];
    if (static_cast<int>(parent.tokens.size()) == instance.gamma) break;
    const auto draft = rows.draft(parent.state);
    const auto target = rows.target(parent.state);
    const BatchStep step = batch_step(draft, target, many);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] == 0) continue;
      const Rational h = positive_part<Rational>(target[x] - draft[x]);
      const auto token = static_cast<Token>(x);
      paths.push_back({parent.tokens, rows.next(parent.state, token), parent.target * target[x],
                       h * parent.target - (h - step.product * step.last[x]) * parent.f,
                       h * (parent.target - parent.f)});
      paths.back().tokens.push_back(token);
    }
  }
  return paths;
}

/// Theorem 3's sum.
Rational theorem3_sum(const Instance& instance, int many, const Rational& first) {
  Rational sum(0);
  for (const Weighed& path : equation22(instance, many, first)) {
    if (static_cast<int>(path.tokens.size()) == instance.gamma) continue;
    const BatchStep step =
        batch_step(instance.rows->draft(path.state), instance.rows->target(path.state), many);
    sum += path.target * step.tv - path.f * (step.tv - step.product);
  }
  return sum;
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

/// Whether every token of the target has a chance in the draft, at the contexts of T tokens.
bool covered(const Instance& instance) {
  for (State state = 0; state < instance.pair().states(); ++state) {
    const auto target = instance.rows->target(state);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] > 0 && instance.rows->draft(state)[x] == 0) return false;
    }
  }
  return true;
}

/// `statement` where the target's support lies within the draft's.
Statement where_covered(const Statement& statement) {
  return [statement](const Instance& instance) {
    return covered(instance) ? statement(instance) : std::vector<Compared>{};
  };
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

ClaimResult proposition1_first(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = 3, .drafts = 3, .random = context.size(2, 8, 20)},
      [](const Instance& instance) {
        std::vector<Compared> comparisons;
        for (const int many : {instance.drafts, kManyBatches}) {
          if (many == kManyBatches && instance.drafts > 1) continue;
          for (const Weighed& path : equation22(instance, many, Rational(1))) {
            comparisons.push_back(
                {fmt::format("f{} at {} against t", many == kManyBatches ? "_inf" : "",
                             path_text(path.tokens)),
                 path.f, Order::at_most, path.target});
            comparisons.push_back({"f against 0", path.f, Order::at_least, Rational(0)});
          }
        }
        return comparisons;
      });
  return examination.finish();
}

/// A batch so large that on laws whose probabilities are 0 or at least 1/4 next to nothing is left.
constexpr int kLargeBatch = 96;
Rational nothing() { return Rational(1, 1 << 20); }

std::vector<Compared> limit_recursion(const Instance& instance) {
  std::vector<Compared> comparisons;
  for (const Weighed& path : equation22(instance, kManyBatches, Rational(1))) {
    if (path.tokens.empty()) continue;
    comparisons.push_back({fmt::format("f_inf at {} against h (t - f_inf)", path_text(path.tokens)),
                           path.f, Order::equal, path.h_rest});
  }
  return comparisons;
}

/// f_inf is the limit of f_M.
std::vector<Compared> approaches_limit(const Instance& instance) {
  std::vector<Compared> comparisons;
  const auto large = equation22(instance, kLargeBatch, Rational(1));
  const auto limit = equation22(instance, kManyBatches, Rational(1));
  for (std::size_t i = 0; i < large.size(); ++i) {
    comparisons.push_back(
        {fmt::format("|f_M - f_inf| at {}, M = {}", path_text(limit[i].tokens), kLargeBatch),
         abs(large[i].f - limit[i].f), Order::at_most, nothing()});
  }
  return comparisons;
}

ClaimResult proposition1_second(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 3}, limit_recursion);
  examination.search({.tokens = 3, .gammas = 1, .denominator = 4}, approaches_limit,
                     Reading::corrected);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40), .target_only = true},
      limit_recursion, Reading::corrected);
  return examination.finish();
}

/// lim E[N_rej] by Theorem 3.
Rational limit_rejections(const Instance& instance) {
  Budget budget;
  return batch_rejections(*instance.rows, start_law(*instance.rows), kManyBatches, instance.gamma,
                          budget)
      .expected();
}

std::vector<Compared> limit_sum(const Instance& instance) {
  Rational sum(0);
  for (const Weighed& path : equation22(instance, kManyBatches, Rational(1))) {
    if (static_cast<int>(path.tokens.size()) == instance.gamma) continue;
    sum += (path.target - path.f) *
           total_variation(instance.rows->target(path.state), instance.rows->draft(path.state));
  }
  return {{"lim E[N_rej], T = gamma, against sum of (t - f_inf) TV", limit_rejections(instance),
           Order::equal, sum}};
}

std::vector<Compared> rejections_approach_limit(const Instance& instance) {
  return {{fmt::format("|E[N_rej] at M = {} - its limit|, T = gamma", kLargeBatch),
           abs(theorem3_sum(instance, kLargeBatch, Rational(1)) - limit_rejections(instance)),
           Order::at_most, nothing()}};
}

ClaimResult proposition1_third(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 3}, limit_sum);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 4}, rejections_approach_limit,
                     Reading::corrected);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40), .target_only = true}, limit_sum,
      Reading::corrected);
  return examination.finish();
}

/// The toy laws at position 1, equal ones after it.
Instance mismatch_at_first(int horizon) {
  const std::vector<Rational> one{Rational(2, 3), Rational(1, 3)};
  const std::vector<Rational> other{Rational(1, 3), Rational(2, 3)};
  auto pair = std::make_shared<ListedTreePair>(2, ListedLaws{{{}, one}, {{0}, one}, {{1}, one}},
                                               ListedLaws{{{}, other}, {{0}, one}, {{1}, one}});
  pair->set_name("first: iid(draft=[2/3,1/3],target=[1/3,2/3]), then draft = target");
  return {std::make_shared<const Rows<Rational>>(pair), horizon, 1};
}

Statement limit_positive(bool different) {
  return [different](const Instance& instance) -> std::vector<Compared> {
    const Rational mismatch = tv_along_target(instance).expected();
    if (different && mismatch == 0) return {};
    return {{"lim E[N_rej], T = gamma, as M grows", limit_rejections(instance), Order::above,
             Rational(0)}};
  };
}

void search_vanishing(Examination& examination) {
  examination.search({.tokens = 2, .gammas = 2, .denominator = 4}, limit_positive(false));
  examination.search({.tokens = 2, .gammas = 2, .denominator = 4}, limit_positive(true));
  examination.check({mismatch_at_first(2), mismatch_at_first(3)}, limit_positive(true));
}

ClaimResult proposition1_last(const ClaimContext& context) {
  Examination examination(context);
  search_vanishing(examination);
  return examination.finish();
}

/// Positive exactly where the target meets a mismatch at some position n >= 2.
std::vector<Compared> limit_positive_when(const Instance& instance) {
  const auto terms = tv_along_target(instance).probability;
  bool later = false;
  for (std::size_t n = 1; n < terms.size(); ++n) later = later || terms[n] > 0;
  const Rational limit = limit_rejections(instance);
  return {{later ? "lim E[N_rej], T = gamma, a mismatch after position 1"
                 : "lim E[N_rej], T = gamma, no mismatch after position 1",
           limit, later ? Order::above : Order::equal, Rational(0)}};
}

ClaimResult proposition1_last_corrected(const ClaimContext& context) {
  Examination examination(context);
  search_vanishing(examination);
  examination.search({.tokens = 2, .gammas = 3, .denominator = context.size(4, 6, 10)},
                     where_covered(limit_positive_when), Reading::corrected);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40), .target_only = true},
      limit_positive_when, Reading::corrected);
  examination.check({mismatch_at_first(2), mismatch_at_first(3)}, limit_positive_when,
                    Reading::corrected);
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
    ClaimRow{"yin2024.proposition1.first", "yin2024 Proposition 1, first item",
             "0 <= f_M(x_{1:n}) <= t(x_{1:n}) for all M, and for f_inf", "f(x_0) = 1", kHolds, "",
             proposition1_first},
    ClaimRow{"yin2024.proposition1.second", "yin2024 Proposition 1, second item",
             "f_inf(x_{1:n}) = h(x_n) [t(x_{1:n-1}) - f_inf(x_{1:n-1})]", "f(x_0) = 1", kCorrected,
             "where supp t lies within supp d: else prod_m r_m -> t{d = 0} and not 0",
             proposition1_second},
    ClaimRow{"yin2024.proposition1.third", "yin2024 Proposition 1, third item",
             "lim_{M -> inf} E[N_rej] = sum_n (E_t[TV] - E_{f_inf}[TV])", "f(x_0) = 1", kCorrected,
             "where supp t lies within supp d: else prod_m r_m -> t{d = 0} and not 0",
             proposition1_third},
    ClaimRow{"yin2024.proposition1.last", "yin2024 Proposition 1, last item",
             "E[N_rej] does not tend to 0 as M -> inf", "any pair, any T", kRefuted, "",
             proposition1_last},
    ClaimRow{"yin2024.proposition1.last-corrected", "yin2024 Proposition 1, last item, corrected",
             "E[N_rej] does not tend to 0 as M -> inf", "supp t within supp d", kCorrected,
             "the limit is positive if and only if E_t[TV_n] > 0 for some n >= 2",
             proposition1_last_corrected},
};

}  // namespace

std::span<const ClaimRow> yin2024_batches_claims() { return kClaims; }

}  // namespace speclab
