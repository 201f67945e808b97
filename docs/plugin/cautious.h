#pragma once

#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Token verification that keeps a share c of the acceptances: X_i is accepted with probability
/// c min(1, t/d), and the correction is drawn from t - c min(d, t), normalised. It is lossless for
/// every c in [0, 1], since c min(d, t) + (t - c min(d, t)) = t; on a memoryless pair
/// E[tau] = sum over i = 1..gamma of (c alpha)^i, alpha = sum of min(d, t). c = 1 is token
/// verification.
struct Cautious {
  Rational share{1};

  static constexpr VerifierInfo kInfo{"cautious",
                                      "c=1",
                                      "token verification that accepts with c min(1, t/d)",
                                      "the example of docs/plugin",
                                      VerifierKind::lossless,
                                      "cautious(c=1)"};
  static constexpr bool kCarries = false;
  static Cautious read(SpecReader& spec) {
    return {spec.number_between("c", Rational(0), Rational(1), Rational(1))};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const Real c = from_rational<Real>(share);
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      const Real ratio = likelihood_ratio(laws, x);
      if (!choices.accept(Real(c * (ratio < 1 ? ratio : Real(1))))) {
        std::vector<Real> left;
        for (Token y = 0; y < laws.vocabulary(); ++y) {
          const Real target(laws.target(y));
          const Real draft(laws.draft(y));
          left.push_back(Real(target - c * (draft < target ? draft : target)));
        }
        return out.correct(view, choices, DenseLaw<Real>(std::move(left)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

}  // namespace speclab
