#pragma once

#include <string>
#include <vector>

#include "claims/engine/instance.h"
#include "model/families/automaton.h"

namespace speclab {

/// A pair whose states are listed, named by its spec text; it starts in the first.
/// @pre as AutomatonPair
Instance listed_automaton(std::vector<AutomatonState> states, int gamma, int drafts = 1);

/// The same laws with no token that ends the output: after an end-of-sequence token both models go
/// on with it for ever and every one of them counts, as the proof of sun2025 Theorem 2 has it.
Instance without_end(const Instance& instance);

/// "[1/2,1/2]".
std::string law_text(const std::vector<Rational>& law);

}  // namespace speclab
