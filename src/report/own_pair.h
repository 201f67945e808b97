#pragma once

#include <span>

#include "claims/engine/own_pair.h"
#include "report/listing.h"

namespace speclab {

/// What one pair says of claims, a row each: claim, statement, verdict ("not asked" with the reason
/// as evidence), the verdict on record, how much was held, the first evidence.
Listing own_pair_listing(const PairPointer& pair, std::span<const OwnPairOutcome> outcomes);

}  // namespace speclab
