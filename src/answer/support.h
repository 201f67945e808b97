#pragma once

#include <cstdint>

#include "model/rows.h"
#include "verifiers/registry.h"

namespace speclab {

/// Samples single iterations of gamma drafts with every coin stuck at `coin`, such as 0 or the
/// largest number below 1, while the numbers that make drafts and corrections sweep over `sweeps`
/// values of [0, 1) each, and counts the emitted tokens to which the target gives probability 0.
std::uint64_t tokens_outside_support(const Verifier& verifier, const Rows<double>& rows, int gamma,
                                     double coin, int sweeps);

}  // namespace speclab
