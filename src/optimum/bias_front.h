#pragma once

#include <vector>

#include "model/rows.h"

namespace speclab {

/// E[N_rej] and TV of the first T tokens of one algorithm.
struct FrontPoint {
  Rational rejections;
  Rational distance;
  bool operator==(const FrontPoint& other) const {
    return rejections == other.rejections && distance == other.distance;
  }
};

/// The front of rejections and bias over all of yin2024's class (Algorithm 2) at a horizon of T
/// tokens (Remark 6, equation (27), over b_1 .. b_T and P_1 .. P_T together): the vertices of the
/// convex, falling, piecewise linear function "least TV by E[N_rej]", from no rejection to no bias.
///
/// A linear program. Let a(v) = P(the output begins with v), m(v, x) the part of it that goes on by
/// accepting x and r(v, x) by correcting to x: a(vx) = m(v, x) + r(v, x), sum_x a(vx) = a(v),
/// m(v, x) <= d(x|v) a(v), E[N_rej] = sum r, TV = sum over T tokens of [a - T]+. Any such numbers
/// are an algorithm's: b = m / (a d), P proportional to r. At T = 1 it is Theorem 5's line.
/// @throws LimitError where the program is too large; std::logic_error where a vertex is not
/// certified
std::vector<FrontPoint> bias_front(const Rows<Rational>& rows, int tokens);

}  // namespace speclab
