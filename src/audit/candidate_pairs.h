#pragma once

#include <vector>

#include "audit/aspect.h"
#include "audit/law.h"
#include "base/random.h"

namespace speclab {

/// A place without drafts, from which cases may be made.
struct CandidatePair : AuditPlace {
  std::uint64_t least_trials = 0;  ///< that every audit asks of its cases
};

/// A case with a fixed drafted set, and its place.
struct PlacedCase {
  CasePlan plan;
  AuditPlace place;
};

/// A law of multiples of 1 / denominator, drawn unit by unit; some tokens have none.
std::vector<Rational> random_law(Token vocabulary, int denominator, Stream& stream);

/// Small pairs that expose faults: those of the claims' controls, random trees of two to four
/// tokens in which every context has different laws, and pairs with probabilities as small as
/// 1e-9, which a number of few bits cannot represent. All start in one state and never end.
///
/// The same at every call. @param longest  draft length at most
std::vector<CandidatePair> candidate_pairs(int longest);

/// One draft of eight tokens with a residual of five, for the modes without given drafts.
CandidatePair eight_tokens();

/// A case on the pair for so many drafts, without aspects. It has the pair's laws of the first
/// `length` tokens as a JSON object for file(PATH), in fractions; of a memoryless pair its two
/// rows.
CasePlan case_on(const CandidatePair& pair, int length, int drafts);

}  // namespace speclab
