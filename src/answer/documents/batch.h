#pragma once

#include <vector>

#include "answer/batch.h"
#include "document/document.h"

namespace speclab {

/// Batches in every format (docs/formats.md): for a terminal a table a pair, verifier and draft
/// length, a line a split; in CSV and Markdown a row a number.
/// @pre they outlive the document; those of a table stand one after another
Document batches_document(const std::vector<BatchResult>& all);

}  // namespace speclab
