#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/experiment.h"

namespace speclab {

/// The verdict on an [[expected]] entry. An entry with an explanation states that the results do
/// not reproduce it, and why: it fails where they do.
enum class ExpectedVerdict {
  reproduced,      ///< the results reproduce it
  explained,       ///< they do not, and the file explains why
  not_reproduced,  ///< they do not, and the file does not expect that
  unexpected,      ///< they do, and the file explains why they cannot
  undecided,       ///< estimates too wide to decide
  not_run,         ///< a quick run leaves its task out
};

/// "reproduced", "not reproduced (explained)", "not reproduced", "unexpectedly reproduced",
/// "undecided", "not run".
std::string_view expected_verdict_name(ExpectedVerdict verdict);

/// Whether a run that ends with it has failed: not reproduced, or unexpectedly reproduced.
bool fails(ExpectedVerdict verdict);

struct ExpectedResult {
  const Expected* entry = nullptr;
  ExpectedVerdict verdict = ExpectedVerdict::reproduced;
  std::vector<ChosenRow> rows;
  const AnswerRow* furthest = nullptr;  ///< of a value: the row that is furthest from meeting it
  /// "11/9 equals 10/9", "in 3 of 4 series, 7 of 9 steps; a step of 0.012 is seen with power 0.99".
  std::string detail;
};

/// A [[printed]] number and the rows of ours that stand where it does. It is never judged.
struct PrintedResult {
  const Printed* entry = nullptr;
  std::vector<ChosenRow> rows;  ///< empty where a quick run leaves their task out
};

/// An [[audit]] of its table: reproduced or not, explained or not.
struct AuditResult {
  TableAuditResult found;
  ExpectedVerdict verdict = ExpectedVerdict::reproduced;
};

/// Standard errors that decide about an estimate: an equality holds up to so many away; a bound, or
/// the sign of a difference, is decided where the estimate is so many from it, and open between.
inline constexpr double kExpectedErrors = 4;

/// A difference of so many standard errors is detected with power kExpectedPower: 4 + 2.326,
/// normal.
inline constexpr double kSeenErrors = 6.326;
inline constexpr double kExpectedPower = 0.99;

/// Share of the printed value that a result in doubles may be away by rounding. A result that is a
/// fraction is compared exactly.
inline constexpr double kExpectedRounding = 1e-12;

/// Checks every entry against the results, which outlive what is returned.
///
/// A trend is reproduced where every step from one value of its coordinate to the next is decided
/// to follow it, not reproduced where any two values are decided to go the other way (or, without
/// errors, are equal where it has to move), undecided otherwise. The errors of two estimates add up
/// where they are of one pair, and so may share random numbers; their squares do where the pairs
/// differ.
/// @throws InputError naming the entry's line where it chooses no row
std::vector<ExpectedResult> check_expected(const Experiment& experiment,
                                           const std::vector<TaskRows>& results, bool quick);

/// Checks every audit. @throws InputError naming the entry's line
std::vector<AuditResult> check_audits(const Experiment& experiment);

/// Predicts what every [[calibrated]] asks for; nothing of tasks that a quick run leaves out.
/// @throws InputError naming the entry's line
std::vector<CalibratedResult> check_calibrated(const Experiment& experiment,
                                               const std::vector<TaskRows>& results, bool quick);

/// Finds the rows beside which each printed number stands.
std::vector<PrintedResult> place_printed(const Experiment& experiment,
                                         const std::vector<TaskRows>& results, bool quick);

/// The results of all entries of an experiment.
struct Checked {
  std::vector<ExpectedResult> expected;
  std::vector<PrintedResult> printed;
  std::vector<AuditResult> audits;
  std::vector<CalibratedResult> calibrated;
};

/// Checks every entry of every kind. @throws InputError naming the entry's line
Checked check_entries(const Experiment& experiment, const std::vector<TaskRows>& results,
                      bool quick);

}  // namespace speclab
