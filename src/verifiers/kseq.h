#pragma once

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/source.h"
#include "verifiers/info.h"
#include "verifiers/positions.h"

namespace speclab {

/// K-sequential selection of SpecTr (Sun et al. 2023): each of k candidates is accepted in turn
/// with probability min(1, t(x) / (rho d(x))); the correction after k rejections is drawn from the
/// residual. With
///   beta(rho) = sum over x of min(d, t / rho)      P_acc = 1 - (1 - beta)^k
///   residual  = t - min(d, t / rho) P_acc / beta(rho)
/// the residual is nowhere negative where P_acc <= rho beta, that is for every rho >= rho*, the
/// root of 1 - (1 - beta)^k = rho beta on [1, k]. So every rho >= rho* is lossless and the root
/// finding cannot bias the law; the acceptance falls with rho, and rho* is the fastest.
template <class Laws>
class SequentialSelection {
 public:
  using Real = typename Laws::Real;

  /// @param count  number of candidates, k >= 1
  SequentialSelection(const Laws& laws, std::size_t count) : laws_(laws), rho_(1), beta_(0) {
    const double root = solve(count);
    rho_ = Real(root);
    beta_ = beta(rho_);
    if constexpr (!std::is_same_v<Real, double>) round_up(root, count);
    acceptance_ = acceptance(beta_, count);
  }

  /// The selection at a given rho.
  /// @pre rho >= rho*: below it the residual would be negative somewhere
  SequentialSelection(const Laws& laws, std::size_t count, const Real& rho)
      : laws_(laws), rho_(rho), beta_(beta(rho)), acceptance_(acceptance(beta_, count)) {}

  /// Tries the candidates in turn; draws the correction into `out` where all of them are rejected.
  template <class View, class Choices>
  std::optional<Token> decide(const View& view, const std::vector<Token>& candidates,
                              Choices& choices, Iteration<View>& out) const {
    for (const Token x : candidates) {
      if (choices.accept(ratio(x))) return x;
    }
    out.correct(view, choices, residual());
    return std::nullopt;
  }

 private:
  [[nodiscard]] Real ratio(Token x) const {
    return Real(laws_.target(x) / (rho_ * laws_.draft(x)));
  }

  /// The law of the correction; t itself where no candidate can be accepted.
  [[nodiscard]] DenseLaw<Real> residual() const {
    const Real share = beta_ > 0 ? Real(acceptance_ / beta_) : Real(0);
    std::vector<Real> weights;
    for (Token x = 0; x < laws_.vocabulary(); ++x) {
      weights.push_back(positive_part<Real>(laws_.target(x) - overlap(x, rho_) * share));
    }
    return DenseLaw<Real>(std::move(weights));
  }

  [[nodiscard]] Real overlap(Token x, const Real& rho) const {
    const Real scaled = laws_.target(x) / rho;
    return laws_.draft(x) < scaled ? laws_.draft(x) : scaled;
  }
  [[nodiscard]] Real beta(const Real& rho) const {
    Real sum(0);
    for (Token x = 0; x < laws_.vocabulary(); ++x) sum += overlap(x, rho);
    return sum;
  }
  /// 1 - (1 - beta)^k
  template <class T>
  static T acceptance(const T& beta, std::size_t count) {
    T miss(1);
    for (std::size_t i = 0; i < count; ++i) miss *= 1 - beta;
    return 1 - miss;
  }

  /// The upper end of a bracket of rho* one unit in the last place wide.
  double solve(std::size_t count) const {
    if (count == 1) return 1;
    std::vector<std::pair<double, double>> rows;
    for (Token x = 0; x < laws_.vocabulary(); ++x) {
      rows.emplace_back(to_double(laws_.draft(x)), to_double(laws_.target(x)));
    }
    const auto gap = [&](double rho) {
      double sum = 0;
      for (const auto& [draft, target] : rows) sum += std::min(draft, target / rho);
      return acceptance(std::min(sum, 1.0), count) - rho * sum;
    };
    double low = 1;
    double high = static_cast<double>(count);
    const double at_low = gap(low);
    const double at_high = gap(high);
    if (!(at_low > 0)) return low;
    if (!(at_high < 0)) return high;
    std::uintmax_t steps = 200;
    const auto tight = [](double a, double b) { return std::nextafter(a, b) >= b; };
    return boost::math::tools::toms748_solve(gap, low, high, at_low, at_high, tight, steps).second;
  }

  /// In exact arithmetic: a rho with a denominator of 2^40 at which the residual is not negative.
  void round_up(double root, std::size_t count) {
    if (count == 1) return;
    constexpr double kGrid = 0x1p40;
    for (double step = 0;; step = step == 0 ? 1 : 2 * step) {
      rho_ = Real((std::ceil(root * kGrid) + step) / kGrid);
      beta_ = beta(rho_);
      if (acceptance(beta_, count) <= rho_ * beta_) return;
    }
  }

  const Laws& laws_;
  Real rho_;
  Real beta_;
  Real acceptance_;
};

/// SpecTr's k-sequential selection over K i.i.d. drafts, position by position.
struct KSequential {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "kseq",
      .parameters = "K=",
      .prose = "K drafts position by position, k-sequential selection at rho*",
      .source = "Sun et al. 2023 (SpecTr), Algorithm 2; lin2026 section 3.2",
      .kind = VerifierKind::lossless,
      .example = "kseq(K=2)",
      .drafting = Drafting::window,
      .drafts = "K",
      .fault_of = "",
      .exact = false,
      .use = {.engines = "SpecTr", .lossless = "always", .instead = "spectr-coupled"}};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static KSequential read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_positions(
        view, drafts, window, choices, out,
        [&view](const auto& laws, const std::vector<Token>& candidates, auto& coins, auto& result) {
          return SequentialSelection(laws, candidates.size())
              .decide(view, candidates, coins, result);
        });
  }
};

}  // namespace speclab
