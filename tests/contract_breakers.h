#pragma once

#include "verifiers/choices.h"

namespace speclab {

// Verifiers that break their contract, as negative controls of both interpreters; and one that
// keeps it in a way that no other does.

/// Token after token, accepted untested: `extra` more than the window has room for.
struct Overruns {
  static constexpr bool kCarries = false;
  int extra = 0;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    const int room = window.drafts + (window.bonus ? 1 : 0);
    for (int i = 0; i < room + extra; ++i) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      out.add(view, x, Ending::bonus);
    }
  }
};

/// Says that it accepted one token more than it drafted.
struct Boasts {
  static constexpr bool kCarries = false;
  int extra = 0;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    out.finish(view, choices, {.drafts = 0, .bonus = true});
    out.accepted = window.drafts + extra;
  }
};

/// Tosses a coin, drafts or corrects once more after the correction.
struct GoesOn {
  static constexpr bool kCarries = false;
  enum class With { coin, draft, correction } with;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const auto laws = view.at(out.node);
    out.add(view, choices.correct(laws.target()), Ending::correction);
    if (with == With::coin) choices.accept(Real(1) / 2);
    if (with == With::draft) choices.draft(laws.draft());
    if (with == With::correction) choices.correct(laws.target());
  }
};

/// Accepts every draft untested and corrects from the target: also after the end of the sequence.
struct CorrectsAfterAll {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    for (int i = 0; i < window.drafts; ++i) {
      const Token x = choices.draft(view.at(out.node).draft());
      out.accept(x, view.next(out.node, x));
    }
    if (!window.bonus) return;
    const auto laws = view.at(out.node);
    out.correct(view, choices, laws.target());
  }
};

/// Rejects every draft and forgets the correction.
struct EmitsNothing {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window, Choices& choices,
                  Iteration<View>& out) const {
    choices.draft(view.at(root).draft());
    out.ending = Ending::correction;
  }
};

/// Emits nothing and drafts nothing.
struct Idles {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View&, const typename View::Node&, Window, Choices&,
                  Iteration<View>& out) const {
    out.ending = Ending::horizon;
  }
};

}  // namespace speclab
