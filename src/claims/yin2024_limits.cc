// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Proposition 1: batches of ever more drafts.
#include <fmt/format.h>

#include <memory>

#include "claims/yin2024_decodes.h"
#include "claims/yin2024_recursion.h"
#include "model/listed_tree.h"

namespace speclab {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};
constexpr std::string_view kSupport =
    "where supp t lies within supp d: else prod_m r_m -> t{d = 0} and not 0";

Comparisons first_item(const Instance& instance) {
  Comparisons comparisons;
  for (const int many : {instance.drafts, kManyBatches}) {
    if (many == kManyBatches && instance.drafts > 1) continue;
    for (const Weighed& path : equation22(instance, many, Rational(1))) {
      comparisons.push_back({fmt::format("f{} at {} against t", many == kManyBatches ? "_inf" : "",
                                         path_text(path.tokens)),
                             path.f, Order::at_most, path.target});
      comparisons.push_back({"f against 0", path.f, Order::at_least, Rational(0)});
    }
  }
  return comparisons;
}

constexpr ClaimRow kFirst{
    .id = "yin2024.proposition1.first",
    .source = "yin2024 Proposition 1, first item",
    .statement = "0 <= f_M(x_{1:n}) <= t(x_{1:n}) for all M, and for f_inf",
    .hypotheses = "f(x_0) = 1",
    .check = first_item,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}}},
};

/// A batch so large that on laws whose probabilities are 0 or at least 1/4 next to nothing is left.
constexpr int kLargeBatch = 96;
Rational nothing() { return Rational(1, 1 << 20); }

Comparisons limit_recursion(const Instance& instance) {
  Comparisons comparisons;
  for (const Weighed& path : equation22(instance, kManyBatches, Rational(1))) {
    if (path.tokens.empty()) continue;
    comparisons.push_back({fmt::format("f_inf at {} against h (t - f_inf)", path_text(path.tokens)),
                           path.f, Order::equal, path.h_rest});
  }
  return comparisons;
}

/// f_inf is the limit of f_M.
Comparisons approaches_limit(const Instance& instance) {
  Comparisons comparisons;
  const auto large = equation22(instance, kLargeBatch, Rational(1));
  const auto limit = equation22(instance, kManyBatches, Rational(1));
  for (std::size_t i = 0; i < large.size(); ++i) {
    comparisons.push_back(
        {fmt::format("|f_M - f_inf| at {}, M = {}", path_text(limit[i].tokens), kLargeBatch),
         abs(large[i].f - limit[i].f), Order::at_most, nothing()});
  }
  return comparisons;
}

constexpr ClaimRow kSecond{
    .id = "yin2024.proposition1.second",
    .source = "yin2024 Proposition 1, second item",
    .statement = "f_inf(x_{1:n}) = h(x_n) [t(x_{1:n-1}) - f_inf(x_{1:n-1})]",
    .hypotheses = "f(x_0) = 1",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_recursion,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 3}},
    .correction =
        {kSupport,
         limit_recursion,
         {Place(SearchSpace{.tokens = 3, .gammas = 1, .denominator = 4}).with(approaches_limit),
          Place(kBattery).only(kCovered)}},
};

/// lim E[N_rej] by Theorem 3.
Rational limit_rejections(const Instance& instance) {
  Budget budget;
  return batch_rejections(*instance.rows, start_law(*instance.rows), kManyBatches, instance.gamma,
                          budget)
      .expected();
}

Comparisons limit_sum(const Instance& instance) {
  Rational sum(0);
  for (const Weighed& path : equation22(instance, kManyBatches, Rational(1))) {
    if (static_cast<int>(path.tokens.size()) == instance.gamma) continue;
    sum += (path.target - path.f) *
           total_variation(instance.rows->target(path.state), instance.rows->draft(path.state));
  }
  return {{"lim E[N_rej], T = gamma, against sum of (t - f_inf) TV", limit_rejections(instance),
           Order::equal, sum}};
}

