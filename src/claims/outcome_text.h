#pragma once

#include <string>

#include "claims/controls.h"
#include "claims/registry.h"

namespace speclab {

// What checks found, as JSON text and back, to be sent from process to process. What is read equals
// what was written, but for what the reader knows already: the claim's row, and of a control what
// is under control.

std::string outcome_text(const ClaimOutcome& outcome);
ClaimOutcome read_claim_outcome(const ClaimRow* row, const std::string& text);

std::string outcome_text(const ControlOutcome& outcome);
/// @param known  the verifier, the fault, whether it is wrong, and the row
ControlOutcome read_control_outcome(ControlOutcome known, const std::string& text);

/// How checks are made, as JSON text and back; not the threads.
std::string context_text(const ClaimContext& context);
ClaimContext read_context(const std::string& text);

}  // namespace speclab
