#pragma once

#include <string_view>

#include "base/spec.h"
#include "base/threshold.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

// Rules that accept a drafted token deterministically where it is in a set that depends on t. With
// A the set, a position's token follows d on A plus d(not A) times the law of the correction.

/// The source of a token that was not drafted.
enum class Substitute {
  target,  ///< a draw from t
  argmax,  ///< the most probable token of t, ties to the lowest
};

inline Substitute read_substitute(SpecReader& spec, std::string_view key) {
  return spec.word(key, {"target", "argmax"}, "target") == "argmax" ? Substitute::argmax
                                                                    : Substitute::target;
}

template <class View, class Choices>
void substitute(const View& view, Substitute how, Ending ending, Choices& choices,
                Iteration<View>& out) {
  const auto laws = view.at(out.node);
  const Token y =
      how == Substitute::argmax ? most_probable_target(laws) : choices.correct(laws.target());
  out.add(view, y, ending);
}

/// Accepts while accepts(laws, state, x).
template <class View, class Choices, class Accepts>
void verify_by_set(const View& view, Window window, Choices& choices, Iteration<View>& out,
                   Substitute correction, Substitute bonus, const Accepts& accepts) {
  while (out.accepted < window.drafts) {
    const auto laws = view.at(out.node);
    const Token x = choices.draft(laws.draft());
    if (!accepts(laws, view.state(out.node), x)) {
      return substitute(view, correction, Ending::correction, choices, out);
    }
    out.accept(x, view.next(out.node, x));
  }
  if (!window.bonus) return out.finish(view, choices, window);
  substitute(view, bonus, Ending::bonus, choices, out);
}

/// Typical acceptance: x is accepted where t(x) > min(eps, alpha e^{-H(t)}), strictly, H in nats;
/// the bonus is drawn from t.
struct Typical {
  Rational eps{0};
  Rational alpha{0};
  Substitute correction = Substitute::target;

  static constexpr VerifierInfo kInfo{
      .name = "typical",
      .parameters = "eps=, alpha=, correction=target|argmax",
      .prose = "accepts tokens typical under the target: t(x) > min(eps, alpha e^-H(t)); biased",
      .source = "Cai et al. 2024 (Medusa), typical acceptance",
      .kind = VerifierKind::biased,
      .example = "typical(eps=2/5,alpha=4/5)"};
  static constexpr bool kCarries = false;
  static Typical read(SpecReader& spec) {
    Typical result;
    result.eps = spec.number_between("eps", Rational(0), Rational(1));
    result.alpha = spec.number_between("alpha", Rational(0), Rational(1));
    result.correction = read_substitute(spec, "correction");
    return result;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_by_set(view, window, choices, out, correction, Substitute::target,
                  [this](const auto& laws, std::uint32_t state, Token x) {
                    return this->accepts(laws, state, x);
                  });
  }

 private:
  template <class Laws>
  bool accepts(const Laws& laws, std::uint32_t state, Token x) const {
    using Real = typename Laws::Real;
    const Real own = laws.target(x);
    if (!(own > 0)) return false;
    if (compare(own, from_rational<Real>(eps)) > 0 || alpha == 0) return true;
    // t(x) > alpha e^{-H}: ln t(x) - ln alpha + H > 0
    LogSum<Real> gap;
    gap.add(Real(1), own);
    gap.add(Real(-1), from_rational<Real>(alpha));
    for (Token y = 0; y < laws.vocabulary(); ++y) {
      const Real target = laws.target(y);
      if (target > 0) gap.add(Real(-target), target);
    }
    return decide(gap, Real(0), {"typical", state, "ln t(x) - ln alpha + H(t)", "0"}) > 0;
  }
};

/// x is accepted where it is among the n most probable of t (ties to the lowest) and
/// t(x) >= max t - delta.
struct TopWithin {
  int n = 1;
  Rational delta{0};
  Substitute correction = Substitute::target;
  Substitute bonus = Substitute::target;

  static constexpr VerifierInfo kInfo{
      .name = "top-within",
      .parameters = "n=, delta=, correction=target|argmax, bonus=target|argmax",
      .prose =
          "accepts one of the target's n most probable tokens within delta of the first; biased",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::biased,
      .example = "top-within(n=2,delta=1/5)"};
  static constexpr bool kCarries = false;
  static TopWithin read(SpecReader& spec) {
    TopWithin result;
    result.n = static_cast<int>(spec.integer("n", 1, std::numeric_limits<Token>::max()));
    result.delta = spec.number_between("delta", Rational(0), Rational(1));
    result.correction = read_substitute(spec, "correction");
    result.bonus = read_substitute(spec, "bonus");
    return result;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_by_set(
        view, window, choices, out, correction, bonus,
        [this](const auto& laws, std::uint32_t, Token x) { return this->accepts(laws, x); });
  }

 private:
  template <class Laws>
  bool accepts(const Laws& laws, Token x) const {
    using Real = typename Laws::Real;
    const Real own = laws.target(x);
    const Real most = laws.target(most_probable_target(laws));
    if (compare(Real(own + from_rational<Real>(delta)), most) < 0) return false;
    int before = 0;
    for (Token y = 0; y < laws.vocabulary(); ++y) {
      const Real other = laws.target(y);
      if (own < other || (y < x && !(other < own))) ++before;
    }
    return before < n;
  }
};

}  // namespace speclab
