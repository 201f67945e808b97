#pragma once

#include <vector>

#include "model/rows.h"
#include "verifiers/registry.h"
#include "verifiers/window.h"

namespace speclab {

/// The uniform numbers that every draft, every coin and every correction is made from.
struct ForcedUniforms {
  double draft, coin, correction;  ///< in [0, 1)
};

/// The tokens of one iteration of a prepared verifier from a state, all its decisions forced.
std::vector<Token> forced_tokens(const Verifier& verifier, const Rows<double>& rows, State start,
                                 Window window, const ForcedUniforms& uniforms);

}  // namespace speclab
