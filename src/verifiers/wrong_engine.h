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

/// Whether a top-2 filter keeps x: fewer than two tokens are more probable, or as probable and
/// lower.
/// @param law  of a token its probability
template <class Law>
bool in_top_two(Token vocabulary, Token x, const Law& law) {
  int before = 0;
  for (Token y = 0; y < vocabulary && before < 2; ++y) {
    if (law(x) < law(y) || (y < x && !(law(y) < law(x)))) ++before;
  }
  return before < 2;
}

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
    const auto draft = [&laws](Token y) { return laws.draft(y); };
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      exact.push_back(laws.draft(x));
      const int code = static_cast<int>(std::floor(256 * to_double(exact.back()) + 0.5));
      const bool kept = by == By::rounded ? code > 0 : in_top_two(laws.vocabulary(), x, draft);
      weights.push_back(!kept ? Real(0) : by == By::rounded ? Real(code) : exact.back());
      mass += weights.back();
    }
    return DenseLaw<Real>(std::move(mass > 0 ? weights : exact));
  }
};

/// A request's filter, here top-2, that the verifier applies to one of the two models only. Both
/// laws of the pair are what was asked for: with model=target the output is filtered once more;
/// with model=draft drafts of d are tested, and corrected, with the filtered d. A drafted token
/// that the filter took out of d has t/0, which accepts it, and 0/0, which does not.
struct WrongFilteredLaw {
  enum class Model { draft, target };
  Model model = Model::target;

  static constexpr VerifierInfo kInfo{
      .name = "wrong-filtered-law",
      .parameters = "model=draft|target",
      .prose = "a top-2 filter is applied to the law of one model only, where tokens are verified",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-filtered-law(model=target)",
      .fault_of = "token"};
  static constexpr bool kCarries = false;
  static WrongFilteredLaw read(SpecReader& spec) {
    return {spec.word("model", {"draft", "target"}, "target") == "draft" ? Model::draft
                                                                         : Model::target};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const auto [draft, target] = seen(laws);
      const Token x = choices.draft(laws.draft());
      const Real& d = draft[static_cast<std::size_t>(x)];
      const Real& t = target[static_cast<std::size_t>(x)];
      const Real test = d > 0 ? (t < d ? Real(t / d) : Real(1)) : Real(t > 0 ? 1 : 0);
      if (!choices.accept(test)) return out.correct(view, choices, residual(draft, target));
      out.accept(x, view.next(out.node, x));
    }
    if (!window.bonus) return;
    const auto laws = view.at(out.node);
    out.add(view, choices.correct(DenseLaw<Real>(seen(laws).second)), Ending::bonus);
  }

 private:
  /// The draft's and the target's law as the verifier sees them.
  template <class Laws>
  [[nodiscard]] auto seen(const Laws& laws) const {
    using Real = typename Laws::Real;
    std::vector<Real> draft, target;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      draft.push_back(laws.draft(x));
      target.push_back(laws.target(x));
    }
    keep_top_two(model == Model::draft ? draft : target);
    return std::pair(std::move(draft), std::move(target));
  }

  template <class Real>
  static void keep_top_two(std::vector<Real>& law) {
    std::vector<Real> kept(law.size(), Real(0));
    Real mass(0);
    const auto at = [&law](Token y) -> const Real& { return law[static_cast<std::size_t>(y)]; };
    for (std::size_t x = 0; x < law.size(); ++x) {
      if (!in_top_two(static_cast<Token>(law.size()), static_cast<Token>(x), at)) continue;
      kept[x] = law[x];
      mass += law[x];
    }
    for (Real& entry : kept) entry = Real(entry / mass);
    law = std::move(kept);
  }

  template <class Real>
  static DenseLaw<Real> residual(const std::vector<Real>& draft, const std::vector<Real>& target) {
    std::vector<Real> rest;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      rest.push_back(draft[x] < target[x] ? Real(target[x] - draft[x]) : Real(0));
    }
    return DenseLaw<Real>(std::move(rest));
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
