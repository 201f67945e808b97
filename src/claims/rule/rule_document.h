#pragma once

#include <string>
#include <vector>

#include "claims/rule/rule_check.h"
#include "document/document.h"

namespace speclab {

/// A rule's report with what the caller adds to it.
struct CheckedRule {
  RuleReport report;
  std::string command;  ///< that shows the counterexample; "" where there is none
};

/// What `check` found, in every format (docs/formats.md).
/// - table: the verdict with the counterexample, what is undefined, then what it accepts against
///   other rules and the optimum, the tokens of whole decodes, growth, and the proof.
/// - csv and markdown: a row a rule.
/// @pre the rules outlive the document
Document rules_document(const std::vector<CheckedRule>& rules);

}  // namespace speclab
