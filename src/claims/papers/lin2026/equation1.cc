// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): the class of equation (1).
#include <algorithm>

#include "claims/papers/lin2026/class.h"
#include "claims/papers/lin2026/drafts.h"

namespace speclab {
namespace lin2026_equation1 {
namespace {

// --- One kernel for all drafts: narrower than the class.

/// P(X_1 = X_2) - sum d^2 of drafts that are i.i.d. given Y: the sum over x of the variance of
/// k(x|Y), 0 where the drafts are independent, hence positive unless k does not depend on Y.
Comparisons one_kernel(const Instance& instance) {
  Comparisons comparisons;
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  each_kernel(instance, instance.depth, [&](const Kernel& kernel) {
    Rational excess(0);
    bool dependent = false;
    for (std::size_t y = 0; y < target.size(); ++y) {
      if (target[y] == 0) continue;
      for (std::size_t x = 0; x < draft.size(); ++x) {
        excess += target[y] * (kernel[y][x] * kernel[y][x] - draft[x] * draft[x]);
        dependent = dependent || kernel[y][x] != draft[x];
      }
    }
    comparisons.push_back(
        {fmt::format("P(X_1 = X_2) - sum d^2, {} on y, at k={}",
                     dependent ? "depending" : "not depending", kernel_text(kernel)),
         ingredient("lin2026.one-kernel.excess", excess), dependent ? Order::above : Order::equal,
         Rational(0)});
  });
  return comparisons;
}

constexpr ClaimRow kOneKernel{
    .id = "lin2026.equation1.one-kernel",
    .source = "this project, after lin2026 equation (13), which takes one kernel for all drafts",
    .statement = "drafts with one kernel P(x | y) for all, i.i.d. ~ d, are independent of y",
    .hypotheses =
        "K >= 2; narrower than the class of equation (1), whose kernels need not be alike",
    .check = one_kernel,
    .places = {SearchSpace{
                   .tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = 2, .denominator = 4},
               BatteryShape{.tokens = 3,
                            .gammas = 1,
                            .least_drafts = 2,
                            .drafts = 2,
                            .random = 0,
                            .contexts = false}},
    .depth = {4, 6, 8},
    .bites = {{{"lin2026.one-kernel.excess", Fault::zeroed},
               {"lin2026.one-kernel.excess", Fault::raised}}},
};

// --- Two tokens, one position: the class can be searched.

/// 1 - sum t (1 - u)(1 - d)^(K-1), u = min(1, d/t): one draft looks at y, the others cannot.
Rational two_token_optimum(const Instance& instance) {
  Rational missed(0);
  for (Token x = 0; x < 2; ++x) {
    const Rational& d = instance.rows->draft(0)[static_cast<std::size_t>(x)];
    const Rational& t = instance.rows->target(0)[static_cast<std::size_t>(x)];
    if (t == 0) continue;
    missed += t * (1 - lesser<Rational>(d / t, Rational(1))) *
              power<Rational>(1 - d, instance.drafts - 1);
  }
  return ingredient("lin2026.two-token-optimum", 1 - missed);
}

Comparisons optimum_is_bound(const Instance& instance) {
  if (instance.pair().vocabulary() != 2) return {};
  return {{"max of E[tau] over the class against equation (5)", two_token_optimum(instance),
           Order::equal, printed_bound(instance, instance.drafts)}};
}

/// Members found by the definition, outcome by outcome, against the formula.
Comparisons optimum_by_search(const Instance& instance) {
  const Blocks blocks = blocks_of(instance);
  Rational most(-1);
  int most_looking = 0;
  each_two_token_member(blocks, instance.drafts, instance.depth, [&](const auto& kernels) {
    int looking = 0;
    for (const Kernel& kernel : kernels) looking += kernel[0] != kernel[1] ? 1 : 0;
    most_looking = std::max(most_looking, looking);
    const Rational mean = mean_agreement(blocks, kernels);
    if (mean > most) most = mean;
  });
  if (most < 0) return {};
  return {
      {"drafts of a member that look at y", Rational(most_looking), Order::at_most, Rational(1)},
      {"largest E[tau] of the members found against 1 - sum t (1 - u)(1 - d)^(K-1)", most,
       Order::equal, two_token_optimum(instance)}};
}

constexpr SearchSpace kTwoTokens{
    .tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = {3, 3, 4}, .denominator = {4, 4, 6}};

constexpr ClaimRow kOptimum{
    .id = "lin2026.equation1.optimum",
    .source = "lin2026 section 4.1, equation (1), Theorem 5.3",
    .statement = "max of E[tau] over the conditionally independent couplings = equation (5)",
    .hypotheses = "drafts i.i.d. ~ d, and independent given y with kernels of their own; K >= 2",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = optimum_is_bound,
    .places = {kTwoTokens},
    .correction = {"two tokens, L = 1: one draft at most looks at y, and the maximum is "
                   "1 - sum t (1 - u)(1 - d)^(K-1), u = min(1, d/t)",
                   optimum_by_search,
                   {kTwoTokens}},
    .depth = {4, 5, 6},
    .bites = {{{"lin2026.two-token-optimum", Fault::raised},
               {"lin2026.two-token-optimum", Fault::constant}}},
};

constexpr ClaimRow kClaims[] = {kOneKernel, kOptimum};

}  // namespace
}  // namespace lin2026_equation1

Claims lin2026_equation1_claims() { return lin2026_equation1::kClaims; }

}  // namespace speclab
