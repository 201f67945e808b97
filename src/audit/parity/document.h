#pragma once

#include "audit/parity/parity.h"
#include "document/document.h"

namespace speclab {

/// What compare_served() found (docs/formats.md), in every format. csv: a row a statistic, check
/// and power, or of greedy outputs a row a difference; junit: a test case each.
Document parity_document(const ParityReport& report, const ParityOptions& options);

/// "not enough samples to see a fault of TV 0.01 of the first token (power 0.21): 40,000 more".
std::string power_text(const ParityPower& power, const ParityOptions& options);

}  // namespace speclab
