#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/printed_table.h"

namespace speclab {

/// A [[calibrated]]: pairs of one parameter are fitted to what a paper prints of one verifier; what
/// they then give for another verifier is compared with what the paper prints of that.
///
/// A member of the ensemble is what rows of results share besides the parameter and the verifier,
/// such as a seed. Between two values of its parameter around the printed number of the fitted
/// verifier, the improvement (the other verifier's number over that of the fitted one, less 1) runs
/// in a straight line.
struct Calibrated {
  int line = 0;
  std::string table;
  std::string metric;    ///< the columns' metric: "efficiency"
  Selector rows;         ///< the results: task, quantity, ...; no verifier
  std::string along;     ///< the variable that is the parameter
  std::string fitted;    ///< the verifier, and the table's method, that is fitted
  std::string method;    ///< the table's method that is predicted
  std::string verifier;  ///< the verifier that predicts it
};

/// What a member gives at one printed number.
struct MemberPrediction {
  double improvement, standard_error;
};

enum class CalibratedVerdict {
  within,   ///< the printed improvement, up to rounding, lies within kSpread deviations of the mean
  outside,  ///< it does not
  open,     ///< fewer than kFewestMembers can be fitted, or their errors are above kMostNoise
};

/// "within the spread", "outside the spread", "not predicted".
std::string_view calibrated_verdict_name(CalibratedVerdict verdict);

/// Standard deviations of the ensemble that count as its spread.
inline constexpr double kSpread = 2;
inline constexpr std::size_t kFewestMembers = 3;
/// Largest standard error of one member's improvement: noise is no spread.
inline constexpr double kMostNoise = 0.01;

/// One printed number compared with the ensemble.
struct CalibratedResult {
  const Calibrated* entry = nullptr;
  const PrintedTable* table = nullptr;
  const TableRow* row = nullptr;
  Rational fitted;                     ///< what is printed of the fitted verifier
  Rational printed_low, printed_high;  ///< the improvement that is printed, up to rounding
  std::vector<ChosenRow> chosen;       ///< of the fitted verifier
  std::vector<MemberPrediction> members;
  std::size_t asked = 0;  ///< members, whether they can be fitted or not
  double mean = 0, deviation = 0;
  CalibratedVerdict verdict = CalibratedVerdict::open;
  std::string detail;
};

/// Compares every row of the entry's table that is no summary and has both numbers.
/// @throws InputError where the results have no row of either verifier at the draft length of a row
std::vector<CalibratedResult> calibrate(const Calibrated& entry,
                                        const std::vector<PrintedTable>& tables,
                                        const std::vector<TaskRows>& results);

/// The predictions as rows of results: at each row of a table (named in `vary`) the number
/// printed of the fitted verifier (method "printed", index "fitted"), the printed improvement with
/// its rounding as interval (method "printed"), and the predicted one with the spread as interval
/// (method "calibrated").
std::vector<TaskRows> calibrated_rows(const std::vector<CalibratedResult>& results);

}  // namespace speclab
