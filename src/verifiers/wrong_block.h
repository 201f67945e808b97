#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "system/interrupt.h"
#include "verifiers/block_coin.h"
#include "verifiers/choices.h"
#include "verifiers/greedy_block.h"
#include "verifiers/wrong.h"

namespace speclab {

/// w_tau: block verification corrects from [w_tau t - d]+.
struct RightScale {
  template <class Real>
  Real operator()(const std::vector<Real>& weights, int tau) const {
    return tau == 0 ? Real(1) : weights[static_cast<std::size_t>(tau) - 1];
  }
};

/// Block verification taken apart, for a wrong rule in place of its coins: drafts a block, asks
/// `rule(weights, coins)` for tau and ends as block verification ends at that tau, the target of
/// the correction weighted by `scale(weights, tau)`.
/// weights: w_1..w_gamma; coins: h_1..h_gamma, where 0/0 (t = d and w_i = 1) is 0: it is never
/// decisive in block verification, and a comparison with a NaN accepts nothing.
template <class View, class Choices, class Rule, class Scale = RightScale>
void decide_block(const View& view, Window window, Choices& choices, Iteration<View>& out,
                  const Rule& rule, const Scale& scale = {}) {
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
      coins.back() = block_coin<Real>(view.at(node).residual(w).mass(), w);
    }
  }
  const int tau = rule(weights, coins);
  out.accept_path(tau);
  if (tau == window.drafts) return out.finish(view, choices, window);
  const auto laws = view.at(out.node);
  out.correct(view, choices, laws.residual(scale(weights, tau)));
}

/// The right rule, for decide_block: the longest sub-block whose coin accepts.
template <class Choices>
auto longest_block(Choices& choices) {
  return [&choices](const auto&, const auto& coins) {
    auto tau = coins.size();
    while (tau > 0 && !choices.accept(coins[tau - 1])) --tau;
    return static_cast<int>(tau);
  };
}

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

/// The sub-block of length i is tested as u_1 u_2 ... u_i < h_i. The law of tau is drawn from
/// directly.
struct WrongCoinProduct : WrongOnPurpose<WrongCoinProduct> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-coin-product", "each sub-block is tested against the product of the coins so far",
      "block", false);

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    decide_block(view, window, choices, out, [&](const auto&, const auto& coins) {
      return choices.choose(DenseLaw<Real>(coin_product_law<Real>(coins)));
    });
  }
};

struct WrongWeightCoins : WrongOnPurpose<WrongWeightCoins> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-weight-coins", "every coin is w_i (h_i = w_i at every i, not at gamma only)", "block");

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

/// The correction is drawn from [s t - d]+ with a wrong s: 1, or w_1 whatever tau >= 1 is. In block
/// verification it is w_tau. The coins are right.
struct WrongBlockResidual {
  bool first = false;  ///< w_1, in place of 1

  static constexpr VerifierInfo kInfo{
      .name = "wrong-block-residual",
      .parameters = "weight=none|first",
      .prose = "the correction is drawn from [t - d]+, or [w_1 t - d]+, at every tau",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-block-residual(weight=none)",
      .fault_of = "block"};
  static constexpr bool kCarries = false;
  static WrongBlockResidual read(SpecReader& spec) {
    return {spec.word("weight", {"none", "first"}, "none") == "first"};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    decide_block(view, window, choices, out, longest_block(choices),
                 [this](const std::vector<Real>& weights, int tau) {
                   return first && tau > 0 ? weights.front() : Real(1);
                 });
  }
};

struct WrongFirstFailure : WrongOnPurpose<WrongFirstFailure> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-first-failure",
                 "the coins are tossed from i = 1 up, to the first that fails", "block");

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
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-no-carry", "the next tokens' target is left unmodified", "greedy-block");
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
      "greedy-block");
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
