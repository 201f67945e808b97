#pragma once

#include <vector>

#include "base/spec.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/output_step.h"
#include "verifiers/pauses.h"

namespace speclab {

/// Token verification of the rest of a draft: from `out`, the tokens accepted so far, to its first
/// rejection or its end. Each X_i is accepted with probability min(1, t(X_i)/d(X_i)); at the first
/// rejection Y ~ [t - d]+ normalised; after window.drafts acceptances in total Y ~ t.
///
/// Tokens after the first rejection are never used, so they are not drafted.
template <class View, class Choices>
void verify_tokens(const View& view, Window window, Choices& choices, Iteration<View>& out) {
  using Real = typename View::Real;
  while (out.accepted < window.drafts) {
    const auto laws = view.at(out.node);
    const Token x = choices.draft(laws.draft());
    if (!choices.accept(likelihood_ratio(laws, x))) {
      return out.correct(view, choices, laws.residual(Real(1)));
    }
    out.accept(x, view.next(out.node, x));
    if (paused_after(choices, out.accepted, x, out.node, Real(0))) return;
  }
  out.finish(view, choices, window);
}

/// Token verification: sun2025 Algorithm 1 with equation (3) (Leviathan et al. 2023, Chen et al.
/// 2023), which is yin2024 Algorithm 1 where the window reaches the horizon.
struct TokenVerification {
  static constexpr VerifierInfo kInfo{
      .name = "token",
      .parameters = "",
      .prose = "accepts token by token, stops at the first rejection",
      .source = "sun2025 Algorithm 1; yin2024 Algorithm 1",
      .kind = VerifierKind::lossless,
      .example = "token"};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static TokenVerification read(SpecReader&) { return {}; }
  [[nodiscard]] bool steps() const { return true; }

  /// min(1, d(y) / t(y)).
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& memory,
                        std::vector<OutputStep<Real>>& steps) const {
    steps.push_back({min_one<Real>(laws.draft(y) / laws.target(y)), memory});
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_tokens(view, window, choices, out);
  }
};

}  // namespace speclab
