#pragma once

#include "base/spec.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// The baseline: one target token per call, no drafts.
struct Autoregressive {
  static constexpr VerifierInfo kInfo{.name = "autoregressive",
                                      .parameters = "",
                                      .prose = "one target token per call; the baseline",
                                      .source = "sun2025 section 1",
                                      .kind = VerifierKind::lossless,
                                      .example = "autoregressive",
                                      .drafting = Drafting::none};
  static constexpr bool kCarries = false;
  static Autoregressive read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window, Choices& choices,
                  Iteration<View>& out) const {
    out.finish(view, choices, {.drafts = 0, .bonus = true});
  }
};

}  // namespace speclab
