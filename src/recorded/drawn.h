#pragma once

#include <cstdint>
#include <string>

#include "base/sum.h"
#include "recorded/recording.h"

namespace speclab {

/// Mean and variance of RecordedRow::known_probability(X) where X is drawn from the row: sum d^2,
/// and sum d^3 less its square.
struct DrawnMoments {
  explicit DrawnMoments(const RecordedRow& row);
  double mean = 0;
  double variance = 0;
};

/// Whether tokens were drawn from the rows beside them: over positions, the sum of a token's
/// probability less its expectation. Its steps are at most 1, and each has mean 0 given what came
/// before, so Freedman's inequality (1975, Theorem 1.6) bounds its chance.
class DrawnTest {
 public:
  /// The false-alarm probability of the two tests of a recording, of drafted and of emitted tokens.
  static constexpr double kAlarm = 1e-9;

  void add(double probability, const DrawnMoments& moments);
  void add(const DrawnTest& other);

  /// @param tokens, rows  for the message: "drafted tokens", "draft's rows"
  /// @throws InputError where chance has less than half of kAlarm
  void check(const Recording& recording, const char* tokens, const char* rows) const;

 private:
  Sum<double> excess_;
  Sum<double> variance_;
  std::int64_t positions_ = 0;
};

}  // namespace speclab
