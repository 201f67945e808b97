// slot-block, the verifier that repairs lin2026's SpecTr-GBV: what this project says of it.
#include <array>

#include "claims/lin2026_drafts.h"
#include "claims/registry.h"
#include "claims/simulated.h"

namespace speclab {
namespace {

/// Instances of the repair's rows: gamma * K small where there are three tokens.
bool affordable(const Instance& instance) {
  return instance.pair().vocabulary() <= 2 || instance.gamma * instance.drafts <= 4;
}

ClaimResult of_slots(const ClaimContext& context, const Statement& statement, bool simulate) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 2, .drafts = 3, .random = context.size(2, 8, 30)},
                    [&](const Instance& instance) {
                      return affordable(instance) ? statement(instance) : std::vector<Compared>{};
                    });
  examination.search({.tokens = 2, .gammas = 2, .drafts = 3, .denominator = context.size(2, 3, 5)},
                     statement);
  if (simulate) {
    simulate_output_law(examination, "slot-block(K=3)",
                        make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3), 3);
  }
  return examination.finish();
}

ClaimResult slots_lossless(const ClaimContext& context) {
  return of_slots(
      context,
      [](const Instance& instance) -> std::vector<Compared> {
        const bool longer = instance.pair().vocabulary() <= 2 && instance.drafts <= 2;
        const int horizon = instance.gamma + (longer ? 1 : 0);
        return {{fmt::format("TV of {} tokens of slot-block to the target's", horizon),
                 exact_result(with_drafts("slot-block", instance.drafts), instance, horizon)
                     .decode->tv_to_target,
                 Order::equal, Rational(0)}};
      },
      true);
}

ClaimResult slots_above_block(const ClaimContext& context) {
  return of_slots(
      context,
      [](const Instance& instance) -> std::vector<Compared> {
        return {{"E[tau] of slot-block against block",
                 mean_accepted("slot-block", instance, instance.drafts), Order::at_least,
                 exact_result("block", instance).expected_accepted}};
      },
      false);
}

ClaimResult slots_grow(const ClaimContext& context) {
  return of_slots(
      context,
      [](const Instance& instance) -> std::vector<Compared> {
        if (instance.drafts == 1) return {};
        return {{"E[tau] of slot-block against K - 1",
                 mean_accepted("slot-block", instance, instance.drafts), Order::at_least,
                 mean_accepted("slot-block", instance, instance.drafts - 1)}};
      },
      false);
}

ClaimResult slots_single(const ClaimContext& context) {
  return same_tau_of_one(context, "slot-block", "block");
}

constexpr auto kHolds = ClaimVerdict::holds;

constexpr std::array kClaims{
    ClaimRow{"slot-block.lossless", "this project, after lin2026",
             "the output of decoding with slot-block(K) has the target's law", "any pair", kHolds,
             "", slots_lossless},
    ClaimRow{"slot-block.above-block", "this project, after lin2026",
             "E[tau] of slot-block(K) >= E[tau] of block of one draft", "any pair", kHolds, "",
             slots_above_block},
    ClaimRow{"slot-block.grows", "this project, after lin2026",
             "E[tau] of slot-block(K) >= E[tau] of slot-block(K - 1)", "any pair, K >= 2", kHolds,
             "", slots_grow},
    ClaimRow{"slot-block.single-draft", "this project, after lin2026",
             "slot-block(1) accepts as block does: the same law of tau", "any pair", kHolds, "",
             slots_single},
};

}  // namespace

std::span<const ClaimRow> slot_block_claims() { return kClaims; }

}  // namespace speclab
