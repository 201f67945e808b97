#include "simulate/control_variates.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/sum.h"

namespace speclab {
namespace {

/// A control is used where its values spread by more than this: those of trials are rounded to
/// 2^-32 each, and a spread of rounding goes with anything.
constexpr double kLeastSpread = 1e-6;
/// And where other controls leave this share of its spread.
constexpr double kLeastShare = 1e-3;
/// And where its mean is no more standard errors from 0: else what makes it 0 has not been seen
/// yet.
constexpr double kMostErrors = 5;

/// One control of each value.
struct Column {
  std::vector<double> values;
  double mean = 0, squares = 0;  ///< squares of the values less the mean
  [[nodiscard]] double count() const { return static_cast<double>(values.size()); }
  [[nodiscard]] double spread() const { return std::sqrt(squares / count()); }
  /// By how much slopes that are worked out add to the variance of a mean, relative to it.
  [[nodiscard]] double leverage() const { return count() * mean * mean / squares; }
  [[nodiscard]] bool shows_its_mean() const {
    return leverage() * (count() - 1) <= kMostErrors * kMostErrors;
  }

  void measure() {
    Sum<double> sum, of_squares;
    for (const double value : values) sum += value;
    mean = sum.value() / count();
    for (const double value : values) of_squares += (value - mean) * (value - mean);
    squares = of_squares.value();
  }
  /// Of the line of least squares through `of` over this column.
  [[nodiscard]] double slope(std::span<const double> of) const {
    Sum<double> products;
    for (std::size_t i = 0; i < of.size(); ++i) products += (values[i] - mean) * of[i];
    return products.value() / squares;
  }
  void subtract_from(std::span<double> others, double times) const {
    for (std::size_t i = 0; i < others.size(); ++i) others[i] -= times * values[i];
  }
};

/// The controls, each orthogonal to those before it (Gram and Schmidt).
std::vector<Column> orthogonal(std::span<const ControlVariates> controls) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < kControlVariates; ++j) {
    Column column;
    for (const ControlVariates& each : controls) column.values.push_back(each[j]);
    column.measure();
    const double alone = column.spread();
    if (!(alone > kLeastSpread) || !column.shows_its_mean()) continue;
    for (const Column& before : columns) {
      before.subtract_from(column.values, before.slope(column.values));
    }
    column.measure();
    const bool differs = column.spread() > std::max(kLeastSpread, kLeastShare * alone);
    if (differs && column.shows_its_mean()) columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

FittedControls subtract_controls(std::span<const ControlVariates> controls,
                                 std::span<const double> of, std::span<double> values) {
  FittedControls fitted;
  for (const Column& column : orthogonal(controls)) {
    column.subtract_from(values, column.slope(of));
    ++fitted.count;
    fitted.leverage += column.leverage();
  }
  return fitted;
}

}  // namespace speclab
