#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "theory/budget.h"

namespace speclab {

// P(tau >= i) = E_d[min(1, w_i)] of verifiers of one draft on a memoryless pair of any vocabulary,
// where w_0 = 1 and a token x takes w to w t(x)/d(x) (greedy block verification, sun2024 Theorem 1)
// or to min(1, w t(x)/d(x)) (block verification, sun2025 Lemma 3). A walk over all paths has up to
// V^i weights; here tokens are sorted by t/d, or counted in cells of log(t/d).

/// How the weight of a path grows.
enum class WeightRule { ratio, clamped };

/// Bounds of tail[i] = P(tau >= i), i = 0..gamma, which hold with all rounding.
struct TailBounds {
  std::vector<double> low;
  std::vector<double> high;
};

/// tail[i], i = 0..gamma <= 2, the same by both rules up to i = 1, to a few units in the last
/// place: E_d[min(1, w_2)] = sum_x d(x) f(w(x)), f(w) = sum_y min(d(y), w t(y)) by prefix sums over
/// the tokens in falling order of t/d. O(V log V). Worked example: toy pair, clamped: 1, 2/3, 5/9.
std::vector<double> short_weight_tail(std::span<const double> draft, std::span<const double> target,
                                      int gamma, WeightRule rule);

/// tail[i], i = 0..gamma, between two bounds.
///
/// F_k(w) = E[min(1, w_k) | w_0 = w] rises and is concave in w, by induction: so is min(1, w), and
/// F_k(w) = E_d[F_{k-1}(w t/d)]. So a mean-preserving spread of the law of w_i lowers the result
/// (Jensen). The weights stand on a grid whose points are a constant factor apart; a weight between
/// two points is split between them. As the split depends on t/d alone, a token is a convolution.
/// What a split loses is at most (b - w)(w - a)/(b - a) times the fall of F_k' over the cell [a,
/// b], and -F_k'' is a measure that a token moves like the weights, with t in the place of d and
/// d/t in that of t/d: from the point w = 1, where min(1, w) bends, to 1 d/t with probability t. A
/// second convolution therefore bounds the loss. Both errors fall with the square of the number of
/// points; weights outside e^-25..e^25 are counted in the bounds in full.
///
/// @param wanted  points are added until the bounds of sum tail[i] are so close, or memory ends
/// @param budget  @throws LimitError where not even the coarsest grid is within it or, beyond gamma
///                = 512, within memory
/// @pre gamma >= 1
TailBounds weight_tail_bounds(std::span<const double> draft, std::span<const double> target,
                              int gamma, WeightRule rule, double wanted, Budget& budget);

/// Bytes that weight_tail_bounds takes at most.
inline constexpr double kWeightBoundsBytes = 400e6;

}  // namespace speclab