Comparisons rejections_approach_limit(const Instance& instance) {
  return {{fmt::format("|E[N_rej] at M = {} - its limit|, T = gamma", kLargeBatch),
           abs(theorem3_sum(instance, kLargeBatch, Rational(1)) - limit_rejections(instance)),
           Order::at_most, nothing()}};
}

constexpr ClaimRow kThird{
    .id = "yin2024.proposition1.third",
    .source = "yin2024 Proposition 1, third item",
    .statement = "lim_{M -> inf} E[N_rej] = sum_n (E_t[TV] - E_{f_inf}[TV])",
    .hypotheses = "f(x_0) = 1",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_sum,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 3}},
    .correction = {kSupport,
                   limit_sum,
                   {Place(SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4})
                        .with(rejections_approach_limit),
                    Place(kBattery).only(kCovered)}},
};

/// The toy laws at position 1, equal ones after it; gamma = T = 2, 3.
std::vector<Instance> mismatch_at_first(Effort) {
  const std::vector<Rational> one{Rational(2, 3), Rational(1, 3)};
  const std::vector<Rational> other{Rational(1, 3), Rational(2, 3)};
  const Instance instance = name_instance(
      std::make_shared<ListedTreePair>(2, ListedLaws{{{}, one}, {{0}, one}, {{1}, one}},
                                       ListedLaws{{{}, other}, {{0}, one}, {{1}, one}}),
      "first: iid(draft=[2/3,1/3],target=[1/3,2/3]), then draft = target", 2);
  Instance longer = instance;
  longer.gamma = 3;
  return {instance, longer};
}

constexpr Family kMismatchAtFirst{"the toy laws at position 1, equal laws after it, gamma 2..3",
                                  mismatch_at_first};
constexpr Filter kMismatch{"E[TV_n] > 0 for some n <= gamma", [](const Instance& instance) {
                             return tv_along_target(instance).expected() != 0;
                           }};
constexpr SearchSpace kVanishing{.tokens = 2, .gammas = 2, .denominator = 4};
constexpr SearchSpace kVanishingWhen{.tokens = 2, .gammas = 3, .denominator = {4, 6, 10}};

Comparisons limit_positive(const Instance& instance) {
  return {{"lim E[N_rej], T = gamma, as M grows", limit_rejections(instance), Order::above,
           Rational(0)}};
}

/// Positive exactly where the target meets a mismatch at some position n >= 2.
Comparisons limit_positive_when(const Instance& instance) {
  const auto terms = tv_along_target(instance).probability;
  bool later = false;
  for (std::size_t n = 1; n < terms.size(); ++n) later = later || terms[n] > 0;
  const Rational limit = limit_rejections(instance);
  return {{later ? "lim E[N_rej], T = gamma, a mismatch after position 1"
                 : "lim E[N_rej], T = gamma, no mismatch after position 1",
           limit, later ? Order::above : Order::equal, Rational(0)}};
}

constexpr ClaimRow kLast{
    .id = "yin2024.proposition1.last",
    .source = "yin2024 Proposition 1, last item",
    .statement = "E[N_rej] does not tend to 0 as M -> inf",
    .hypotheses = "any pair, any T",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_positive,
    .places = {kVanishing, Place(kVanishing).only(kMismatch),
               Place(kMismatchAtFirst).only(kMismatch)},
    .correction = {"where supp t lies within supp d: the limit is positive if and only if "
                   "E_t[TV_n] > 0 for some n >= 2",
                   limit_positive_when,
                   {Place(kVanishingWhen).only(kCovered), Place(kBattery).only(kCovered),
                    kMismatchAtFirst}},
};

constexpr ClaimRow kClaims[] = {kFirst, kSecond, kThird, kLast};

}  // namespace

Claims yin2024_limits_claims() { return kClaims; }

}  // namespace speclab
