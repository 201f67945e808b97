#pragma once

#include "document/document.h"

namespace speclab {

// What can be named in a question and what an answer can hold, a row each.

Document list_pairs();
Document list_filters();
Document list_verifiers();
/// Planted faults, a row each of their forms: what it changes, and the smallest case that shows it.
Document list_faults();
/// What the options of inference engines run.
Document list_engines();
/// Closed forms that stand beside the results of a verifier.
Document list_predictions();
/// Closed forms that belong to no verifier.
Document list_formulas();
Document list_quantities();
/// The columns of every table of results.
Document list_columns();

}  // namespace speclab
