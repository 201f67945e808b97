#pragma once

#include "audit/adequacy/adequacy.h"
#include "document/document.h"

namespace speclab {

/// What adequacy() found (docs/formats.md), in every format: a table of faults against suites for
/// each rule, and the cases to add; csv: a row a suite and fault; junit: each fault of a suite a
/// test case.
Document adequacy_document(const AdequacyReport& report);

}  // namespace speclab
