#pragma once

#include "base/spec.h"
#include "model/derived.h"
#include "verifiers/chain/block.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Block verification of all drafts but the last, with a token after them.
template <class View, class Choices>
void verify_one_fewer(const View& view, const typename View::Node& root, Window window,
                      Choices& choices, Iteration<View>& out) {
  const Window shorter{.drafts = window.drafts - 1, .bonus = true};
  BlockVerification{}(view, root, shorter, choices, out);
}

/// Block verification that ignores the last draft where the target's first token has probability 1.
/// It accepts fewer tokens than block in one iteration and can emit more in several: what it gives
/// up, it gives up where the next iteration accepts more.
struct OneHotBlock {
  static constexpr VerifierInfo kInfo{
      .name = "one-hot-block",
      .parameters = "",
      .prose = "block, without the last draft where the target's first token has probability 1",
      .source = "this project, against sun2025 Theorem 2",
      .kind = VerifierKind::lossless,
      .example = "one-hot-block",
      .lacks = {.full_acceptance = true}};
  static constexpr bool kCarries = false;
  static OneHotBlock read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    if (is_one_hot(view.at(root))) return verify_one_fewer(view, root, window, choices, out);
    BlockVerification{}(view, root, window, choices, out);
  }

 private:
  template <class Laws>
  static bool is_one_hot(const Laws& laws) {
    return *DerivedValue<bool>(laws, {&kInfo}, [&laws] {
      for (Token x = 0; x < laws.vocabulary(); ++x) {
        if (!(laws.target(x) < 1)) return true;
      }
      return false;
    });
  }
};

/// Block verification that ignores the last draft with probability 1/4.
struct LazyBlock {
  static constexpr VerifierInfo kInfo{.name = "lazy-block",
                                      .parameters = "",
                                      .prose = "block, without the last draft with probability 1/4",
                                      .source = "this project, against sun2025 Lemma 5",
                                      .kind = VerifierKind::lossless,
                                      .example = "lazy-block",
                                      .lacks = {.full_acceptance = true}};
  static constexpr bool kCarries = false;
  static LazyBlock read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    if (choices.accept(Real(Real(1) / 4))) {
      return verify_one_fewer(view, root, window, choices, out);
    }
    BlockVerification{}(view, root, window, choices, out);
  }
};

}  // namespace speclab
