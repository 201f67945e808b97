#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "system/interrupt.h"

namespace speclab {

/// -ln(ratio) for a ratio in (0, 1], 0 at 1 and irrational at every other rational: there it is a
/// double's value, with a relative error of about 1e-16.
template <class Real>
Real log_span(const Real& ratio) {
  const double below_one = to_double(Real(1 - ratio));
  return Real(below_one < 0.5 ? -std::log1p(-below_one) : -std::log(to_double(ratio)));
}

/// The law of tau = max{i : u_1 ... u_i < h_i} (0 if there is none) for independent uniforms u_i.
/// The points -ln(u_1 ... u_i) are the arrivals of a Poisson process of rate 1, so tau < k where by
/// each time -ln h_i, i = k..n, at least i points have come; with g_i = max over j >= i of h_j the
/// times -ln g_i say the same and are in order, and P(tau < k) is a sweep over them. In a span s
/// between two of them e^-s, the ratio of their g, is rational, and so j points come with
/// probability e^-s s^j / j!.
/// @param coins  h_1..h_n in [0, 1]
/// @returns P(tau = 0), ..., P(tau = n). In rationals they sum to 1 exactly and have no error but
/// that of log_span; with n = 1 there is none.
/// Worked example: n = 2, h = (a, b), a >= b: P(tau = 2) = b (1 - ln b), P(tau = 1) = a - b -
/// b ln(a/b).
template <class Real>
std::vector<Real> coin_product_law(const std::vector<Real>& coins) {
  const std::size_t n = coins.size();
  std::vector<Real> levels(n + 1, Real(0));  // g_1..g_n, then 0
  for (std::size_t i = n; i-- > 0;) {
    levels[i] = coins[i] > levels[i + 1] ? min_one<Real>(coins[i]) : levels[i + 1];
  }
  const auto below = [&](std::size_t k) {      // P(tau < k), k >= 1
    std::vector<Real> points(n + 1, Real(0));  // P(so many points so far, n meaning n or more)
    points[0] = Real(1);
    Real level(1);
    for (std::size_t i = k; i <= n; ++i) {
      const Real none = level > 0 ? Real(levels[i - 1] / level) : Real(1);  // P(no point comes)
      const Real span = none > 0 ? log_span<Real>(none) : Real(0);
      std::vector<Real> after(n + 1, Real(0));
      for (std::size_t from = 0; from <= n; ++from) {
        check_interrupted();
        Real share(none);
        Real rest(1);
        for (std::size_t to = from; to < n; ++to) {
          after[to] += points[from] * share;
          rest -= share;
          share *= span / static_cast<int>(to - from + 1);
        }
        after[n] += points[from] * positive_part<Real>(rest);
      }
      std::fill(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(i), Real(0));
      points = std::move(after);
      level = levels[i - 1];
    }
    Real sum(0);
    for (const Real& share : points) sum += share;
    return sum;
  };
  std::vector<Real> law;
  Real before(0);
  for (std::size_t k = 0; k <= n; ++k) {
    const Real upto = k < n ? below(k + 1) : Real(1);
    law.push_back(positive_part<Real>(upto - before));
    before = upto;
  }
  return law;
}

}  // namespace speclab
