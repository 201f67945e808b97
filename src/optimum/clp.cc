// Bases and optima in doubles, by Clp.
#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <stdexcept>

#include "optimum/basis.h"
#include "system/interrupt.h"
#include "system/stage.h"

namespace speclab {
namespace {

/// Stops Clp when a signal was received, and counts its steps.
class StopAtSignal : public ClpEventHandler {
 public:
  int event(Event what) override {
    if (what == endOfIteration) count_in_stage();
    return interrupted() ? 0 : -1;
  }
  [[nodiscard]] ClpEventHandler* clone() const override { return new StopAtSignal(*this); }
};

/// Solves the program with Clp. @throws Error when interrupted
void solve_with_clp(const LinearProgram& program, ClpSimplex& model) {
  std::vector<int> rows;
  std::vector<int> columns;
  std::vector<double> values;
  std::vector<double> rewards;
  for (std::size_t j = 0; j < program.columns.size(); ++j) {
    rewards.push_back(to_double(program.columns[j].reward));
    for (const auto& [row, coefficient] : program.columns[j].entries) {
      rows.push_back(static_cast<int>(row));
      columns.push_back(static_cast<int>(j));
      values.push_back(to_double(coefficient));
    }
  }
  std::vector<double> totals;
  for (const Rational& total : program.totals) totals.push_back(to_double(total));
  CoinPackedMatrix matrix(true, rows.data(), columns.data(), values.data(),
                          static_cast<CoinBigIndex>(values.size()));
  matrix.setDimensions(static_cast<int>(program.totals.size()),
                       static_cast<int>(program.columns.size()));
  model.setLogLevel(0);
  model.loadProblem(matrix, nullptr, nullptr, rewards.data(), totals.data(), totals.data());
  model.setOptimizationDirection(-1);
  begin_stage("pivots of the simplex method");
  const StopAtSignal stop;
  model.passInEventHandler(&stop);
  model.primal();
  check_interrupted();
  if (!model.isProvenOptimal())
    throw std::logic_error("Clp found no optimum of a verifier's linear program");
}

}  // namespace

std::vector<Basic> optimal_basis(const LinearProgram& program) {
  ClpSimplex model;
  solve_with_clp(program, model);
  std::vector<Basic> basis;
  for (std::size_t j = 0; j < program.columns.size(); ++j) {
    if (model.getColumnStatus(static_cast<int>(j)) == ClpSimplex::basic) basis.push_back({true, j});
  }
  for (std::size_t i = 0; i < program.totals.size(); ++i) {
    if (model.getRowStatus(static_cast<int>(i)) == ClpSimplex::basic) basis.push_back({false, i});
  }
  return basis;
}

NearOptimum solve_near(const LinearProgram& program) {
  ClpSimplex model;
  solve_with_clp(program, model);
  const double* point = model.primalColumnSolution();
  return {model.objectiveValue(), {point, point + program.columns.size()}};
}

}  // namespace speclab
