#include "optimum/linear_program.h"

#include <stdexcept>

#include "optimum/basis.h"
#include "optimum/sparse_solve.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// A basis with everything that is computed from it, exactly.
class Vertex {
 public:
  Vertex(const LinearProgram& program, std::vector<Basic> basis)
      : program_(program), basis_(std::move(basis)) {
    if (basis_.size() != program.totals.size()) throw std::logic_error("a basis of the wrong size");
    refresh();
  }

  [[nodiscard]] const std::vector<Rational>& prices() const { return prices_; }

  /// The largest violation of a column's constraint by the prices; at most 0 when there is none.
  [[nodiscard]] Rational shortfall() const {
    Rational worst(0);
    for (const auto& column : program_.columns) {
      const Rational reduced = gain(column);
      if (reduced > worst) worst = reduced;
    }
    return worst;
  }

  /// The value of the primal point, where it is feasible.
  [[nodiscard]] std::optional<Rational> attained() const {
    if (!regular_ || leaving()) return std::nullopt;
    Rational worth(0);
    for (std::size_t k = 0; k < basis_.size(); ++k) {
      if (basis_[k].is_column) worth += point_[k] * program_.columns[basis_[k].index].reward;
    }
    return worth;
  }

  /// The primal point by column, where it is feasible; else empty.
  [[nodiscard]] std::vector<Rational> point() const {
    if (!regular_ || leaving()) return {};
    std::vector<Rational> by_column(program_.columns.size());
    for (std::size_t k = 0; k < basis_.size(); ++k) {
      if (basis_[k].is_column) by_column[basis_[k].index] = point_[k];
    }
    return by_column;
  }

  /// One step of the dual simplex method: a basic variable out of its range leaves; false when
  /// there is none or no column can replace it. @pre the prices violate no column's constraint
  bool step() {
    if (!regular_) return false;
    const auto out = leaving();
    if (!out) return false;
    std::vector<Rational> unit(basis_.size());
    unit[*out] = Rational(1);
    const auto row = solve_sparse(transposed(), std::move(unit));
    if (!row) return false;
    const bool raise = point_[*out] < 0;
    std::optional<std::size_t> best;
    Rational least(0);
    for (std::size_t j = 0; j < program_.columns.size(); ++j) {
      Rational slope(0);
      for (const auto& [i, coefficient] : program_.columns[j].entries) {
        slope += coefficient * (*row)[i];
      }
      if (raise) slope = -slope;
      if (!(slope > 0) || is_basic(j)) continue;
      const Rational ratio = -gain(program_.columns[j]) / slope;
      if (!best || ratio < least) {
        best = j;
        least = ratio;
      }
    }
    if (!best) return false;
    basis_[*out] = {true, *best};
    refresh();
    return true;
  }

 private:
  [[nodiscard]] bool is_basic(std::size_t column) const {
    for (const Basic& basic : basis_) {
      if (basic.is_column && basic.index == column) return true;
    }
    return false;
  }

  /// reward_j - A_j . prices
  [[nodiscard]] Rational gain(const LinearProgram::Column& column) const {
    Rational value = column.reward;
    for (const auto& [row, coefficient] : column.entries) value -= coefficient * prices_[row];
    return value;
  }

  /// The first basic variable out of its range: a column below 0, or a slack other than 0.
  [[nodiscard]] std::optional<std::size_t> leaving() const {
    for (std::size_t k = 0; k < basis_.size(); ++k) {
      if (basis_[k].is_column ? point_[k] < 0 : point_[k] != 0) return k;
    }
    return std::nullopt;
  }

  /// The transposed basis matrix: row k holds the entries of basic variable k.
  [[nodiscard]] std::vector<SparseRow> transposed() const {
    std::vector<SparseRow> matrix;
    for (const Basic& basic : basis_) {
      matrix.push_back(basic.is_column ? program_.columns[basic.index].entries
                                       : SparseRow{{basic.index, Rational(1)}});
    }
    return matrix;
  }

  void refresh() {
    const std::size_t size = basis_.size();
    std::vector<SparseRow> rows = transposed();
    std::vector<SparseRow> columns(size);
    std::vector<Rational> rewards(size);
    for (std::size_t k = 0; k < size; ++k) {
      for (const auto& [i, value] : rows[k]) columns[i].emplace_back(k, value);
      if (basis_[k].is_column) rewards[k] = program_.columns[basis_[k].index].reward;
    }
    auto prices = solve_sparse(std::move(rows), std::move(rewards));
    auto point = solve_sparse(std::move(columns), program_.totals);
    regular_ = prices && point;
    prices_ = regular_ ? std::move(*prices) : std::vector<Rational>(size);
    point_ = regular_ ? std::move(*point) : std::vector<Rational>(size);
  }

  const LinearProgram& program_;
  std::vector<Basic> basis_;
  bool regular_ = false;
  std::vector<Rational> prices_;
  std::vector<Rational> point_;
};

/// The solution in doubles is at most a few steps from the exact optimum.
constexpr int kMostSteps = 200;

}  // namespace

Certificate certify(const LinearProgram& program) {
  Vertex vertex(program, optimal_basis(program));
  for (int i = 0; i < kMostSteps && !(vertex.shortfall() > 0) && vertex.step(); ++i) {
    check_interrupted();
  }
  Certificate certificate;
  certificate.prices = vertex.prices();
  certificate.raised = vertex.shortfall();
  certificate.attained = vertex.attained();
  certificate.point = vertex.point();
  for (std::size_t i = 0; i < program.law_rows; ++i) certificate.prices[i] += certificate.raised;
  for (std::size_t i = 0; i < program.totals.size(); ++i) {
    certificate.bound += program.totals[i] * certificate.prices[i];
  }
  return certificate;
}

}  // namespace speclab
