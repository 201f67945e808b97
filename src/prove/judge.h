#pragma once

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
  signs,    ///< an inequality, from the signs of its parts
  solver,   ///< the solver finds no pair where it fails
};
inline constexpr std::size_t kBases = 4;

enum class Held { yes, no, unknown };

/// One condition a polynomial, of the signs that all of them leave it.
std::vector<Condition> merged(std::span<const Condition> conditions);

/// Whether a goal of a finished run holds on the run's cell, as far as can be told without a
/// solver; `no` where it fails at the sample.
/// @param always  what holds throughout the family  @param cell  the cell's conditions
Held judge(const Theorem& theorem, CellRun& run, const Goal& goal,
           std::span<const Condition> always, std::span<const Condition> cell,
           std::mt19937_64& engine, Basis& basis);

/// How a theorem fails at a point, or nothing where it holds there.
std::optional<std::string> failure_at(const Theorem& theorem, Functions& functions,
                                      const std::vector<Rational>& point);

}  // namespace speclab
