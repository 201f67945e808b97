#pragma once

#include <span>

#include "verifiers/registry.h"

namespace speclab {

/// The rows of the planted faults (verifiers/faults/fault.h), in the order of their table.
std::span<const VerifierRow> fault_rows();

}  // namespace speclab
