#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/types.h"
#include "verifiers/several/ratio_bends.h"

namespace speclab {

/// The law of the target's token of Gumbel list sampling, given the drafts' tokens x_1 .. x_n at a
/// node: draft k has clocks E_k, x_k = argmin E_k / d, and Y = argmin over v of min_k E_k(v) /
/// t(v).
///
/// Given x_k its clock rings in draft time a ~ Exp(1), and every other one E_k(v) is a d(v) plus an
/// Exp(1). With r = t / d, and g(s) = sum over v of max(s d(v), t(v)), integrals over a = m s give
///   S_x(m)     = P(no clock of the draft rings before the target time m | x)
///              = m times the integral of e^(-m g(s)) ds over s > r(x)
///   f_x(y, m)  = density of "the first to ring is y, at m"
///              = t(y) times the integral of m e^(-m g(s)) ds over r(x) < s < r(y), for y != x
///   f_x(x, m)  = r(x) e^(-m g(r(x)))
/// and P(Y = y) is the sum over k of the integral of f_{x_k}(y, m) times the other drafts' S(m) dm.
/// g is linear, of slope D, between the values of r, so that the integral over such a piece [a, b]
/// is (e^(-m g(a)) - e^(-m g(b))) / D. An idle draft, whose token nobody sees, has S(m) = e^(-m)
/// and f(y, m) = t(y) e^(-m).
///
/// In fractions products of exponentials are multiplied out: with B values of r there are (B + n -
/// 2 over n - 1) of them. In doubles, where this would lose all digits when D is small, the
/// integral over log m is a sum of equal steps; what is added is not negative, and a step of 1/4
/// leaves 1e-13.
///
/// Worked example: d = (2/3, 1/3), t = (1/3, 2/3), x = (0, 0): r = 1/2 and 2; D = 2/3 and 1; g(1/2)
/// = 1, g(2) = 2; S_0 = (3/2) e^-m - (1/2) e^-2m; f_0(0) = (1/2) e^-m; P(Y = 0) = 2 (1/2) (3/4 -
/// 1/6) = 7/12.
template <class Laws>
class ListClocks {
 public:
  using Real = typename Laws::Real;

  /// @param drafted  the tokens of the drafts that are in play, d > 0
  /// @param idle     the number of further drafts whose clocks count
  ListClocks(const Laws& laws, const std::vector<Token>& drafted, int idle)
      : laws_(laws), idle_(idle), bends_(laws) {
    for (const Token x : drafted) {
      const std::size_t at = bends_.of(x);
      const auto same = std::find_if(groups_.begin(), groups_.end(),
                                     [x](const Group& group) { return group.token == x; });
      if (same != groups_.end()) {
        ++same->drafts;
      } else {
        groups_.push_back({x, at, 1, Real(0), std::vector<Real>(bends_.size(), Real(0))});
      }
    }
    if constexpr (std::is_same_v<Real, double>) {
      integrate();
    } else {
      multiply_out();
    }
  }

  /// P(Y = y) for each token y. O(V) for each different token drafted.
  [[nodiscard]] std::vector<Real> law() const {
    std::vector<Real> weights;
    for (Token y = 0; y < laws_.vocabulary(); ++y)
      weights.push_back(idle_ * laws_.target(y) * whole_);
    for (const Group& group : groups_) {
      std::vector<Real> before(bends_.size() + 1, Real(0));  // of the pieces up to a bend
      for (std::size_t i = group.bend; i < bends_.size(); ++i) {
        before[i + 1] = before[i] + group.pieces[i];
      }
      for (Token y = 0; y < laws_.vocabulary(); ++y) {
        const Real share = y == group.token ? Real(bends_[group.bend].at * group.ring)
                                            : Real(laws_.target(y) * before[bends_.of(y)]);
        weights[static_cast<std::size_t>(y)] += group.drafts * share;
      }
    }
    return weights;
  }

 private:
  /// The drafts of one token. The integrals are those of one of them and the S of the others:
  struct Group {
    Token token;
    std::size_t bend;
    int drafts;
    Real ring;                 ///< of e^(-m g) at the token's bend
    std::vector<Real> pieces;  ///< of the exponential's integral over the piece after each bend
  };

  // In fractions.

  /// A sum of exponentials: by how often each bend's g is in the exponent, the coefficient.
  using Exponentials = std::map<std::vector<int>, Real>;
  static constexpr double kMostTerms = 2e4;

  void multiply_out() {
    int drafts = 0;
    for (const Group& group : groups_) drafts += group.drafts;
    double terms = static_cast<double>(bends_.size());
    for (int i = 1; i < drafts; ++i) {
      terms *= static_cast<double>(bends_.size() + static_cast<std::size_t>(i) - 1) / i;
    }
    if (terms > kMostTerms) {
      throw LimitError(fmt::format(
          "gumbel-list multiplies out sums of exponentials, {:.0f} terms for {} drafts and {} "
          "values of t/d, over the limit of {:.0f}; take fewer drafts, or doubles",
          terms, drafts, bends_.size(), kMostTerms));
    }
    for (Group& group : groups_) {
      const std::vector<Real> integrals = against(others(&group));
      group.ring = integrals[group.bend];
      for (std::size_t i = group.bend; i < bends_.size(); ++i) {
        const Real next = i + 1 < bends_.size() ? integrals[i + 1] : Real(0);
        group.pieces[i] = (integrals[i] - next) / bends_[i].slope;
      }
    }
    whole_ = Real(0);
    if (idle_ == 0) return;
    for (const auto& [counts, coefficient] : others(nullptr)) {
      whole_ += coefficient / exponent(counts);
    }
  }

