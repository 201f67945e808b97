#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "prove/cell_run.h"
#include "prove/factors.h"

namespace speclab {

/// Moves a point onto the zeros of a polynomial of degree 2 that has one, P, among the corners (all
/// its parameters 0 or 1): to the other zero on the line from P through the point, which is
/// rational because P is. Worked example: d^2 + d t + t^2 = d + t and (1/3, 1/2): along P = 0 the
/// zeros are 0 and (d + t) / (d^2 + d t + t^2) = 30/19 times the point.
/// @returns false where there is no such corner
inline bool move_along_line(const Polynomial& equality, std::vector<Rational>& point) {
  constexpr std::size_t kMostOccurring = 8;
  std::vector<std::size_t> occurring;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (equality.contains(i)) occurring.push_back(i);
  }
  if (equality.degree() != 2 || occurring.size() > kMostOccurring) return false;
  for (std::size_t corner = 0; corner < std::size_t{1} << occurring.size(); ++corner) {
    const auto at = [&](const Rational& step) {
      std::vector<Rational> moved = point;
      for (std::size_t k = 0; k < occurring.size(); ++k) {
        const Rational from((corner >> k & 1) != 0 ? 1 : 0);
        moved[occurring[k]] = from + step * (point[occurring[k]] - from);
      }
      return moved;
    };
    const auto value = [&](int step) { return equality.at(at(Rational(step))); };
    if (value(0) != 0) continue;
    const Rational first = value(1);
    const Rational square = (value(2) - 2 * first) / 2;
    if (square == 0) continue;
    point = at((square - first) / square);
    return true;
  }
  return false;
}

/// Moves a point onto the common zeros of polynomials, one after the other, each by one parameter
/// that it is linear in and that no polynomial before it contains; polynomials that are
/// already zero need none. Worked example: t = 0 and t - d = 0 at (d, t) = (1/2, 1/3): t = 0, then
/// d = 0. Where all `slopes`, the coefficients of those parameters, are nonzero, every common zero
/// is made from its other parameters in this way.
/// @param slopes  written; or null, and a polynomial that is linear in none may be moved onto along
///                a line, which reaches some of its zeros
/// @returns false where that is impossible; the point is then unusable
/// @tparam Value  Rational, or RandomResidue with slopes
template <class Value>
bool move_onto(std::span<const Condition> conditions, const Factors& factors,
               std::vector<Value>& point, std::vector<Polynomial>* slopes = nullptr) {
  const Value zero{};
  std::vector<const Polynomial*> equalities;
  for (const Condition& condition : conditions) {
    if (condition.signs == kZero) equalities.push_back(&factors[condition.factor]);
  }
  std::stable_sort(equalities.begin(), equalities.end(), [](const auto* a, const auto* b) {
    return a->terms().size() < b->terms().size();
  });
  std::vector<char> taken(point.size());
  const auto mark = [&taken](const Polynomial& polynomial) {
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (polynomial.contains(i)) taken[i] = 1;
    }
  };
  for (const Polynomial* equality : equalities) {
    const Value value = equality->at(std::span<const Value>(point));
    if (value == zero) {
      mark(*equality);
      continue;
    }
    bool moved = false;
    for (std::size_t i = 0; i < point.size() && !moved; ++i) {
      if (taken[i] != 0 || equality->degree_in(i) != 1) continue;
      Polynomial coefficient = equality->slope_in(i);
      const Value slope = coefficient.at(std::span<const Value>(point));
      if (slope == zero) continue;
      point[i] = point[i] - value / slope;
      if (slopes != nullptr) slopes->push_back(std::move(coefficient));
      moved = true;
    }
    if (!moved) {
      if (slopes != nullptr) return false;
      for (std::size_t i = 0; i < point.size(); ++i) {
        if (taken[i] != 0 && equality->contains(i)) return false;
      }
      if constexpr (std::is_same_v<Value, Rational>) {
        if (!move_along_line(*equality, point)) return false;
      }
    }
    mark(*equality);
  }
  return true;
}

/// Whether a point meets every condition.
inline bool meets(std::span<const Condition> conditions, const Factors& factors,
                  std::span<const Rational> point) {
  for (const Condition& condition : conditions) {
    if ((sign_of(factors[condition.factor].at(point)) & condition.signs) == 0) return false;
  }
  return true;
}

}  // namespace speclab
