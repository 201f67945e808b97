#pragma once

#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// A fault that is added to the registry: every draft is accepted.
struct Planted {
  static constexpr VerifierInfo kInfo{.name = "planted",
                                      .parameters = "",
                                      .prose = "accepts every draft",
                                      .source = "",
                                      .kind = VerifierKind::wrong,
                                      .example = "planted",
                                      .fault_of = "block"};
  static constexpr bool kCarries = false;
  static Planted read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    while (out.accepted < window.drafts) {
      const Token x = choices.draft(view.at(out.node).draft());
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

}  // namespace speclab
