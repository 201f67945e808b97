#pragma once

#include <span>

#include "verifiers/faults/control_rows.h"
#include "verifiers/faults/fault.h"
#include "verifiers/registry.h"

namespace speclab {

// The planted faults, with all that is asked of them: their table (faults(), faults_in()), where
// each of them must be rejected (control_rows()), and what answers questions about them.

/// The rows of the planted faults, in the order of their table.
std::span<const VerifierRow> fault_rows();

}  // namespace speclab
