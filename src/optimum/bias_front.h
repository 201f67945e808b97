#pragma once

#include <map>
#include <utility>
#include <vector>

#include "optimum/prefix_tree.h"

namespace speclab {

/// E[N_rej] and TV of the first T tokens of one algorithm, and the algorithm.
struct FrontPoint {
  /// At a context v: m(v, x) = P(v, x accepted) and r(v, x) = P(v, corrected to x). The algorithm
  /// has b(x|v) = m(v, x) / (a(v) d(x|v)) and P(x|v) proportional to r(v, x).
  struct Step {
    std::vector<Rational> accepted;
    std::vector<Rational> corrected;
  };

  Rational rejections;
  Rational distance;
  std::map<std::pair<State, Prefix>, Step> steps{};  ///< by start and context

  /// Compares points of the plane; several algorithms may share one.
  bool operator==(const FrontPoint& other) const {
    return rejections == other.rejections && distance == other.distance;
  }
};

/// The front of rejections and bias over all of yin2024's class (Algorithm 2) at a horizon of T
/// tokens (Remark 6, equation (27), over b_1 .. b_T and P_1 .. P_T together): the vertices of the
/// convex, falling, piecewise linear function "least TV by E[N_rej]", from no rejection to no bias.
///
/// A linear program. Let a(v) = P(the output begins with v), m(v, x) the part of it that continues
/// by accepting x and r(v, x) by correcting to x: a(vx) = m(v, x) + r(v, x), sum_x a(vx) = a(v),
/// m(v, x) <= d(x|v) a(v), E[N_rej] = sum r, TV = sum over T tokens of [a - T]+. Conversely, such
/// numbers define an algorithm: b = m / (a d), P proportional to r. At T = 1 it is Theorem 5's
/// line.
/// @throws LimitError where the program is too large; std::logic_error where a vertex is not
/// certified, which occurs from T = 3 on for laws that differ by a millionth
std::vector<FrontPoint> bias_front(const Rows<Rational>& rows, int tokens);

}  // namespace speclab
