#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/experiment.h"

namespace speclab {

/// What comes of holding an [[expected]] entry against the results.
enum class ExpectedVerdict {
  met,
  explained,  ///< not met, and the file says why
  unmet,      ///< not met, and the file does not say why
  not_run,    ///< a quick run leaves its task out
};

/// "met", "explained", "unmet", "not run".
std::string_view expected_verdict_name(ExpectedVerdict verdict);

struct ExpectedResult {
  const Expected* entry = nullptr;
  ExpectedVerdict verdict = ExpectedVerdict::met;
  std::vector<ChosenRow> rows;
  const AnswerRow* furthest = nullptr;  ///< of a value: the row that is furthest from meeting it
  std::string detail;                   ///< "11/9 equals 10/9", "in 3 of 4 series, 7 of 9 steps"
};

/// Standard errors that an estimate may be away from what is printed and still meet it, and, of a
/// difference, against a trend.
inline constexpr double kExpectedErrors = 4;

/// Share of the printed value that a result in doubles may be away by rounding. A result that is a
/// fraction is compared exactly.
inline constexpr double kExpectedRounding = 1e-12;

/// Holds every entry against the results, which outlive what is returned.
/// @throws InputError naming the entry's line where it chooses no row
std::vector<ExpectedResult> check_expected(const Experiment& experiment,
                                           const std::vector<TaskRows>& results, bool quick);

}  // namespace speclab
