// The block rule of an engine that is not block verification.
#include "claims/papers/rules/rules.h"
#include "theory/engines.h"

namespace speclab {
namespace rules_ascend {
namespace {

constexpr ClaimRow kAscend{
    .id = "engines.ascend-block",
    .source = kEngines,
    .statement =
        "to accept the longest prefix with min(1, r_1) .. min(1, r_i) >= u_1 .. u_i, and to "
        "correct from [w_i t - d]+, keeps the target's law",
    .hypotheses = "gamma >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("ascend-block", Horizon{1, 1}),
    .places = {SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = {3, 4, 6}},
               NamedPair{kToy, 3}},
    .correction = {"block, whose coins are h_i, one for each prefix",
                   lossless("block"),
                   {kLossless},
                   Amends::by_replacement},
    .bites = {{replaced("ascend-block", "block"), replaced("block", "ascend-block")}},
};

/// Both sides round logarithms to doubles.
Comparisons ascend_law(const Instance& instance) {
  const Rational rounding(1, 1'000'000'000'000);
  const auto found = tail_of("ascend-block", instance);
  const auto wanted =
      ingredient("engines.ascend-block.formula",
                 ascend_tail(*instance.rows, start_law(*instance.rows), instance.gamma));
  Comparisons says;
  for (std::size_t i = 1; i < wanted.size(); ++i) {
    says.at_most(abs(Rational(found.at(i) - wanted[i])), rounding,
                 "P(tau >= {}) of ascend-block less the closed form's", i);
  }
  return says;
}

constexpr ClaimRow kAscendLaw{
    .id = "engines.ascend-block.law",
    .source = kEngines,
    .statement =
        "P(tau >= k | X) of ascend-block is sum_i p_max(i,k) V_(i-1), with p_i = min(1, r_1) .. "
        "min(1, r_i) and V Steck's determinant of the -ln p_max(i,k)",
    .hypotheses = "any pair, any gamma; to 10^-12, since logarithms are rounded",
    .check = ascend_law,
    .places = {kLossless, NamedPair{kToy, 3}, NamedPair{kThreeTokens, 3}},
    .bites = {{raised("engines.ascend-block.formula"), replaced("ascend-block", "block"),
               replaced("ascend-block", "wrong-coin-product")}},
};

constexpr ClaimRow kClaims[] = {kAscend, kAscendLaw};

}  // namespace
}  // namespace rules_ascend

Claims rules_ascend_claims() { return rules_ascend::kClaims; }

}  // namespace speclab
