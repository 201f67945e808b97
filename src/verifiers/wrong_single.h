#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "verifiers/choices.h"
#include "verifiers/token.h"
#include "verifiers/wrong.h"

namespace speclab {

/// Token verification with its two rules left open.
/// @param test      (laws, x) -> bool: whether the drafted x is accepted
/// @param residual  (laws, x) -> law of the correction where x was rejected
template <class View, class Choices, class Test, class Residual>
void test_tokens(const View& view, Window window, Choices& choices, Iteration<View>& out,
                 const Test& test, const Residual& residual) {
  while (out.accepted < window.drafts) {
    const auto laws = view.at(out.node);
    const Token x = choices.draft(laws.draft());
    if (!test(laws, x)) return out.correct(view, choices, residual(laws, x));
    out.accept(x, view.next(out.node, x));
  }
  out.finish(view, choices, window);
}

/// The right rules, for test_tokens.
template <class Choices>
auto right_test(Choices& choices) {
  return
      [&choices](const auto& laws, Token x) { return choices.accept(likelihood_ratio(laws, x)); };
}
inline constexpr auto kRightResidual = [](const auto& laws, Token) {
  return laws.residual(typename std::decay_t<decltype(laws)>::Real(1));
};

struct WrongAlwaysAccept : WrongOnPurpose<WrongAlwaysAccept> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-always-accept", "every draft token is accepted untested", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    test_tokens(
        view, window, choices, out, [](const auto&, Token) { return true; }, kRightResidual);
  }
};

struct WrongGreedyDraft : WrongOnPurpose<WrongGreedyDraft> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-greedy-draft",
                 "the draft is the likeliest token (the first of equals), tested with t/d all the "
                 "same",
                 "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      Token x = 0;
      for (Token y = 1; y < laws.vocabulary(); ++y) {
        if (laws.draft(x) < laws.draft(y)) x = y;
      }
      if (!choices.accept(likelihood_ratio(laws, x))) {
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

/// A position's uniform u picks X by the inverse of the draft's cumulative sums and, if X is
/// rejected, Y by the inverse of the residual's. As u runs through [0, 1), the pair (X, Y) is
/// constant on the cells of the common refinement of the two partitions, so drawing a cell by its
/// length is drawing u. Both partitions are in the order of the tokens, as the sampler's are.
struct WrongSharedUniform : WrongOnPurpose<WrongSharedUniform> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-shared-uniform", "one uniform picks the draft token and its correction", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      auto cells = refine<Real>(laws);
      const Token drawn = choices.draft(DenseLaw<Real>(std::move(cells.lengths)));
      const auto [x, y] = cells.tokens[static_cast<std::size_t>(drawn)];
      if (!choices.accept(likelihood_ratio(laws, x))) {
        std::vector<Real> only(static_cast<std::size_t>(laws.vocabulary()), Real(0));
        if (y != kUndefined) only[static_cast<std::size_t>(y)] = Real(1);
        return out.correct(view, choices, DenseLaw<Real>(std::move(only)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }

 private:
  template <class Real>
  struct Cells {
    std::vector<Real> lengths;
    std::vector<std::pair<Token, Token>> tokens;  ///< (X, Y); Y is kUndefined at t = d
  };

  /// d = (1/2, 1/2), residual (0, 1/4, 3/4) -> lengths 1/4, 1/4, 1/2, tokens (0,1), (0,2), (1,2).
  template <class Real, class Laws>
  static Cells<Real> refine(const Laws& laws) {
    Cells<Real> cells;
    const auto residual = laws.residual(Real(1));
    Token y = kUndefined;
    Real left_y(0);  // of y's part; beyond the last part (t = d, or rounding) there is no end
    const auto go_on = [&] {
      for (Token z = y + 1; z < laws.vocabulary(); ++z) {
        if (!(residual.weight(z) > 0)) continue;
        y = z;
        left_y = Real(residual.weight(z) / residual.mass());
        return;
      }
      left_y = Real(2);
    };
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      Real left_x = laws.draft(x);
      while (left_x > 0) {
        if (!(left_y > 0)) go_on();
        const Real length = left_y < left_x ? left_y : left_x;
        cells.lengths.push_back(length);
        cells.tokens.emplace_back(x, y);
        left_x -= length;
        left_y -= length;
      }
    }
    return cells;
  }
};

/// The one uniform u of an iteration accepts X_i where u < t/d, for every i: given the acceptances
/// so far u is uniform below the least of their ratios m, so X_i is accepted with probability
/// min(1, (t/d) / m).
struct WrongReseededCoins : WrongOnPurpose<WrongReseededCoins> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-reseeded-coins",
      "the coins' generator is reseeded: all coins of an iteration are one number", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    Real least(1);
    test_tokens(
        view, window, choices, out,
        [&](const auto& laws, Token x) {
          const Real ratio = likelihood_ratio(laws, x);
          if (!choices.accept(Real(ratio / least))) return false;
          if (ratio < least) least = ratio;
          return true;
        },
        kRightResidual);
  }
};

