#pragma once

#include <string>
#include <vector>

#include "claims/engine/papers.h"
#include "report/listing.h"

namespace speclab {

/// The items of papers, a row each: item, paper, what it says, what covers it ("claim", "closed
/// form", "formula", "verifier", "experiment", each with its ids), the verdicts on record, the
/// smallest counterexamples on record of what does not hold, and what is not covered with the
/// reason.
///
/// A verdict stands alone where all claims of the item have it, else behind the claim's id. An id
/// that nothing has is shown as such (the tests refuse it).
Listing paper_listing(const std::vector<const Paper*>& papers);

/// One paper as Markdown: a row an item (item, what it says, where it is held, verdict), and below
/// it each claim of the paper that does not hold as printed: its statement, the smallest
/// counterexample on record, and what is true.
std::string paper_markdown(const Paper& paper);

}  // namespace speclab
