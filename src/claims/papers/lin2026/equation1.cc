// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): the class of equation (1).
#include "claims/papers/lin2026/class.h"
#include "claims/papers/lin2026/drafts.h"

namespace speclab {
namespace lin2026_equation1 {
namespace {

// --- One kernel for all drafts: narrower than the class.

/// P(X_1 = X_2) - sum d^2 of drafts that are i.i.d. given Y: the sum over x of
/// the variance of k(x|Y), 0 where the drafts are independent, hence positive
/// unless k does not depend on Y.
Comparisons one_kernel(const Instance& at) {
  Comparisons says;
  const auto draft = at.draft();
  const auto target = at.target();
  each_kernel(at, at.depth, [&](const Kernel& kernel) {
    Rational excess(0);
    bool dependent = false;
    for (std::size_t y = 0; y < target.size(); ++y) {
      for (std::size_t x = 0; target[y] > 0 && x < draft.size(); ++x) {
        excess += target[y] * (kernel[y][x] * kernel[y][x] - draft[x] * draft[x]);
        dependent = dependent || kernel[y][x] != draft[x];
      }
    }
    says.add(ingredient("lin2026.one-kernel.excess", excess),
             dependent ? Order::above : Order::equal, 0, "P(X_1 = X_2) - sum d^2, {} on y, at k={}",
             dependent ? "depending" : "not depending", kernel_text(kernel));
  });
  return says;
}

constexpr ClaimRow kOneKernel{
    .id = "lin2026.equation1.one-kernel",
    .source = "this project, after lin2026 equation (13), which takes one kernel for all drafts",
    .statement = "drafts with one kernel P(x | y) for all, i.i.d. ~ d, are independent of y",
    .hypotheses =
        "K >= 2; narrower than the class of equation (1), whose kernels need not be alike",
    .check = one_kernel,
    .places = {SearchSpace{.tokens = 2,
                           .gammas = 1,
                           .least_drafts = 2,
                           .drafts = 2,
                           .denominator = 4,
                           .memoryless = true},
               BatteryShape{.tokens = 3,
                            .gammas = 1,
                            .least_drafts = 2,
                            .drafts = 2,
                            .random = 0,
                            .contexts = false}},
    .depth = {4, 6, 8},
    .bites = {{zeroed("lin2026.one-kernel.excess"), raised("lin2026.one-kernel.excess")}},
};

// --- Two tokens, one position: the class can be searched.

/// u = min(1, d/t): one draft looks at y, the others cannot.
constexpr NamedForm kTwoTokenOptimum{
    "1 - sum t (1 - u)(1 - d)^(K-1)", "lin2026.two-token-optimum", [](const Instance& at) {
      Rational met(1);
      for (std::size_t x = 0; x < 2; ++x) {
        const Rational& d = at.draft()[x];
        const Rational& t = at.target()[x];
        met -= positive_part<Rational>(t - d) * power<Rational>(1 - d, at.drafts - 1);
      }
      return met;
    }};

/// Members found by the definition, outcome by outcome, against the formula.
Comparisons optimum_by_search(const Instance& at) {
  const Blocks blocks = blocks_of(at);
  Rational most(-1);
  int most_looking = 0;
  each_two_token_member(blocks, at.drafts, at.depth, [&](const Kernels& kernels) {
    const auto looking = std::count_if(kernels.begin(), kernels.end(),
                                       [](const Kernel& kernel) { return kernel[0] != kernel[1]; });
    most_looking = std::max(most_looking, static_cast<int>(looking));
    most = std::max(most, mean_agreement(blocks, kernels));
  });
  if (most < 0) return {};
  return {{"drafts of a member that look at y", most_looking, Order::at_most, 1},
          {"largest E[tau] of the members found against 1 - sum t (1 - u)(1 - d)^(K-1)", most,
           Order::equal, kTwoTokenOptimum(at)}};
}

constexpr SearchSpace kTwoTokens{.tokens = 2,
                                 .gammas = 1,
                                 .least_drafts = 2,
                                 .drafts = {3, 3, 4},
                                 .denominator = {4, 4, 6},
                                 .memoryless = true};

constexpr ClaimRow kOptimum{
    .id = "lin2026.equation1.optimum",
    .source = "lin2026 section 4.1, equation (1), Theorem 5.3",
    .statement = "max of E[tau] over the conditionally independent couplings = equation (5)",
    .hypotheses = "drafts i.i.d. ~ d, and independent given y with kernels of their own; K >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = equal(kTwoTokenOptimum, kEquation5).where([](const Instance& at) {
      return at.pair().vocabulary() == 2;
    }),
    .places = {kTwoTokens},
    .correction = {"for two tokens and L = 1 the maximum 1 - sum t (1 - u)(1 - d)^(K-1), u = "
                   "min(1, d/t): at most one draft depends on y",
                   optimum_by_search,
                   {kTwoTokens},
                   Amends::by_replacement},
    .depth = {4, 5, 6},
    .bites = {{raised("lin2026.two-token-optimum"), constant("lin2026.two-token-optimum")}},
};

constexpr ClaimRow kClaims[] = {kOneKernel, kOptimum};

}  // namespace
}  // namespace lin2026_equation1

Claims lin2026_equation1_claims() { return lin2026_equation1::kClaims; }

}  // namespace speclab
