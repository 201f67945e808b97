#pragma once

#include <string>
#include <vector>

#include "claims/battery/controls.h"
#include "claims/engine/registry.h"

namespace speclab {

/// What `verify` found.
struct VerdictReport {
  std::vector<ClaimOutcome> claims;
  std::vector<ControlOutcome> controls;
  bool with_controls = false;
  std::string partial;  ///< why it is not all that was asked for; "" where it is
};

enum class VerdictFormat { table, json, csv, junit, markdown };

/// The report as text.
/// - table: a line a claim (verdict, methods, instances, time), its first evidence below where it
/// is
///   not plain `holds`; a line a control.
/// - json: {"claims": [{"id", "source", "statement", "verdict", "recorded", "instances",
///   "comparisons", "tests", "least_power", "evidence": [{"pair", "method", "detail"}]}]}, of
///   a proof its "cells" too, a "correction" where there is one, and "controls" where they were
///   run. The power is cut to six decimals.
/// - csv: a row an evidence. - junit: each claim and each control a test case. - markdown: a page.
/// A partial report says so in each (mark_partial); in junit it is a test case with an error.
/// All but `table` (which shows times) are the same bytes for the same results.
std::string render(const VerdictReport& report, VerdictFormat format);

/// The lines that say which verdicts differ from the record and which controls surprise.
std::vector<std::string> surprises(const VerdictReport& report);

}  // namespace speclab
