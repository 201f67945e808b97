#pragma once

#include <vector>

#include "base/spec.h"
#include "base/text.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Over-accepting verification: yin2024 section 4. X_i is accepted with probability
/// b(x) = min(1, (t(x) + eps) / d(x)); at a rejection Y is drawn from the chosen residual:
///   optimal   [A]+ normalised, A = t - b d      (Decoding-OPT, Theorem 4)
///   target    t                                 (Decoding-UNO of the text)
///   draft     d                                 (Decoding-UNO as in the paper's code)
///   standard  [t - d]+ normalised               (the residual of token verification)
struct Biased {
  enum class Residual { optimal, target, draft, standard };
  Rational eps{0};
  Residual residual = Residual::optimal;

  static constexpr VerifierInfo kInfo{
      .name = "biased",
      .parameters = "eps=, residual=optimal|target|draft|standard",
      .prose = "accepts with min(1, (t+eps)/d): fewer rejections at the price of a bias",
      .source = "yin2024 section 4, Theorems 4, 5",
      .kind = VerifierKind::biased,
      .example = "biased(eps=1/10)"};
  static constexpr bool kCarries = false;
  static Biased read(SpecReader& spec) {
    Biased result;
    result.eps = spec.number("eps");
    if (result.eps < 0)
      spec.refuse("eps=" + abbreviate(to_text(result.eps)) + " is negative; give 0 or more");
    result.residual =
        spec.choice<Residual>("residual", {"optimal", "target", "draft", "standard"}, "optimal");
    return result;
  }
  [[nodiscard]] bool steps() const { return true; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const Real slack = from_rational<Real>(eps);
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(Real((laws.target(x) + slack) / laws.draft(x)))) {
        return correct(view, laws, slack, choices, out);
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }

 private:
  template <class View, class Laws, class Real, class Choices>
  void correct(const View& view, const Laws& laws, const Real& slack, Choices& choices,
               Iteration<View>& out) const {
    switch (residual) {
      case Residual::target:
        return out.correct(view, choices, laws.target());
      case Residual::draft:
        return out.correct(view, choices, laws.draft());
      case Residual::standard:
        return out.correct(view, choices, laws.residual(Real(1)));
      case Residual::optimal:
        break;
    }
    std::vector<Real> weights;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      // b(x) d(x) = min(d(x), t(x) + eps)
      const Real raised = laws.target(x) + slack;
      const Real& kept = laws.draft(x) < raised ? laws.draft(x) : raised;
      weights.push_back(positive_part<Real>(laws.target(x) - kept));
    }
    out.correct(view, choices, DenseLaw<Real>(std::move(weights)));
  }
};

/// Token verification with lenience l: accepts with min(1, t(x) / (l d(x))), standard residual
/// (Leviathan et al. 2023, appendix A.5). l = 1 is token verification.
struct Lenient {
  Rational lenience{1};

  static constexpr VerifierInfo kInfo{
      .name = "lenient",
      .parameters = "l=",
      .prose = "token verification that accepts with min(1, t/(l d)), 0 < l <= 1; biased for l < 1",
      .source = "Leviathan et al. 2023, appendix A.5",
      .kind = VerifierKind::biased,
      .example = "lenient(l=1/2)"};
  static constexpr bool kCarries = false;
  static Lenient read(SpecReader& spec) {
    Lenient result{spec.number("l")};
    const bool positive = result.lenience > 0;
    if (!positive || result.lenience > 1) {
      spec.refuse("l=" + abbreviate(to_text(result.lenience)) +
                  " is out of range; give 0 < l <= 1");
    }
    return result;
  }
  [[nodiscard]] bool steps() const { return true; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const Real l = from_rational<Real>(lenience);
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(Real(laws.target(x) / (l * laws.draft(x))))) {
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

}  // namespace speclab