  /// The product of the S of all drafts, without one of this group.
  [[nodiscard]] Exponentials others(const Group* without) const {
    Exponentials product{{std::vector<int>(bends_.size(), 0), Real(1)}};
    for (const Group& group : groups_) {
      for (int i = &group == without ? 1 : 0; i < group.drafts; ++i) {
        product = times_survival(product, group.bend);
      }
    }
    return product;
  }

  /// Times S_x = sum over j of (1 / D_j - 1 / D_{j-1}) e^(-m g_j), from the bend of x on.
  [[nodiscard]] Exponentials times_survival(const Exponentials& terms, std::size_t bend) const {
    Exponentials product;
    for (const auto& [counts, coefficient] : terms) {
      for (std::size_t j = bend; j < bends_.size(); ++j) {
        const Real before = j > bend ? Real(1 / bends_[j - 1].slope) : Real(0);
        auto more = counts;
        ++more[j];
        product.try_emplace(std::move(more), Real(0)).first->second +=
            coefficient * (1 / bends_[j].slope - before);
      }
    }
    return product;
  }

  [[nodiscard]] Real exponent(const std::vector<int>& counts) const {
    Real sum(idle_);
    for (std::size_t j = 0; j < counts.size(); ++j) sum += counts[j] * bends_[j].g;
    return sum;
  }

  /// For each bend the integral of e^(-m g) times these.
  [[nodiscard]] std::vector<Real> against(const Exponentials& terms) const {
    std::vector<Real> integrals(bends_.size(), Real(0));
    for (const auto& [counts, coefficient] : terms) {
      const Real sum = exponent(counts);
      for (std::size_t j = 0; j < bends_.size(); ++j) {
        integrals[j] += coefficient / (sum + bends_[j].g);
      }
    }
    return integrals;
  }

  // In doubles.

  static constexpr double kStep = 0.25;

  /// The exponentials at one target time.
  struct Moment {
    std::vector<double> ring;      ///< e^(-m g) at each bend
    std::vector<double> piece;     ///< of the integral over the piece after it
    std::vector<double> survival;  ///< S of a token at it
  };

  void integrate() {
    double drafts = idle_;
    double most(0);
    for (const Group& group : groups_) {
      drafts += group.drafts;
      most = std::max(most, bends_[group.bend].at);
    }
    // Beyond the last node e^(-drafts m) is nothing; up to the first the integrand is constant.
    const auto constant_to = [drafts](double r) { return 1e-8 / (drafts * (1 + r)); };
    const double last = std::log(45 / drafts);
    const double first =
        std::log(std::min(constant_to(most), std::max(1e-17, constant_to(bends_.back().at))));
    const int nodes = static_cast<int>((last - first) / kStep) + 1;
    Moment moment{std::vector<double>(bends_.size()), std::vector<double>(bends_.size()),
                  std::vector<double>(bends_.size())};
    for (int node = 0; node < nodes; ++node) {
      const double m = std::exp(last - kStep * node);
      double weight = kStep * m * std::exp(-m * idle_);
      if (node + 1 == nodes) weight /= -std::expm1(-kStep);  // and of all nodes before it
      move_to(m, moment);
      add(moment, weight);
    }
  }

  void move_to(double m, Moment& moment) const {
    double ring = std::exp(-m * bends_[0].g);
    for (std::size_t i = 0; i < bends_.size(); ++i) {
      const auto& bend = bends_[i];
      const double fall =
          i + 1 < bends_.size() ? std::expm1(-m * bend.slope * (bends_[i + 1].at - bend.at)) : -1.0;
      moment.ring[i] = ring;
      moment.piece[i] = -ring * fall / bend.slope;
      ring += ring * fall;
    }
    double survival = 0;
    for (std::size_t i = bends_.size(); i-- > 0;) {
      survival += moment.piece[i];
      moment.survival[i] = survival;
    }
  }

  void add(const Moment& moment, double weight) {
    const auto others = [&](const Group* without) {
      double product = weight;
      for (const Group& group : groups_) {
        for (int i = &group == without ? 1 : 0; i < group.drafts; ++i) {
          product *= moment.survival[group.bend];
        }
      }
      return product;
    };
    whole_ += others(nullptr);
    for (Group& group : groups_) {
      const double rest = others(&group);
      group.ring += rest * moment.ring[group.bend];
      for (std::size_t i = group.bend; i < bends_.size(); ++i) {
        group.pieces[i] += rest * moment.piece[i];
      }
    }
  }

  const Laws& laws_;
  int idle_;
  RatioBends<Real> bends_;
  std::vector<Group> groups_;
  Real whole_{0};  ///< the integral of e^(-idle m) and all S
};

}  // namespace speclab
