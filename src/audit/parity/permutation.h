#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/parity/statistics.h"

namespace speclab {

/// The values of several statistics under a null law, one row a draw, and how extreme others are.
///
/// p-values of several statistics are combined by their least one, whose own law is that of the
/// rows (Westfall and Young's min-p): a row's p-value of a statistic is the share of rows, itself
/// counted, in which it is as large.
class NullTable {
 public:
  /// @param rows  [draw][statistic]; under exchangeability the observed row is one of them
  explicit NullTable(std::vector<std::vector<double>> rows);

  /// The share of the rows with a statistic as large; at least 1 / rows.
  [[nodiscard]] double p_value(std::size_t statistic, double value) const;
  /// The share of the rows whose least p-value is as small as this one.
  [[nodiscard]] double adjusted(double least) const;
  /// adjusted() of the least p-value of a row.
  [[nodiscard]] double adjusted(std::span<const double> row) const;

 private:
  std::vector<std::vector<double>> sorted_;  ///< [statistic], ascending
  std::vector<double> least_;                ///< of each row, ascending
};

/// A permutation test of all statistics.
struct PermutationTest {
  std::vector<double> observed;  ///< by statistic
  std::vector<double> p_values;  ///< of each alone
  double adjusted = 1;           ///< of the least of them: the test's p-value
  std::size_t strongest = 0;     ///< the statistic with the least p-value
  std::uint64_t permutations = 0;
};

/// Permutations of a first look: where they show no difference near the level, no more are made.
inline constexpr std::uint64_t kFirstPermutations = 999;

/// Tests whether both sides are exchangeable within each prompt. The p-value is exact: P(adjusted
/// <= a) <= a. Permutations are made until the p-value can be a tenth of `level`; where the first
/// kFirstPermutations are far from it (above 20 times the level and above 0.02) they are all.
/// @param level  at which a difference is stated
PermutationTest test_outputs(const OutputStatistics& statistics, double level, std::uint64_t seed,
                             int threads);

/// Draws one after another, on `threads` threads; the same rows for any number of them.
/// @param draw  called with a stream and the row to fill
std::vector<std::vector<double>> draw_rows(
    std::uint64_t count, std::size_t statistics, std::uint64_t key, int threads,
    const std::function<void(Stream& stream, std::span<double> row)>& draw);

}  // namespace speclab
