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

/// The source of a rule that no paper states.
inline constexpr std::string_view kEngines = "a rule of engines (speclab list engines)";

/// P(tau >= i), i = 0 .. gamma.
inline std::vector<Rational> tail_of(std::string_view verifier, const Instance& instance) {
  std::vector<Rational> tail = exact_answer(verifier, instance).fractions(QuantityId::accepted_law);
  for (std::size_t i = tail.size() - 1; i-- > 0;) tail[i] += tail[i + 1];
  return tail;
}

}  // namespace speclab
