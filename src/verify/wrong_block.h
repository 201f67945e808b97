#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "verify/choices.h"
#include "verify/greedy_block.h"
#include "verify/wrong.h"

namespace speclab {

/// Block verification taken apart, for a wrong rule in place of its coins: drafts a block, asks
/// `rule(weights, coins)` for tau and ends as block verification ends at that tau.
/// weights: w_1..w_gamma; coins: h_1..h_gamma, where 0/0 (t = d and w_i = 1) is 0: it is never
/// decisive in block verification, and a comparison with a NaN accepts nothing.
template <class View, class Choices, class Rule>
void decide_block(const View& view, Window window, Choices& choices, Iteration<View>& out,
                  const Rule& rule) {
  using Real = typename View::Real;
  auto node = out.node;
  Real w(1);
  std::vector<Real> weights, coins;
  for (int i = 1; i <= window.drafts; ++i) {
    const auto laws = view.at(node);
    const Token x = choices.draft(laws.draft());
    w = min_one<Real>(w * likelihood_ratio(laws, x));
    node = view.next(node, x);
    out.path.push_back({x, node, w});
    weights.push_back(w);
    coins.push_back(w);
    if (i < window.drafts) {
      const Real excess = view.at(node).residual(w).mass();
      coins.back() = excess > 0 ? Real(excess / (excess + 1 - w)) : Real(0);
    }
  }
  const int tau = rule(weights, coins);
  const Real scale = tau == 0 ? Real(1) : weights[static_cast<std::size_t>(tau) - 1];
  out.accept_path(tau);
  if (tau == window.drafts) return out.finish(view, choices, window);
  const auto laws = view.at(out.node);
  out.correct(view, choices, laws.residual(scale));
}

/// The law of tau = max{i : u_1 ... u_i < h_i} (0 if there is none) for independent uniforms u_i.
/// The points -ln(u_1 ... u_i) are the arrivals of a Poisson process of rate 1, so tau < k where by
/// each time -ln h_i, i = k..n, at least i points have come; with c_i = min over j >= i of -ln h_j
/// these times are in order, and P(tau < k) is a sweep over them.
/// @param coins  h_1..h_n in [0, 1]
/// @returns P(tau = 0), ..., P(tau = n), within rounding: the law is not rational.
/// Worked example: n = 2, h = (a, b), a >= b: P(tau = 2) = b (1 - ln b), P(tau = 1) = a - b -
/// b ln(a/b).
inline std::vector<double> coin_product_law(const std::vector<double>& coins) {
  const std::size_t n = coins.size();
  std::vector<double> times(n + 1, std::numeric_limits<double>::infinity());
  for (std::size_t i = n; i-- > 0;) times[i] = std::min(times[i + 1], -std::log(coins[i]));
  const auto below = [&](std::size_t k) {  // P(tau < k), k >= 1
    std::vector<double> points(n + 1, 0);  // P(so many points so far, n meaning n or more)
    points[0] = 1;
    double now = 0;
    for (std::size_t i = k; i <= n; ++i) {
      const double span = times[i - 1] > now ? times[i - 1] - now : 0;
      std::vector<double> after(n + 1, 0);
      for (std::size_t from = 0; from <= n; ++from) {
        double share = std::exp(-span);
        double rest = 1;
        for (std::size_t to = from; to < n; ++to) {
          after[to] += points[from] * share;
          rest -= share;
          share = share > 0 ? share * span / static_cast<double>(to - from + 1) : 0;
        }
        after[n] += points[from] * std::max(rest, 0.0);
      }
      std::fill(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(i), 0.0);
      points = std::move(after);
      now += span;
    }
    double sum = 0;
    for (const double share : points) sum += share;
    return sum;
  };
  std::vector<double> law(n + 1);
  double before = 0;
  for (std::size_t k = 0; k <= n; ++k) {
    const double upto = k < n ? below(k + 1) : 1;
    law[k] = std::max(upto - before, 0.0);
    before = upto;
  }
  return law;
}

/// The sub-block of length i is tested as u_1 u_2 ... u_i < h_i. The law of tau is drawn from
/// directly; it is made of logarithms, which rational arithmetic takes at their nearest doubles.
struct WrongCoinProduct : WrongOnPurpose<WrongCoinProduct> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-coin-product", "each sub-block is tested against the product of the coins so far",
      "fault of block");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    decide_block(view, window, choices, out, [&](const auto&, const auto& coins) {
      std::vector<double> rounded;
      for (const Real& coin : coins) rounded.push_back(std::min(to_double(coin), 1.0));
      std::vector<Real> law;
      for (const double share : coin_product_law(rounded)) law.push_back(Real(share));
      return choices.choose(DenseLaw<Real>(std::move(law)));
    });
  }
};

struct WrongWeightCoins : WrongOnPurpose<WrongWeightCoins> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-weight-coins",
                 "every coin is w_i (h_i = w_i at every i, not at gamma only)", "fault of block");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    decide_block(view, window, choices, out, [&](const auto& weights, const auto&) {
      auto tau = weights.size();
      while (tau > 0 && !choices.accept(weights[tau - 1])) --tau;
      return static_cast<int>(tau);
    });
  }
};

struct WrongFirstFailure : WrongOnPurpose<WrongFirstFailure> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-first-failure",
                 "the coins are tossed from i = 1 up, to the first that fails", "fault of block");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    decide_block(view, window, choices, out, [&](const auto&, const auto& coins) {
      std::size_t tau = 0;
      while (tau < coins.size() && choices.accept(coins[tau])) ++tau;
      return static_cast<int>(tau);
    });
  }
};

struct WrongNoCarry : WrongOnPurpose<WrongNoCarry> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-no-carry", "the next tokens' target is left unmodified", "fault of greedy-block");
  static constexpr bool kCarries = true;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    GreedyBlockVerification{}(view, root, window, choices, out);
    out.node = view.root(view.state(out.node));
  }
};

/// D(path) / T(path) of the carry is taken under the pair's target instead of the modified target
/// that the iteration used, and takes the place of the carry before instead of stacking on it.
struct WrongFlatCarry : WrongOnPurpose<WrongFlatCarry> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-flat-carry", "each carry starts from the original target: modifications do not nest",
      "fault of greedy-block");
  static constexpr bool kCarries = true;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    GreedyBlockVerification{}(view, root, window, choices, out);
    auto node = view.root(view.state(root));
    Real share(1);
    for (const Token x : out.tokens) {
      const auto laws = view.at(node);
      share *= laws.draft(x) / laws.target(x);  // what is emitted has a positive target
      node = view.next(node, x);
    }
    out.node = std::move(node);
    if (out.ending != Ending::correction) return;
    out.node = view.modified(std::move(out.node), share, window.drafts - out.accepted - 1);
  }
};

}  // namespace speclab
