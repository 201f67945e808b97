#pragma once

#include "base/spec.h"
#include "base/threshold.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Token verification with one constant in the place of its coins: X_i is accepted iff
/// t(X_i) / d(X_i) >= threshold, Y ~ [t - d]+ normalised at the first refusal, else Y ~ t.
///
/// A refused token has t < d, so that the correction is defined. Worked example: toy pair,
/// threshold 1/2: both tokens are accepted, and a position follows d: TV 1/3.
struct ConstantRatio {
  Rational threshold{1};

  static constexpr VerifierInfo kInfo{
      .name = "constant-ratio",
      .parameters = "threshold=",
      .prose = "accepts a token iff t/d is at least a constant; biased",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::biased,
      .example = "constant-ratio(threshold=1/2)"};
  static constexpr bool kCarries = false;
  static ConstantRatio read(SpecReader& spec) {
    return {spec.number_between("threshold", Rational(0), Rational(1))};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const Real least = from_rational<Real>(threshold);
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (compare(Real(laws.target(x)), Real(least * laws.draft(x))) < 0) {
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

}  // namespace speclab
