#pragma once

#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "prove/theorem.h"

namespace speclab {

/// How a property was found to hold on a cell, the strongest way first.
enum class Basis {
  field,    ///< as an identity, at random points of a field
  variety,  ///< likewise at points that meet the equalities among the cell's conditions
  signs,    ///< from the signs that the conditions give the factors of a difference
  solver,   ///< the solver finds no pair where it fails
};
inline constexpr std::size_t kBases = 4;

enum class Held { yes, no, unknown };

/// One condition a polynomial, of the signs that all of them leave it.
std::vector<Condition> merged(std::span<const Condition> conditions);

/// Whether the goals of a finished run hold on the run's cell, as far as can be told without a
/// solver. What it is given outlives it.
class Judge {
 public:
  /// @param always  what holds throughout the family  @param cell  the cell's conditions
  Judge(const Theorem& theorem, CellRun& run, std::span<const Condition> always,
        std::span<const Condition> cell, std::mt19937_64& engine);

  /// `no` where the goal fails at the sample.
  Held hold(const Goal& goal, Basis& basis);

 private:
  bool holds_on_equalities(const Goal& goal);
  std::unique_ptr<CellRun> run_on_equalities();

  const Theorem& theorem_;
  CellRun& run_;
  std::span<const Condition> always_;
  std::span<const Condition> cell_;
  std::mt19937_64& engine_;
  bool tried_ = false;
  std::unique_ptr<CellRun> again_;  ///< at points of the field that meet the cell's equalities
};

/// How a theorem fails at a point, or nothing where it holds there.
std::optional<std::string> failure_at(const Theorem& theorem, Functions& functions,
                                      const std::vector<Rational>& point);

}  // namespace speclab
