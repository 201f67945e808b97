// slot-block, the verifier that repairs lin2026's SpecTr-GBV: what this project says of it.
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/rules/rules.h"
#include "theory/lin2026.h"

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

/// Where one token more stays small.
bool longer(const Instance& at) { return at.pair().vocabulary() <= 2 && at.drafts <= 2; }

constexpr ClaimRow kLossless{
    .id = "slot-block.lossless",
    .source = kSource,
    .statement = "the output of decoding with slot-block(K) has the target's law",
    .hypotheses = "any pair",
    .check = lossless("slot-block(K={K})", kToGamma).where([](const Instance& at) {
      return !longer(at);
    }) && lossless("slot-block(K={K})", {1, 1}).where(longer),
    .places = kSlots,
    .simulated = {{{.verifier = "slot-block(K=3)",
                    .at = {"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3},
                    .horizon = 3}}},
    .bites = {{replaced("slot-block", "wrong-without-replacement"),
               replaced("slot-block", "spectr-gbv")}},
    .proofs = {{{.verifier = "slot-block(K=2)"},
                {.verifier = "slot-block(K=2)", .vocabulary = 3, .gamma = 1}}},
};

constexpr ClaimRow kAboveBlock{
    .id = "slot-block.above-block",
    .source = kSource,
    .statement = "E[tau] of slot-block(K) >= E[tau] of block of one draft",
    .hypotheses = "any pair",
    .check = at_least(tau("slot-block(K={K})"), tau("block")),
    .places = kSlots,
    .bites = {{replaced("slot-block", "spectr-gbv")}},
    .proofs = {{{.verifier = "slot-block(K=2)", .property = "at-least:block", .gamma = 1}}},
};

constexpr Places kTwoDrafts{
    BatteryShape{.tokens = 3, .gammas = 2, .least_drafts = 2, .drafts = 2, .random = {2, 8, 30}},
    SearchSpace{.tokens = 2,
                .gammas = {2, 3, 3},
                .least_drafts = 2,
                .drafts = 2,
                .denominator = {2, 3, 5}}};

constexpr NamedForm kSecondDraft{
    "E_d[w_i] summed, and what the second draft adds below each slot", "slot-block.tau.formula",
    [](const Instance& at) {
      Budget budget;
      return expectation(slot_block_tail(*at.rows, start_law(*at.rows), at.gamma, budget));
    }};

constexpr ClaimRow kTau{
    .id = "slot-block.tau",
    .source = kSource,
    .statement =
        "E[tau] of slot-block(2) = block's + sum over the first draft's slots (v, z) of mass m of "
        "D(v z) times what block accepts below v z from min(1, m / D(v z)), and v z itself",
    .hypotheses = "any pair, K = 2",
    .check = equal(tau("slot-block(K={K})"), kSecondDraft),
    .places = kTwoDrafts,
    .bites = {{lowered("slot-block.tau.formula"), replaced("slot-block", "traversal"),
               replaced("slot-block", "spectr-gbv")}},
    .proofs = {{{.verifier = "slot-block(K=2)", .property = "predicts:slot-block.tau"},
                {.verifier = "slot-block(K=2)",
                 .property = "predicts:slot-block.tau",
                 .vocabulary = 3,
                 .gamma = 1}}},
};

constexpr ClaimRow kGrows{
    .id = "slot-block.grows",
    .source = kSource,
    .statement = "E[tau] of slot-block(K) >= E[tau] of slot-block(K - 1)",
    .hypotheses = "any pair, K >= 2",
    .check = grows_in_drafts(tau("slot-block(K={K})"), tau("slot-block(K={K-1})")),
    .places = kSlots,
    .bites = {{replaced("slot-block", "spectr-gbv")}},
};

constexpr ClaimRow kSingleDraft{
    .id = "slot-block.single-draft",
    .source = kSource,
    .statement = "slot-block(1) accepts as block does: the same law of tau",
    .hypotheses = "any pair",
    .check = same_tau("slot-block(K=1)", "block"),
    .places = kOneDraft,
    .bites = {{replaced("slot-block", "spectr-gbv"), replaced("block", "token")}},
};

constexpr ClaimRow kClaims[] = {kLossless, kAboveBlock, kTau, kGrows, kSingleDraft};

}  // namespace
}  // namespace slot_block

Claims slot_block_claims() { return slot_block::kClaims; }

}  // namespace speclab
