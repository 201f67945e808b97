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

using Controls = std::span<const std::vector<double>>;

/// All values but those of one part.
std::vector<double> others(std::span<const double> values, std::size_t part) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % kParts != part) result.push_back(values[i]);
  }
  return result;
}

/// Least squares over those controls that are of use, of all values but those of one part.
class Fit {
 public:
  Fit(Controls controls, std::span<const double> of, std::size_t part) : controls_(controls) {
    for (std::size_t j = 0; j < controls.size(); ++j) add(j, part);
    const std::vector<double> used = others(of, part);
    for (Column& column : columns_) column.taken = column.slope(used);
  }

  [[nodiscard]] std::size_t slopes() const { return columns_.size(); }

  /// What goes with the controls of a value.
  [[nodiscard]] double at(std::size_t i) const {
    std::vector<double> left;
    Sum<double> sum;
    for (const Column& column : columns_) {
      double now = controls_[column.control][i];
      for (std::size_t k = 0; k < left.size(); ++k) now -= column.earlier[k] * left[k];
      sum += column.taken * now;
      left.push_back(now);
    }
    return sum.value();
  }

 private:
  /// The columns are orthogonal to each other (Gram and Schmidt).
  void add(std::size_t control, std::size_t part) {
    Column column{.control = control, .values = others(controls_[control], part)};
    column.measure();
    const double alone = column.spread();
    if (!(alone > kLeastSpread) || !column.shows_its_mean()) return;
    for (const Column& before : columns_) column.subtract(before);
    column.measure();
    const bool differs = column.spread() > std::max(kLeastSpread, kLeastShare * alone);
    if (differs && column.shows_its_mean()) columns_.push_back(std::move(column));
  }

  Controls controls_;
  std::vector<Column> columns_;
};

}  // namespace

std::size_t subtract_controls(Controls controls, std::span<const double> of,
                              std::span<double> values) {
  std::size_t slopes = 0;
  for (std::size_t part = 0; part < std::min(kParts, values.size()); ++part) {
    const Fit fit(controls, of, part);
    slopes = std::max(slopes, fit.slopes());
    for (std::size_t i = part; i < values.size(); i += kParts) values[i] -= fit.at(i);
  }
  return slopes;
}

}  // namespace speclab
