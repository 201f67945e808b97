#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "verifiers/autoregressive.h"
#include "verifiers/batch.h"
#include "verifiers/biased.h"
#include "verifiers/block.h"
#include "verifiers/block_listing.h"
#include "verifiers/greedy_block.h"
#include "verifiers/info.h"
#include "verifiers/kseq.h"
#include "verifiers/rrs.h"
#include "verifiers/slot_block.h"
#include "verifiers/spectr_gbv.h"
#include "verifiers/sprinter.h"
#include "verifiers/token.h"
#include "verifiers/wrong_block.h"
#include "verifiers/wrong_multi.h"
#include "verifiers/wrong_single.h"

namespace speclab {

/// Every verifier, in the order in which they are listed: the registry. A new verifier is one file
/// and one line here.
using VerifierProgram = std::variant<
    Autoregressive, TokenVerification, BlockVerification, BlockListing, GreedyBlockVerification,
    RecursiveRejection, KSequential, BatchVerification, BatchPrinted, SpectrGbv, SlotBlock, Biased,
    Lenient, Sprinter, SprinterPrinted, WrongAlwaysAccept, WrongGreedyDraft, WrongSharedUniform,
    WrongReseededCoins, WrongClosedCoin, WrongTokenZero, WrongOneHotResidual, WrongNoDraftLaw,
    WrongNoBonus, WrongDraftBonus, WrongLateResidual, WrongCorrectionAccepted, WrongCoinProduct,
    WrongWeightCoins, WrongFirstFailure, WrongNoCarry, WrongFlatCarry, WrongWithoutReplacement,
    WrongSiblingDraft, WrongSwappedRows, WrongOneDraftFewer, WrongLargestRho, WrongEarlySlots>;

inline constexpr std::size_t kVerifierCount = std::variant_size_v<VerifierProgram>;

/// A verifier with its parameters.
struct Verifier {
  std::string name;  ///< canonical spec text
  const VerifierInfo* info = nullptr;
  VerifierProgram program;
};

/// The registry rows.
std::span<const VerifierInfo> verifier_rows();

/// Makes the verifier that a spec text names.
/// @throws InputError naming the spec, the parameter and the mend.
Verifier make_verifier(std::string_view text);

/// The verifier made ready for a pair: where its program has
///   Program prepared(const PairPointer& pair) const
/// it learns from the pair what it needs. run_exact and run_trials call this, and nothing else has
/// to.
Verifier prepare(const Verifier& verifier, const PairPointer& pair);

}  // namespace speclab
