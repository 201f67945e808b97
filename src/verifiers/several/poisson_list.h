#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "base/spec.h"
#include "draft/source.h"
#include "system/interrupt.h"
#include "verifiers/info.h"
#include "verifiers/several/positions.h"
#include "verifiers/several/ratio_bends.h"

namespace speclab {

/// The law of the target's token Y of a Poisson process, given the drafts' tokens x_1 .. x_K in
/// their order. Every token v has arrivals of rate 1, at times T; the drafts are the first K of all
/// arrivals in draft time T / d, which makes them i.i.d. from d, and Y is the first in target time
/// T / t.
///
/// Let Y come at target time m, and divide draft times by m: the first arrival of v is above r(v) =
/// t(v) / d(v), those after it have rate m d(v), that of Y is at r(Y). With g as in RatioBends, the
/// integral over m of the density of times v_1 < .. < v_K is of g(v_K)^-K or g(v_K)^-(K+1):
///   P(Y = y | x), y none of the x_k:
///     t(y) K! times the integral of g(v_K)^-(K+1) over v_1 < .. < v_K < r(y), all v_k > r(x_k)
///   P(Y = y | x), x_i the first that is y:
///     r(y) (K-1)! times the integral of g(v_K)^-K over v_1 < .. < v_K, v_i = r(y), the other v_k >
///     r(x_k)
/// Between two bends the integrand, a polynomial in v over a power of g, has a rational
/// antiderivative: fractions are exact. In doubles all terms are positive.
///
/// Worked example: d = (2/3, 1/3), t = (1/3, 2/3), x = (0, 0): r = 1/2 and 2, g = 1 and 2;
/// P(Y = 0) = 1/2 times the integral of g^-2 from 1/2 = 1/2 (3/4 + 1/2) = 5/8.
template <class Laws>
class PoissonPoints {
 public:
  using Real = typename Laws::Real;

  /// Coefficients are at most 2^K, which a double must hold.
  static constexpr std::size_t kMostDrafted = 500;

  /// @param drafted  the tokens of the drafts, d > 0, in the order of their arrival; at least one
  /// @throws LimitError for more than kMostDrafted
  PoissonPoints(const Laws& laws, const std::vector<Token>& drafted)
      : laws_(laws), drafted_(drafted), bends_(laws) {
    if (drafted.size() <= kMostDrafted) return;
    throw LimitError(fmt::format(
        "poisson-list integrates a polynomial of a degree a draft, at most {} drafts on "
        "one path, and there are {}; take fewer drafts",
        kMostDrafted, drafted.size()));
  }

  /// P(Y = y) for each token y. O(V K^2).
  [[nodiscard]] std::vector<Real> law() const {
    const std::vector<Real> before = missed();
    std::vector<Real> weights;
    for (Token y = 0; y < laws_.vocabulary(); ++y) {
      weights.push_back(laws_.target(y) * before[bends_.of(y)]);
    }
    std::vector<bool> seen(weights.size());
    for (std::size_t i = 0; i < drafted_.size(); ++i) {
      const auto x = static_cast<std::size_t>(drafted_[i]);
      if (!seen[x]) weights[x] = matched(i);
      seen[x] = true;
    }
    return weights;
  }

 private:
  /// n! times the volume of v_1 < .. < v_n < v, all v_k above a bend each, over g(v)^n: a
  /// polynomial in v from the highest of these bends on, about the bend `at`. With a there, the
  /// coefficient of (v - a)^k is that of `terms` times g(a)^(n - k).
  struct Volume {
    std::size_t at = 0;
    std::vector<Real> terms{Real(1)};
  };

  [[nodiscard]] std::size_t drafts() const { return drafted_.size(); }
  [[nodiscard]] static Real whole(std::size_t n) { return Real(static_cast<long>(n)); }

  /// Goes on to a bend, where it is above that of the volume.
  void advance(Volume& volume, std::size_t to) const {
    for (; volume.at < to; ++volume.at) {
      const auto& from = bends_[volume.at];
      const auto& next = bends_[volume.at + 1];
      const Real step = (next.at - from.at) / next.g;
      const std::vector<Real> falls = powers(Real(from.g / next.g), volume.terms.size());
      // Horner's scheme for (z + step), one factor of `fall` for each degree that is lacking.
      std::vector<Real> shifted;
      for (std::size_t k = volume.terms.size(); k-- > 0;) {
        check_interrupted();
        shifted.insert(shifted.begin(), Real(0));
        for (std::size_t j = 0; j + 1 < shifted.size(); ++j) {
          shifted[j] += step * shifted[j + 1];
        }
        shifted.front() += volume.terms[k] * falls[volume.terms.size() - 1 - k];
      }
      volume.terms = std::move(shifted);
    }
  }

  /// One more v_n, above a bend; the highest of all is at least this one.
  void add(Volume& volume, std::size_t bend) const {
    advance(volume, bend);
    const std::size_t n = volume.terms.size();
    std::vector<Real> terms{Real(0)};
    for (std::size_t k = 0; k < n; ++k) terms.push_back(whole(n) * volume.terms[k] / whole(k + 1));
    volume.terms = std::move(terms);
  }

