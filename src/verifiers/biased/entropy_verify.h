#pragma once

#include <cmath>
#include <type_traits>

#include "base/spec.h"
#include "base/threshold.h"
#include "model/derived.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Token verification with an acceptance raised where the target is uncertain: X_i is accepted with
/// min(1, t / (m d)), m = min(e^{-alpha H(t)}, theta), H in nats; correction [t - d]+, bonus t.
///
/// In rationals it is exact where m = theta, and where x is accepted or rejected with probability 1
/// for m below theta; any other e^{-alpha H} is irrational, and the answer is refused.
struct EntropyVerify {
  Rational alpha{0};
  Rational theta{1};

  static constexpr VerifierInfo kInfo{
      .name = "entropy-verify",
      .parameters = "alpha=, theta=",
      .prose = "accepts with min(1, t/(m d)), m = min(e^(-alpha H(t)), theta); biased",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::biased,
      .example = "entropy-verify(alpha=1/4,theta=1/4)"};
  static constexpr bool kCarries = false;
  static EntropyVerify read(SpecReader& spec) {
    EntropyVerify result{spec.number("alpha")};
    if (result.alpha < 0) spec.refuse("alpha is negative; give 0 or more");
    result.theta = spec.number_between("theta", Rational(0), Rational(1));
    if (result.theta == 0) spec.refuse("theta=0 divides by 0; give 0 < theta <= 1");
    return result;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(acceptance(laws, x, view.state(out.node)))) {
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }

 private:
  /// -alpha H(t)
  template <class Laws>
  LogSum<typename Laws::Real> scaled_entropy(const Laws& laws) const {
    using Real = typename Laws::Real;
    LogSum<Real> sum;
    const Real scale = from_rational<Real>(alpha);
    for (Token y = 0; y < laws.vocabulary(); ++y) {
      const Real other = laws.target(y);
      if (other > 0) sum.add(Real(scale * other), other);
    }
    return sum;
  }

  /// t / (m d); 1 where that is at least 1 for an irrational m.
  template <class Laws>
  typename Laws::Real acceptance(const Laws& laws, Token x, std::uint32_t state) const {
    using Real = typename Laws::Real;
    const Real target = laws.target(x);
    const Real draft = laws.draft(x);
    if (!(target > 0)) return Real(0);
    const DerivedValue<LogSum<Real>> scaled(laws, {&kInfo, {to_double(alpha)}},
                                            [&] { return scaled_entropy(laws); });
    const LogSum<Real>& exponent = *scaled;
    const Real bound = from_rational<Real>(theta);
    LogSum<Real> gap = exponent;
    gap.add(Real(-1), bound);
    if (decide(gap, Real(0), {"entropy-verify", state, "-alpha H(t) - ln theta", "0"}) >= 0) {
      return Real(target / (bound * draft));
    }
    if constexpr (std::is_same_v<Real, double>) {
      return target / (std::exp(exponent.value()) * draft);
    } else {
      LogSum<Real> ratio;  // ln(t / (m d))
      ratio.add(Real(1), Real(target / draft));
      for (const LogTerm& term : exponent.terms()) ratio.add(Real(-term.weight), term.argument);
      const ThresholdPlace place{"entropy-verify", state, "ln(t(x)/(m d(x)))", "0"};
      if (decide(ratio, Real(0), place) >= 0) return Real(1);
      refuse_threshold({"entropy-verify", state, "m = e^(-alpha H(t))", "theta"},
                       std::exp(exponent.value()), to_double(theta),
                       "the acceptance t/(m d) is irrational");
    }
  }
};

}  // namespace speclab
