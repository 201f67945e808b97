// Bases and optima in doubles where there is no Clp: the primal simplex method on a dense table,
// which the small programs of a page fit in. Whatever it returns, certify() proves in fractions.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/error.h"
#include "optimum/basis.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr double kTiny = 1e-9;
constexpr std::size_t kMostEntries = 20'000'000;

/// Row i: A_i | total_i, in terms of the basis; the last row holds the gain of each column.
class Table {
 public:
  explicit Table(const LinearProgram& program)
      : rows_(program.totals.size()),
        columns_(program.columns.size()),
        entries_(checked((rows_ + 1) * (columns_ + 1))),
        basis_(rows_) {
    std::iota(basis_.begin(), basis_.end(), columns_);  // the slack of row i is columns_ + i
    for (std::size_t j = 0; j < columns_; ++j) {
      for (const auto& [i, value] : program.columns[j].entries) at(i, j) = to_double(value);
    }
    for (std::size_t i = 0; i < rows_; ++i) {
      at(i, columns_) = to_double(program.totals[i]);
      if (at(i, columns_) >= 0) continue;
      for (std::size_t j = 0; j <= columns_; ++j) at(i, j) = -at(i, j);
    }
    // Slacks cost 1 each until they are 0.
    for (std::size_t i = 0; i < rows_; ++i) add(rows_, i, 1);
    if (!maximise() || total(rows_) > 1e-7) fail();
    for (std::size_t i = 0; i < rows_; ++i) drive_out(i);
    for (std::size_t j = 0; j <= columns_; ++j) {
      at(rows_, j) = j < columns_ ? to_double(program.columns[j].reward) : 0;
    }
    for (std::size_t i = 0; i < rows_; ++i) {
      if (basis_[i] < columns_) add(rows_, i, -at(rows_, basis_[i]));
    }
    if (!maximise()) fail();
  }

  [[nodiscard]] std::vector<Basic> basis() const {
    std::vector<Basic> result;
    for (const std::size_t k : basis_) {
      result.push_back({k < columns_, k < columns_ ? k : k - columns_});
    }
    return result;
  }

  [[nodiscard]] NearOptimum optimum() const {
    NearOptimum near{-total(rows_), std::vector<double>(columns_)};
    for (std::size_t i = 0; i < rows_; ++i) {
      if (basis_[i] < columns_) near.point[basis_[i]] = total(i);
    }
    return near;
  }

 private:
  static std::size_t checked(std::size_t size) {
    if (size <= kMostEntries) return size;
    throw LimitError(
        "a linear program of this size is not solved in a browser; run speclab itself");
  }
  [[noreturn]] static void fail() {
    throw std::logic_error("no optimum of a verifier's linear program was found");
  }

  double& at(std::size_t i, std::size_t j) { return entries_[i * (columns_ + 1) + j]; }
  [[nodiscard]] double total(std::size_t i) const { return entries_[(i + 1) * (columns_ + 1) - 1]; }

  /// Row `to` += factor * row `from`.
  void add(std::size_t to, std::size_t from, double factor) {
    if (factor == 0) return;
    for (std::size_t j = 0; j <= columns_; ++j) at(to, j) += factor * at(from, j);
  }

  void pivot(std::size_t row, std::size_t column) {
    const double divisor = at(row, column);
    for (std::size_t j = 0; j <= columns_; ++j) at(row, j) /= divisor;
    for (std::size_t i = 0; i <= rows_; ++i) {
      if (i != row) add(i, row, -at(i, column));
    }
    basis_[row] = column;
  }

  /// False where no bound is found. The column of the largest gain enters; after many steps, which
  /// may be a cycle, the first with a gain does (Bland), and the first variable of a tie leaves.
  bool maximise() {
    for (std::size_t step = 0;; ++step) {
      check_interrupted();
      const double* gains = &at(rows_, 0);
      const double* best =
          step < 20 * (rows_ + 10)
              ? std::max_element(gains, gains + columns_)
              : std::find_if(gains, gains + columns_, [](double gain) { return gain > kTiny; });
      if (best == gains + columns_ || *best <= kTiny) return true;
      const auto column = static_cast<std::size_t>(best - gains);
      std::size_t row = rows_;
      for (std::size_t i = 0; i < rows_; ++i) {
        if (at(i, column) <= kTiny) continue;
        const double less =
            row == rows_ ? -1 : total(i) / at(i, column) - total(row) / at(row, column);
        if (less < 0 || (less == 0 && basis_[i] < basis_[row])) row = i;
      }
      if (row == rows_) return false;
      pivot(row, column);
    }
  }

  /// Exchanges a slack that is 0 for a column; one that no column can replace is of a row that the
  /// other rows imply.
  void drive_out(std::size_t row) {
    for (std::size_t j = 0; j < columns_ && basis_[row] >= columns_; ++j) {
      if (std::abs(at(row, j)) > kTiny) pivot(row, j);
    }
  }

  std::size_t rows_, columns_;
  std::vector<double> entries_;
  std::vector<std::size_t> basis_;
};

}  // namespace

std::vector<Basic> optimal_basis(const LinearProgram& program) { return Table(program).basis(); }
NearOptimum solve_near(const LinearProgram& program) { return Table(program).optimum(); }

}  // namespace speclab
