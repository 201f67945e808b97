// slot-block, the verifier that repairs lin2026's SpecTr-GBV: what this project says of it.
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace slot_block {
namespace {

constexpr std::string_view kSource = "this project, after lin2026";

constexpr Filter kAffordable{"V <= 2 or gamma K <= 4", [](const Instance& instance) {
                               return instance.pair().vocabulary() <= 2 ||
                                      instance.gamma * instance.drafts <= 4;
                             }};

constexpr Places kSlots{
    Place(BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 8, 30}})
        .only(kAffordable),
    SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {2, 3, 5}}};

Comparisons lossless(const Instance& instance) {
  const bool longer = instance.pair().vocabulary() <= 2 && instance.drafts <= 2;
  const int horizon = instance.gamma + (longer ? 1 : 0);
  return {{fmt::format("TV of {} tokens of slot-block to the target's", horizon),
           exact_answer(with_drafts("slot-block", instance.drafts), instance, horizon)
               .fraction(QuantityId::tv_to_target),
           Order::equal, Rational(0)}};
}

constexpr ClaimRow kLossless{
    .id = "slot-block.lossless",
    .source = kSource,
    .statement = "the output of decoding with slot-block(K) has the target's law",
    .hypotheses = "any pair",
    .check = lossless,
    .places = kSlots,
    .simulated = {{{.verifier = "slot-block(K=3)",
                    .at = {"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3},
                    .horizon = 3}}},
    .bites = {{{"slot-block", Fault::replaced, "wrong-without-replacement"},
               {"slot-block", Fault::replaced, "spectr-gbv"}}},
    .proofs = {{{.verifier = "slot-block(K=2)"},
                {.verifier = "slot-block(K=2)", .vocabulary = 3, .gamma = 1}}},
};

Comparisons above_block(const Instance& instance) {
  return {{"E[tau] of slot-block against block",
           mean_accepted("slot-block", instance, instance.drafts), Order::at_least,
           accepted("block", instance)}};
}

constexpr ClaimRow kAboveBlock{
    .id = "slot-block.above-block",
    .source = kSource,
    .statement = "E[tau] of slot-block(K) >= E[tau] of block of one draft",
    .hypotheses = "any pair",
    .check = above_block,
    .places = kSlots,
    .bites = {{{"slot-block", Fault::replaced, "spectr-gbv"}}},
    .proofs = {{{.verifier = "slot-block(K=2)", .property = "at-least:block", .gamma = 1}}},
};

Comparisons grows(const Instance& instance) {
  if (instance.drafts == 1) return {};
  return {{"E[tau] of slot-block against K - 1",
           mean_accepted("slot-block", instance, instance.drafts), Order::at_least,
           mean_accepted("slot-block", instance, instance.drafts - 1)}};
}

constexpr ClaimRow kGrows{
    .id = "slot-block.grows",
    .source = kSource,
    .statement = "E[tau] of slot-block(K) >= E[tau] of slot-block(K - 1)",
    .hypotheses = "any pair, K >= 2",
    .check = grows,
    .places = kSlots,
    .bites = {{{"slot-block", Fault::replaced, "spectr-gbv"}}},
};

constexpr ClaimRow kSingleDraft{
    .id = "slot-block.single-draft",
    .source = kSource,
    .statement = "slot-block(1) accepts as block does: the same law of tau",
    .hypotheses = "any pair",
    .check = [](const Instance& at) { return same_tau_of_one(at, "slot-block", "block"); },
    .places = kOneDraft,
    .bites = {{{"slot-block", Fault::replaced, "spectr-gbv"}, {"block", Fault::replaced, "token"}}},
};

constexpr ClaimRow kClaims[] = {kLossless, kAboveBlock, kGrows, kSingleDraft};

}  // namespace
}  // namespace slot_block

Claims slot_block_claims() { return slot_block::kClaims; }

}  // namespace speclab
