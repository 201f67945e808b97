#pragma once

#include <string>
#include <utility>
#include <vector>

#include "claims/battery/controls.h"
#include "claims/engine/own_pair.h"
#include "claims/engine/papers.h"
#include "claims/engine/registry.h"
#include "document/document.h"

namespace speclab {

/// What `verify` found.
struct VerdictReport {
  std::vector<ClaimOutcome> claims;
  std::vector<ControlOutcome> controls;
  bool with_controls = false;
  std::string partial;  ///< why it is not all that was asked for; "" where it is
};

/// The report in every format.
/// - table: a line a claim (verdict, instances, methods), its first evidence below where it is not
///   plain `holds`; a line a control.
/// - json: {"claims": [{"id", "source", "statement", "hypotheses", "verdict", "recorded",
///   "instances", "comparisons", "tests", "least_power", "evidence": [{"pair", "method",
///   "detail"}]}]}, of a proof its "cells" too, a "correction", "repaired_by" or "readings" where
///   the row has one, and "controls" where they were run. The power is cut to six decimals.
/// - csv: a row an evidence. - junit: each claim and each control a test case. - markdown: a page.
/// All are the same bytes for the same results.
/// @pre the report outlives the document
Document verdict_document(const VerdictReport& report);

/// The lines that say which verdicts differ from the record and which controls surprise.
std::vector<std::string> surprises(const VerdictReport& report);

/// What one pair says of claims, a row each: claim, statement, verdict ("not asked" with the reason
/// as evidence), the verdict on record, how much was held, the first evidence.
/// @pre the outcomes outlive the document
Document own_pair_document(const PairPointer& pair, const std::vector<OwnPairOutcome>& outcomes);

/// Every claim, a row each: its statement, what is on record of it, and what is true.
Document claims_document();

/// What papers conclude from what, a row a step, and whether the step fails.
Document implications_document();

/// The theorems that Coq checked.
Document theorems_document();

/// The statements that claims prove for all pairs of a size: property "lossless", "at-least",
/// "equals" or "predicts", the last three of another verifier or closed form.
Document proofs_document();

/// Ids by what they name: {"verifier", {"token", ...}}.
using KnownIds = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// The items of papers, a row each: item, paper, what it says, what covers it ("claim", "closed
/// form", "formula", "verifier", "experiment", each with its ids), the verdict of
/// the row, the smallest counterexamples on record of what its claims refute, and what is not
/// covered with the reason. An id that nothing has is shown as such (the tests refuse it).
/// @param others  the ids of verifiers and experiments
Document papers_document(const std::vector<const Paper*>& papers, const KnownIds& others);

/// One paper for Markdown: a row an item (item, what it says, what checks it, verdict), and below
/// it each claim of the paper that does not hold: its statement, which begins with "not printed"
/// where the paper does not make it, the smallest counterexample on record, and what is true.
Document paper_document(const Paper& paper, const KnownIds& others);

}  // namespace speclab
