#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/equation.h"
#include "experiment/printed_table.h"

namespace speclab {

/// An [[audit]]: a relation among the numbers of a printed table, up to the rounding of each. An
/// equation holds where numbers that round to those printed may fulfil it; a constant where one
/// number is what the expression may be in every row.
///
/// Names are columns ("token.efficiency"), columns of the same row of another table
/// ("sun2025-table1:token.efficiency"), or of any row of it
/// ("sun2025-table1:Average:token.efficiency"). mean(NAME) and the like run over the rows that are
/// no summaries.
struct TableAudit {
  int line = 0;
  std::string source, explanation;
  std::string table;
  std::string row;   ///< where it is checked; "": in every row that is no summary
  std::string text;  ///< of the equation, or of the constant
  std::optional<Equation> equation;
  std::optional<Expression> constant;
  Rational within{0};  ///< of a constant: rows may be so far from it
  std::string within_text;
};

/// The result of an audit.
struct TableAuditResult {
  const TableAudit* entry = nullptr;
  const PrintedTable* table = nullptr;
  bool holds = false;
  std::size_t rows = 0, held = 0;
  std::optional<Rational>
      constant;  ///< the middle of what every row allows, or comes nearest to it
  std::string detail;
};

/// Checks the table.
/// @throws InputError where a name means nothing, or no row has all its numbers
TableAuditResult audit_table(const TableAudit& entry, const std::vector<PrintedTable>& tables);

}  // namespace speclab
