#include "recorded/drawn.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace speclab {

DrawnMoments::DrawnMoments(const RecordedRow& row) {
  double cubes = 0;
  for (const double share : row.law) {
    mean += share * share;
    cubes += share * share * share;
  }
  variance = cubes - mean * mean;
}

void DrawnTest::add(double probability, const DrawnMoments& moments) {
  excess_ += probability - moments.mean;
  variance_ += moments.variance;
  ++positions_;
}

void DrawnTest::add(const DrawnTest& other) {
  excess_ += other.excess_.value();
  variance_ += other.variance_.value();
  positions_ += other.positions_;
}

void DrawnTest::check(const Recording& recording, const char* tokens, const char* rows) const {
  const double off = std::abs(excess_.value());
  const double chance = 2 * std::exp(-off * off / (2 * (variance_.value() + off / 3)));
  if (!(chance < kAlarm / 2)) return;
  throw InputError(
      fmt::format("{}: the {} were not drawn from the {}: their probabilities are {:.3g} {} than "
                  "such tokens' on average over {} positions (chance {:.1g}); the rows may be "
                  "shifted, of other prompts, or before a temperature or filter",
                  recording.name(), tokens, rows, off / static_cast<double>(positions_),
                  excess_.value() > 0 ? "higher" : "lower", positions_, chance));
}

}  // namespace speclab
