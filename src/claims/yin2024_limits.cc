// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Proposition 1: batches of ever more drafts.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "claims/registry.h"
#include "claims/yin2024_decodes.h"
#include "claims/yin2024_recursion.h"
#include "model/listed_tree.h"

namespace speclab {
namespace {

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

std::span<const ClaimRow> yin2024_limits_claims() { return kClaims; }

}  // namespace speclab
