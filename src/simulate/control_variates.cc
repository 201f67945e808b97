#include "simulate/control_variates.h"

#include <utility>
#include <vector>

#include "base/sum.h"

namespace speclab {
namespace {

/// Differences below this share of the squares are rounding.
constexpr double kRounding = 1e-12;

/// One control of each value.
struct Column {
  std::vector<double> values;
  double mean = 0, squares = 0;  ///< squares of the values less the mean

  void measure() {
    Sum<double> sum, of_squares;
    for (const double value : values) sum += value;
    mean = sum.value() / static_cast<double>(values.size());
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
    const double alone = column.squares;
    for (const Column& before : columns) {
      before.subtract_from(column.values, before.slope(column.values));
    }
    column.measure();
    if (column.squares > kRounding * alone) columns.push_back(std::move(column));
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
    fitted.leverage += static_cast<double>(of.size()) * column.mean * column.mean / column.squares;
  }
  return fitted;
}

}  // namespace speclab
