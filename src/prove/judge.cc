#include "prove/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "prove/branch.h"
#include "prove/equalities.h"
#include "prove/ideal.h"

namespace speclab {

Judge::Judge(const Theorem& theorem, CellRun& run, std::span<const Condition> always,
             std::span<const Condition> cell)
    : theorem_(theorem), run_(run), always_(always), cell_(cell) {}

Truth Judge::check(const Goal& goal, Basis& basis) {
  basis = Basis::field;
  if (goal.difference == Functions::kZeroFunction) return Truth::yes;
  if (run_.sample().rational() && (run_.sign_here(goal.difference) & goal.wanted) == 0) {
    return Truth::no;
  }
  basis = Basis::variety;
  if (goal.wanted == kZero && holds_on_equalities(goal)) return Truth::yes;
  basis = Basis::signs;
  if (within(run_.signs(goal.difference), goal.wanted)) return Truth::yes;
  if ((goal.wanted & kZero) != 0 && vanishes(goal)) {
    basis = Basis::variety;
    return Truth::yes;
  }
  return (run_.sign_here(goal.difference) & goal.wanted) == 0 ? Truth::no : Truth::unknown;
}

bool Judge::holds_on_equalities(const Goal& goal) {
  if (!tried_) {
    tried_ = true;
    again_ = run_on_equalities();
  }
  if (!again_) return false;
  const auto& values = again_->residues(goal.difference);
  return values && std::all_of(values->begin(), values->end(),
                               [](RandomResidue value) { return value.is_zero(); });
}

/// Whether a factor of the goal's difference is found to be zero wherever the equalities hold.
bool Judge::vanishes(const Goal& goal) {
  Functions& functions = run_.functions();
  std::vector<Polynomial> zeros;
  for (const Condition& condition : cell_) {
    if (condition.signs == kZero) zeros.push_back(functions.factors()[condition.factor]);
  }
  if (zeros.empty()) return false;
  const Factored difference = functions.factored(goal.difference);
  return std::any_of(difference.powers.begin(), difference.powers.end(), [&](const auto& power) {
    return power.second > 0 && is_combination(functions.factors()[power.first], zeros);
  });
}

/// Repeats the run at random points of the fields that are moved onto the cell's equalities. Null
/// where there are none, as the identity has failed at random points already, or where the points
/// could miss a part of the cell.
std::unique_ptr<CellRun> Judge::run_on_equalities() {
  const bool thin = std::any_of(cell_.begin(), cell_.end(), [](const Condition& condition) {
    return condition.signs == kZero;
  });
  if (!thin) return nullptr;
  Functions& functions = run_.functions();
  const std::size_t size = run_.sample().point.size();
  CellRun::Points points(size);
  std::vector<Polynomial> slopes;
  for (std::size_t k = 0; k < Functions::kPoints; ++k) {
    std::vector<RandomResidue> point;
    for (std::size_t i = 0; i < size; ++i) point.push_back(functions.point(i)[k]);
    if (!move_onto(cell_, functions.factors(), point, &slopes)) return nullptr;
    for (std::size_t i = 0; i < size; ++i) points[i][k] = point[i];
  }
  for (Polynomial& slope : slopes) {
    if ((run_.signs(functions.factors().split(std::move(slope))) & kZero) != 0) {
      return nullptr;
    }
  }
  const Conditions known = joined({always_.begin(), always_.end()}, cell_);
  auto again = std::make_unique<CellRun>(functions, run_.sample(), known);
  again->follow(std::move(points));
  const CurrentRun current(*again);
  goals_of(theorem_);
  return again;
}

std::optional<TheoremFailure> failure_at(const Theorem& theorem, Functions& functions,
                                         const std::vector<Rational>& point) {
  CellRun run(functions, {point}, theorem.family.domain(functions.factors()));
  const CurrentRun current(run);
  try {
    for (const Goal& goal : goals_of(theorem)) {
      const Rational& value = run.value(goal.difference);
      if ((sign_of(value) & goal.wanted) == 0) {
        return TheoremFailure{fmt::format("{} is off by {}", goal.what, to_text(value)), goal.run};
      }
    }
  } catch (const DividedByZero&) {
    return TheoremFailure{"the verifier divides by 0", theorem.family.runs().back()};
  }
  return std::nullopt;
}

}  // namespace speclab
