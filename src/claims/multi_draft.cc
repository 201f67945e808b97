// Several i.i.d. drafts, position by position: SpecTr (2023), SpecInfer (2023) and the optimum.
#include "theory/multi_draft.h"

#include <fmt/format.h>

#include <array>

#include "claims/examination.h"
#include "claims/registry.h"

namespace speclab {
namespace {

/// A verifier's spec text with K drafts.
std::string with_drafts(std::string_view name, int drafts) {
  return fmt::format("{}(K={})", name, drafts);
}

Statement lossless(std::string_view name) {
  return [name](const Instance& instance) -> std::vector<Comparison> {
    const int horizon = instance.gamma + 1;
    const auto result = exact_result(with_drafts(name, instance.drafts), instance, horizon);
    return {{fmt::format("TV of the first {} tokens to the target's", horizon),
             result.decode->tv_to_target, Order::equal, Rational(0)}};
  };
}

ClaimResult rrs_lossless(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 2, .drafts = 2, .random = context.size(2, 6, 20)},
                    lossless("rrs"));
  return examination.finish();
}

/// rrs with K = 2 is never behind block verification of one draft?
ClaimResult rrs_against_block(const ClaimContext& context) {
  Examination examination(context);
  examination.search(
      {.tokens = 2, .gammas = 3, .least_drafts = 2, .drafts = 2, .denominator = 6},
      [](const Instance& instance) -> std::vector<Comparison> {
        return {{"E[tau] of rrs against block",
                 exact_result(with_drafts("rrs", instance.drafts), instance).expected_accepted,
                 Order::at_least, exact_result("block", instance).expected_accepted}};
      });
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;

constexpr std::array kClaims{
    ClaimRow{"specinfer2023.lossless", "Miao et al. 2023 (SpecInfer), Theorem 4.2",
             "the output of decoding with rrs(K) has the target's law",
             "any pair, any gamma, any K", kHolds, "", rrs_lossless},
    ClaimRow{"specinfer2023.above-block", "comparison with sun2025",
             "E[tau] of rrs(K) >= E[tau] of block for K >= 2", "same pair, same gamma", kRefuted,
             "", rrs_against_block},
};

}  // namespace

std::span<const ClaimRow> multi_draft_claims() { return kClaims; }

}  // namespace speclab
