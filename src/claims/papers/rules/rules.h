#pragma once

#include <fmt/format.h>

#include "claims/engine/closed_forms.h"
#include "claims/engine/row.h"
#include "claims/engine/vocabulary.h"

namespace speclab {

// What the claims on the rules that engines run, and on those of the newer literature, share.

/// Where losslessness is checked: pairs with contexts, zeros, an end of sequence.
inline constexpr BatteryShape kLossless{.tokens = 3, .gammas = 2, .random = {2, 4, 12}};
/// One position of a memoryless pair.
inline constexpr BatteryShape kOnePosition{
    .tokens = 4, .gammas = 1, .drafts = 3, .random = 0, .contexts = false};

}  // namespace speclab
