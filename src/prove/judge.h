#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "prove/theorem.h"

namespace speclab {

/// How a property was proved on a cell, the strongest way first.
enum class Basis {
  field,    ///< as an identity, at random points of a field
  variety,  ///< as an identity, at points that satisfy the equalities among the cell's conditions
  signs,    ///< from the signs that the conditions give the factors of a difference
  solver,   ///< the solver finds no pair where it fails
};
inline constexpr std::size_t kBases = 4;

/// Whether a goal is true on a cell.
enum class Truth { yes, no, unknown };

/// Decides whether the goals of a finished run hold on the run's cell, without a solver where
/// possible. Its arguments must outlive it.
///
/// Basis::variety errs only where a polynomial other than 0 is zero at all points, as in Functions:
/// the difference's numerator, with the parameters that were moved as fractions of the others.
class Judge {
 public:
  /// @param always  conditions of the whole family  @param cell  the cell's conditions
  Judge(const Theorem& theorem, CellRun& run, std::span<const Condition> always,
        std::span<const Condition> cell);

  /// `no` where the goal fails at the sample.
  Truth check(const Goal& goal, Basis& basis);

 private:
  bool holds_on_equalities(const Goal& goal);
  bool vanishes(const Goal& goal);
  std::unique_ptr<CellRun> run_on_equalities();

  const Theorem& theorem_;
  CellRun& run_;
  std::span<const Condition> always_;
  std::span<const Condition> cell_;
  bool tried_ = false;
  std::unique_ptr<CellRun> again_;  ///< at points of the fields that satisfy the cell's equalities
};

/// How a theorem fails at a pair.
struct TheoremFailure {
  std::string detail;  ///< the failing goal, and the difference
  ProofRun run;        ///< the iteration that shows it
};

/// Empty where the theorem is true at the point.
std::optional<TheoremFailure> failure_at(const Theorem& theorem, Functions& functions,
                                         const std::vector<Rational>& point);

}  // namespace speclab
