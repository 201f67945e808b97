#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "base/spec.h"
#include "base/threshold.h"
#include "verifiers/choices.h"
#include "verifiers/wrong.h"

namespace speclab {

// Faults of what an engine builds around token verification: which law a draft is drawn from, where
// a rejection or a stop is handled, which row of the target a position gets.

/// A draft drawn from one law and tested, and corrected, with another.
struct WrongDrawnDraft {
  /// How the law that is drawn from differs from d.
  enum class By {
    rounded,   ///< each probability to the nearest 1/256, then normalised; d where all are 0
    filtered,  ///< the two most probable tokens alone, of equal ones the lower
  };
  By by = By::rounded;

  static constexpr VerifierInfo kInfo{
      .name = "wrong-drawn-draft",
      .parameters = "by=rounded|filtered",
      .prose = "the draft is drawn from d in 8 bits, or after a top-2 filter, and tested with d",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-drawn-draft(by=rounded)",
      .fault_of = "token"};
  static constexpr bool kCarries = false;
  static WrongDrawnDraft read(SpecReader& spec) {
    return {spec.word("by", {"rounded", "filtered"}, "rounded") == "filtered" ? By::filtered
                                                                              : By::rounded};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(drawn_from(laws));
      if (!choices.accept(likelihood_ratio(laws, x))) {
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }

 private:
  template <class Laws>
  [[nodiscard]] auto drawn_from(const Laws& laws) const {
    using Real = typename Laws::Real;
    std::vector<Real> exact;
    std::vector<Real> weights;
    Real mass(0);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      exact.push_back(laws.draft(x));
      const int code = static_cast<int>(std::floor(256 * to_double(exact.back()) + 0.5));
      const bool kept = by == By::rounded ? code > 0 : before(laws, x) < 2;
      weights.push_back(!kept ? Real(0) : by == By::rounded ? Real(code) : exact.back());
      mass += weights.back();
    }
    return DenseLaw<Real>(std::move(mass > 0 ? weights : exact));
  }

  /// How many tokens are more probable than x, or as probable and lower.
  template <class Laws>
  static int before(const Laws& laws, Token x) {
    int count = 0;
    for (Token y = 0; y < laws.vocabulary(); ++y) {
      if (laws.draft(x) < laws.draft(y) || (y < x && !(laws.draft(y) < laws.draft(x)))) ++count;
    }
    return count;
  }
};

/// The row after the last drafted token is that of the bonus token.
struct WrongLateRejection : WrongOnPurpose<WrongLateRejection> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-late-rejection",
                 "a rejection is handled one position late: the rejected token is emitted and the "
                 "correction follows it",
                 "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      const bool accepted = choices.accept(likelihood_ratio(laws, x));
      out.accept(x, view.next(out.node, x));
      if (accepted || out.accepted == window.drafts) continue;
      return out.correct(view, choices, view.at(out.node).residual(Real(1)));
    }
    out.finish(view, choices, window);
  }
};

/// Token verification of the whole window; what was accepted is cut at the first token whose draft
/// probability is below theta, and a token of the target stands in its place. (A stop that is known
/// before a token is verified keeps the law where it looks at the law alone; see stopping.h.)
struct WrongLateStop {
  Rational theta{0};

  static constexpr VerifierInfo kInfo{
      .name = "wrong-late-stop",
      .parameters = "theta=",
      .prose = "the draft is cut where d(x) < theta after it has been verified",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-late-stop(theta=1/2)",
      .fault_of = "token"};
  static constexpr bool kCarries = false;
  static WrongLateStop read(SpecReader& spec) {
    return {spec.number_between("theta", Rational(0), Rational(1))};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const Real least = from_rational<Real>(theta);
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(likelihood_ratio(laws, x))) {
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      if (compare(Real(laws.draft(x)), least) < 0) {
        return out.correct(view, choices, laws.target());
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

/// The target's row of every position of a block is that of its first context: what depends on the
/// tokens before, as a repetition penalty does, is counted once a block.
struct WrongFrozenTarget : WrongOnPurpose<WrongFrozenTarget> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-frozen-target",
                 "penalties are frozen within a block: the target's law is that of its first "
                 "context",
                 "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    const auto frozen = view.at(root);
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(Real(frozen.target(x) / laws.draft(x)))) {
        return out.correct(view, choices, residual_across(frozen, laws));
      }
      out.accept(x, view.next(out.node, x));
    }
    if (window.bonus) out.add(view, choices.correct(frozen.target()), Ending::bonus);
  }
};

}  // namespace speclab
