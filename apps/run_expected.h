#pragma once

#include <string>
#include <vector>

#include "run_rows.h"

namespace speclab {

/// What comes of holding an [[expected]] entry against the results.
enum class ExpectedVerdict {
  met,
  explained,  ///< not met, and the file says why
  unmet,      ///< not met, and the file does not say why
  not_run,    ///< --quick leaves its task out
};

std::string_view expected_verdict_name(ExpectedVerdict verdict);

struct ExpectedResult {
  const Expected* entry = nullptr;
  ExpectedVerdict verdict = ExpectedVerdict::met;
  std::vector<ChosenRow> rows;
  const ResultRow* furthest = nullptr;  ///< of a value: the row that is furthest from meeting it
  std::string detail;                   ///< "16.404890, printed 16.41 +- 0.005", "in 3 of 4 series"
};

/// Standard errors that an estimate may be away from what is printed and still meet it, and, of a
/// difference, against a trend.
inline constexpr double kExpectedErrors = 4;

/// Holds every entry against the results.
/// @throws InputError naming the entry's line where it chooses no row
std::vector<ExpectedResult> check_expected(const Experiment& experiment,
                                           const std::vector<TaskRows>& results, bool quick);

/// Comma-separated values with a line an entry. Columns: experiment, line, source, task, pair,
/// verifier, vary, gamma, horizon, quantity, index, claim (those that all
/// its rows share), relation ("equals", "at_most", "at_least", "increases", "decreases"), along,
/// printed, tolerance, ours, stderr (of the row furthest from it), verdict ("met", "explained",
/// "unmet", "not run"), detail, explanation.
std::string expected_csv(const Experiment& experiment, const std::vector<ExpectedResult>& results);

}  // namespace speclab