  /// The integral over the piece after volume.at of the volume's polynomial times g^-(n + 1 +
  /// more), times g(a)^more, more >= 1.
  [[nodiscard]] Real over_piece(const Volume& volume, std::size_t more) const {
    const auto& from = bends_[volume.at];
    const bool last = volume.at + 1 == bends_.size();
    const Real fall = last ? Real(0) : Real(from.g / bends_[volume.at + 1].g);
    const Real end = last ? Real(1 / from.slope)
                          : Real((bends_[volume.at + 1].at - from.at) / bends_[volume.at + 1].g);
    const std::size_t n = volume.terms.size() - 1;
    const std::vector<Real> falls = powers(fall, n + more);
    const std::vector<Real> ends = powers(end, n + more + 1);
    Real sum(0);
    for (std::size_t k = 0; k <= n; ++k) {
      if (volume.terms[k] == 0) continue;
      check_interrupted();  // a moment of a thousand fractions takes a second
      sum += volume.terms[k] * moment(k, n + more - 1 - k, from.slope, ends, falls);
    }
    return sum;
  }

  /// x^0 to x^(count - 1).
  static std::vector<Real> powers(const Real& x, std::size_t count) {
    std::vector<Real> list{Real(1)};
    while (list.size() < count) list.push_back(list.back() * x);
    return list;
  }

  /// The integral of z^k (1 - slope z)^q from 0 to where 1 - slope z is `fall`, by parts, so that
  /// all terms are positive. @param ends,falls  powers of that z and of `fall`
  static Real moment(std::size_t k, std::size_t q, const Real& slope, const std::vector<Real>& ends,
                     const std::vector<Real>& falls) {
    Real factor(1);
    Real sum(0);
    for (;; ++k, --q) {
      sum += factor * ends[k + 1] * falls[q] / whole(k + 1);
      if (q == 0) return sum;
      factor *= whole(q) * slope / whole(k + 1);
    }
  }

  /// P(no x_k is Y, v_K below this bend) over t(Y), for a Y whose r is not below it; the last one
  /// is of all v_K.
  [[nodiscard]] std::vector<Real> missed() const {
    Volume volume;
    for (std::size_t k = 0; k + 1 < drafts(); ++k) add(volume, bends_.of(drafted_[k]));
    advance(volume, bends_.of(drafted_.back()));
    std::vector<Real> before(bends_.size() + 1, Real(0));
    for (std::size_t i = volume.at; i < bends_.size(); ++i) {
      advance(volume, i);
      before[i + 1] = before[i] + whole(drafts()) * over_piece(volume, 1) / bends_[i].g;
    }
    return before;
  }

  /// P(Y = x_i), none before it being that token.
  [[nodiscard]] Real matched(std::size_t i) const {
    const std::size_t own = bends_.of(drafted_[i]);
    Volume below;
    for (std::size_t k = 0; k < i; ++k) add(below, bends_.of(drafted_[k]));
    if (below.at > own) return Real(0);
    advance(below, own);
    const std::size_t after = drafts() - 1 - i;
    const auto& ring = bends_[own];
    // r g^(i-1) of what g^-i or the integral leaves, and the volume's term at r(y).
    if (after == 0) return ring.at / ring.g * below.terms.front();
    Volume above{own};
    for (std::size_t k = i + 1; k + 1 < drafts(); ++k) add(above, bends_.of(drafted_[k]));
    advance(above, bends_.of(drafted_.back()));
    Real sum(0);
    for (std::size_t at = above.at; at < bends_.size(); ++at) {
      advance(above, at);
      Real share = over_piece(above, i + 1) * ring.at / bends_[at].g;
      for (std::size_t k = 0; k < i; ++k) share *= ring.g / bends_[at].g;
      sum += share;
    }
    // (K - 1)! / (i! (after - 1)!), the v_k below and above in any order.
    Real orders(1);
    for (std::size_t k = 1; k <= i; ++k) orders *= whole(after + k) / whole(k);
    return orders * whole(after) * below.terms.front() * sum;
  }

  const Laws& laws_;
  const std::vector<Token>& drafted_;
  RatioBends<Real> bends_;
};

/// K drafts and the target's token of one Poisson process: at every position token v has arrivals
/// of rate 1; the drafts are the first K in draft time, the target's token is the first in target
/// time. It is emitted; the drafts that are it go on, with a fresh process, and where there is none
/// the iteration ends. After window.drafts matches Y ~ t. Every Y follows t, whatever was matched
/// before it, and is a function of the process alone, so that no drafter changes the output. At K =
/// 1 it is gumbel.
///
/// The process is not drawn, but the drafts, then Y given them (PoissonPoints).
struct PoissonList {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "poisson-list",
      .parameters = "K=",
      .prose = "K drafts, the first arrivals of the Poisson process that the target's token is of",
      .source = "this project, after Li and El Gamal 2018 (Poisson functional representation)",
      .kind = VerifierKind::lossless,
      .example = "poisson-list(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static PoissonList read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_positions(
        view, drafts, window, choices, out,
        [&view](const auto& laws, const std::vector<Token>& candidates, auto& coins, auto& result) {
          return match_candidates(view, PoissonPoints(laws, candidates).law(), candidates, coins,
                                  result);
        });
  }
};

}  // namespace speclab
