#include "prove/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "prove/equalities.h"

namespace speclab {
namespace {

/// The identity at random points of the field that are moved onto the cell's equalities. Where
/// there are none the points are random, and the identity has failed there already.
bool holds_on_variety(const Theorem& theorem, CellRun& run, const Goal& goal,
                      std::span<const Condition> always, std::span<const Condition> cell,
                      std::mt19937_64& engine) {
  const bool thin = std::any_of(cell.begin(), cell.end(), [](const Condition& condition) {
    return condition.signs == kZero;
  });
  if (!thin) return false;
  Functions& functions = run.functions();
  const std::size_t size = run.sample().size();
  CellRun::Points points(size);
  for (std::size_t k = 0; k < Functions::kPoints; ++k) {
    std::vector<Residue> point;
    for (std::size_t i = 0; i < size; ++i) point.emplace_back(engine() >> 3);
    if (!move_onto(cell, functions.factors(), point)) return false;
    for (std::size_t i = 0; i < size; ++i) points[i][k] = point[i];
  }
  std::vector<Condition> known(always.begin(), always.end());
  known.insert(known.end(), cell.begin(), cell.end());
  CellRun again(functions, run.sample(), known);
  again.follow(std::move(points));
  const CurrentRun current(again);
  goals_of(theorem);
  const auto& values = again.residues(goal.difference);
  return values &&
         std::all_of(values->begin(), values->end(), [](Residue value) { return value.is_zero(); });
}

}  // namespace

std::vector<Condition> merged(std::span<const Condition> conditions) {
  std::map<Factor, Signs> known;
  for (const Condition& condition : conditions) {
    auto [place, fresh] = known.try_emplace(condition.factor, condition.signs);
    if (!fresh) place->second &= condition.signs;
  }
  std::vector<Condition> result;
  for (const auto& [factor, signs] : known) result.push_back({factor, signs});
  return result;
}

Held judge(const Theorem& theorem, CellRun& run, const Goal& goal,
           std::span<const Condition> always, std::span<const Condition> cell,
           std::mt19937_64& engine, Basis& basis) {
  basis = Basis::field;
  if (goal.difference == Functions::kZeroFunction) return Held::yes;
  if ((sign_of(run.value(goal.difference)) & goal.wanted) == 0) return Held::no;
  if (goal.wanted != kZero) {
    basis = Basis::signs;
    return within(run.signs(goal.difference), goal.wanted) ? Held::yes : Held::unknown;
  }
  basis = Basis::variety;
  return holds_on_variety(theorem, run, goal, always, cell, engine) ? Held::yes : Held::unknown;
}

std::optional<std::string> failure_at(const Theorem& theorem, Functions& functions,
                                      const std::vector<Rational>& point) {
  CellRun run(functions, point, theorem.family.domain(functions.factors()));
  const CurrentRun current(run);
  try {
    for (const Goal& goal : goals_of(theorem)) {
      const Rational& value = run.value(goal.difference);
      if ((sign_of(value) & goal.wanted) == 0) {
        return fmt::format("{} is off by {}", goal.what, to_text(value));
      }
    }
  } catch (const DividedByZero&) {
    return "the verifier divides by 0";
  }
  return std::nullopt;
}

}  // namespace speclab
