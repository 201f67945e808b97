#pragma once

#include "base/spec.h"
#include "verify/choices.h"
#include "verify/info.h"

namespace speclab {

/// Token verification: sun2025 Algorithm 1 (Leviathan et al. 2023, Chen et al. 2023).
/// X_i is accepted with probability min(1, t(X_i)/d(X_i)); at the first rejection
/// Y ~ [t - d]+ normalised; after gamma acceptances Y ~ t.
///
/// Tokens after the first rejection are never looked at, so they are not drafted either.
struct TokenVerification {
  static constexpr VerifierInfo kInfo{"token",
                                      "",
                                      "accepts token by token, stops at the first rejection",
                                      "sun2025 Algorithm 1; yin2024 Algorithm 1",
                                      VerifierKind::lossless,
                                      "token"};
  static constexpr bool kCarries = false;
  static TokenVerification read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(likelihood_ratio(laws, x))) {
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

}  // namespace speclab
