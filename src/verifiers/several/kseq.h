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
#include "model/derived.h"
#include "model/overlap.h"
#include "verifiers/info.h"
#include "verifiers/several/positions.h"

namespace speclab {

/// K-sequential selection of SpecTr (Sun et al. 2023): each of k candidates is accepted in turn
/// with probability min(1, t(x) / (rho d(x))); the correction after k rejections is drawn from the
/// residual. With
///   beta(rho) = sum over x of min(d, t / rho)      P_acc = 1 - (1 - beta)^k
///   residual  = t - min(d, t / rho) P_acc / beta(rho)
/// the residual is non-negative where P_acc <= rho beta, that is for every rho >= rho*, the root of
/// 1 - (1 - beta)^k = rho beta on [1, k]. So every rho >= rho* is lossless, and an inexact root
/// does not bias the law; the acceptance decreases in rho, and rho* is optimal.
template <class Laws>
class SequentialSelection {
 public:
  using Real = typename Laws::Real;

  /// @param count  number of candidates, k >= 1
  SequentialSelection(const Laws& laws, std::size_t count)
      : laws_(laws), overlap_(laws, fastest(laws, count)) {
    acceptance_ = acceptance(overlap_.mass(), count);
  }

  /// The selection at a given rho.
  /// @pre rho >= rho*: below it the residual would be negative somewhere
  SequentialSelection(const Laws& laws, std::size_t count, const Real& rho)
      : laws_(laws), overlap_(laws, rho), acceptance_(acceptance(overlap_.mass(), count)) {}

  /// Tries the candidates in turn; draws the correction into `out` where all of them are rejected.
  template <class View, class Choices>
  std::optional<Token> decide(const View& view, const std::vector<Token>& candidates,
                              Choices& choices, Iteration<View>& out) const {
    for (const Token x : candidates) {
      if (choices.accept(ratio(x))) return x;
    }
    // t itself where no candidate can be accepted.
    const Real& beta = overlap_.mass();
    const Real share = beta > 0 ? Real(acceptance_ / beta) : Real(0);
    out.correct(view, choices, typename Overlap<Laws>::Rest(overlap_, share));
    return std::nullopt;
  }

  /// Any of the candidates, where y is the token at hand.
  [[nodiscard]] CandidateStage<Real> stage(Token y) const {
    return {min_one<Real>(ratio(y)), Real(1 - overlap_.mass())};
  }

 private:
  [[nodiscard]] Real ratio(Token x) const {
    return Real(laws_.target(x) / (overlap_.rho() * laws_.draft(x)));
  }

  /// 1 - (1 - beta)^k
  template <class T>
  static T acceptance(const T& beta, std::size_t count) {
    T miss(1);
    for (std::size_t i = 0; i < count; ++i) miss *= 1 - beta;
    return 1 - miss;
  }

  /// rho*, rounded up until the residual is non-negative.
  static Real fastest(const Laws& laws, std::size_t count) {
    if (count == 1) return Real(1);
    if constexpr (std::is_same_v<Real, double>) {
      return *DerivedValue<double>(laws, {&kRule, {static_cast<double>(count)}}, [&laws, count] {
        return solve(count, [&laws](double rho) { return Overlap(laws, rho).mass(); });
      });
    } else {
      std::vector<std::pair<double, double>> rows;
      for (Token x = 0; x < laws.vocabulary(); ++x) {
        rows.emplace_back(to_double(laws.draft(x)), to_double(laws.target(x)));
      }
      const double root = solve(count, [&rows](double rho) {
        double sum = 0;
        for (const auto& [draft, target] : rows) sum += std::min(draft, target / rho);
        return sum;
      });
      return rounded_up(laws, root, count);
    }
  }

  /// The upper end of a bracket of rho* one unit in the last place wide.
  /// @param beta  rho -> sum of min(d, t / rho)
  template <class Beta>
  static double solve(std::size_t count, const Beta& beta) {
    const auto gap = [&](double rho) {
      const double sum = beta(rho);
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

  /// In exact arithmetic: the least multiple of 2^-40 from 1 on at which the residual is
  /// non-negative. Larger ones have this property too, so it is found by bisection, about the root
  /// in doubles.
  static Real rounded_up(const Laws& laws, double root, std::size_t count) {
    constexpr double kGrid = 0x1p40;
    const auto enough = [&laws, count](double multiple) {
      const Real rho(multiple / kGrid);
      const Overlap overlap(laws, rho);
      return acceptance(overlap.mass(), count) <= rho * overlap.mass();
    };
    double high = std::max(std::ceil(root * kGrid), kGrid);
    double low = high - 1;
    for (double step = 1; !enough(high); step *= 2) low = std::exchange(high, high + step);
    for (double step = 2; low >= kGrid && enough(low); step *= 2) {
      high = std::exchange(low, std::max(low - step, kGrid - 1));
    }
    while (high - low > 1) {
      const double middle = std::floor((low + high) / 2);
      (enough(middle) ? high : low) = middle;
    }
    return Real(high / kGrid);
  }

  static constexpr char kRule = 0;  ///< its address names the root

  const Laws& laws_;
  Overlap<Laws> overlap_;
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
      .drafts = "K",
      .exact = false};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static KSequential read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  /// The same stage for each draft in play: min(1, t(y) / (rho d(y))), and 1 - beta.
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& in_play,
                        std::vector<OutputStep<Real>>& steps) const {
    if (!(laws.draft(y) > 0)) return;
    const auto count = static_cast<std::size_t>(to_double(in_play));
    const std::vector<CandidateStage<Real>> stages(count,
                                                   SequentialSelection(laws, count).stage(y));
    add_position_steps<Real>(laws.target(y), laws.draft(y), stages, steps);
  }

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
