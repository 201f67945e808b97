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

/// Values are dealt out to so many parts in turn; each part takes the slopes of all others.
constexpr std::size_t kParts = 16;

double total(std::span<const double> values) {
  Sum<double> sum;
  for (const double value : values) sum += value;
  return sum.value();
}

/// One control of each value, less its shares of those before it.
struct Column {
  std::size_t control = 0;           ///< which one
  std::vector<double> earlier = {};  ///< how much of each column before is taken out of it
  std::vector<double> values = {};
  double mean = 0, squares = 0;  ///< squares of the values less the mean
  double taken = 0;              ///< the slope of what is measured over it

  [[nodiscard]] double count() const { return static_cast<double>(values.size()); }
  [[nodiscard]] double spread() const { return std::sqrt(squares / count()); }
  [[nodiscard]] bool shows_its_mean() const {
    return count() * (count() - 1) * mean * mean <= kMostErrors * kMostErrors * squares;
  }

  void measure() {
    mean = total(values) / count();
    Sum<double> of_squares;
    for (const double value : values) of_squares += (value - mean) * (value - mean);
    squares = of_squares.value();
  }
  /// Of the line of least squares through `of` over this column.
  [[nodiscard]] double slope(std::span<const double> of) const {
    Sum<double> products;
    for (std::size_t i = 0; i < of.size(); ++i) products += (values[i] - mean) * of[i];
    return products.value() / squares;
  }
  void subtract(const Column& before) {
    earlier.push_back(before.slope(values));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= earlier.back() * before.values[i];
  }
};

/// Least squares of values over those controls that are of use.
class Fit {
 public:
  Fit(std::span<const ControlVariates> controls, std::span<const double> of) {
    for (std::size_t j = 0; j < kControlVariates; ++j) add(j, controls);
    for (Column& column : columns_) column.taken = column.slope(of);
  }

  [[nodiscard]] std::size_t slopes() const { return columns_.size(); }

  /// What goes with these controls.
  [[nodiscard]] double of(const ControlVariates& controls) const {
    ControlVariates left{};
    Sum<double> sum;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const Column& column = columns_[k];
      left[k] = controls[column.control];
      for (std::size_t m = 0; m < k; ++m) left[k] -= column.earlier[m] * left[m];
      sum += column.taken * left[k];
    }
    return sum.value();
  }

 private:
  /// The columns are orthogonal to each other (Gram and Schmidt).
  void add(std::size_t control, std::span<const ControlVariates> controls) {
    Column column{.control = control};
    for (const ControlVariates& each : controls) column.values.push_back(each[control]);
    column.measure();
    const double alone = column.spread();
    if (!(alone > kLeastSpread) || !column.shows_its_mean()) return;
    for (const Column& before : columns_) column.subtract(before);
    column.measure();
    const bool differs = column.spread() > std::max(kLeastSpread, kLeastShare * alone);
    if (differs && column.shows_its_mean()) columns_.push_back(std::move(column));
  }

  std::vector<Column> columns_;
};

/// The fit to all values but those of one part.
Fit fit_others(std::span<const ControlVariates> controls, std::span<const double> below,
               std::span<const double> above, std::size_t part) {
  std::vector<ControlVariates> others;
  std::vector<double> under, excess;
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (i % kParts == part) continue;
    others.push_back(controls[i]);
    under.push_back(below[i]);
    excess.push_back(above[i]);
  }
  const double all = total(under), ratio = all > 0 ? total(excess) / all : 0;
  for (std::size_t i = 0; i < excess.size(); ++i) excess[i] -= ratio * under[i];
  return {others, excess};
}

}  // namespace

std::size_t subtract_controls(std::span<const ControlVariates> controls,
                              std::span<const double> below, std::span<double> above) {
  const std::vector<double> measured(above.begin(), above.end());
  std::size_t slopes = 0;
  for (std::size_t part = 0; part < std::min(kParts, above.size()); ++part) {
    const Fit others = fit_others(controls, below, measured, part);
    slopes = std::max(slopes, others.slopes());
    for (std::size_t i = part; i < above.size(); i += kParts) above[i] -= others.of(controls[i]);
  }
  return slopes;
}

}  // namespace speclab