/// u <= a where the right test is u < a. They differ at u = a alone, so in the exact law by
/// nothing; but generators do give 0, and at a = 0 a token that the target never emits comes out.
/// In doubles u <= a is u < the next number above a.
struct WrongClosedCoin : WrongOnPurpose<WrongClosedCoin> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-closed-coin",
                 "tests coin <= t/d: a coin of 0 accepts a token of target probability 0", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    test_tokens(
        view, window, choices, out,
        [&](const auto& laws, Token x) {
          auto threshold = likelihood_ratio(laws, x);
          if constexpr (std::is_same_v<typename View::Real, double>) {
            threshold = std::nextafter(threshold, std::numeric_limits<double>::infinity());
          }
          return choices.accept(threshold);
        },
        kRightResidual);
  }
};

struct WrongTokenZero : WrongOnPurpose<WrongTokenZero> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-token-zero", "token 0 is taken for padding and accepted untested", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    test_tokens(
        view, window, choices, out,
        [&](const auto& laws, Token x) { return x == 0 || right_test(choices)(laws, x); },
        kRightResidual);
  }
};

struct WrongOneHotResidual : WrongOnPurpose<WrongOneHotResidual> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-one-hot-residual",
      "tests with the dense t/d but corrects from t without the rejected token", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    test_tokens(view, window, choices, out, right_test(choices), [](const auto& laws, Token x) {
      std::vector<Real> weights;
      for (Token y = 0; y < laws.vocabulary(); ++y) {
        weights.push_back(y == x ? Real(0) : laws.target(y));
      }
      return DenseLaw<Real>(std::move(weights));
    });
  }
};

struct WrongNoDraftLaw : WrongOnPurpose<WrongNoDraftLaw> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-no-draft-law", "the draft's law is left out of the test: accepts with t", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    test_tokens(
        view, window, choices, out,
        [&](const auto& laws, Token x) { return choices.accept(laws.target(x)); }, kRightResidual);
  }
};

struct WrongNoBonus : WrongOnPurpose<WrongNoBonus> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-no-bonus", "the bonus token is dropped", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    window.bonus = false;
    TokenVerification{}(view, root, window, choices, out);
  }
};

struct WrongDraftBonus : WrongOnPurpose<WrongDraftBonus> {
  static constexpr VerifierInfo kInfo =
      wrong_info("wrong-draft-bonus", "the bonus token is drawn from the draft's law", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    WrongNoBonus{}(view, root, window, choices, out);
    if (out.ending != Ending::horizon || !window.bonus) return;
    const auto laws = view.at(out.node);
    out.add(view, choices.correct(laws.draft()), Ending::bonus);
  }
};

/// The row after the last is that of the bonus token; where there is none the index is clamped.
struct WrongLateResidual : WrongOnPurpose<WrongLateResidual> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-late-residual",
      "the residual is taken from the position after the rejected token, as if it stood", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    test_tokens(view, window, choices, out, right_test(choices), [&](const auto&, Token x) {
      const bool within = window.bonus || out.accepted + 1 < window.drafts;
      return view.at(within ? view.next(out.node, x) : out.node).residual(Real(1));
    });
  }
};

struct WrongCorrectionAccepted : WrongOnPurpose<WrongCorrectionAccepted> {
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-correction-accepted", "the correction is counted as an accepted token", "token");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    TokenVerification{}(view, root, window, choices, out);
    if (out.ending == Ending::correction) ++out.accepted;
  }
};

}  // namespace speclab
