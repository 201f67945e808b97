#pragma once

#include <algorithm>

#include "base/spec.h"
#include "verifiers/path_block.h"
#include "verifiers/wrong.h"

namespace speclab {

/// Path selection whose selection and law use different orders: the paths are selected by another
/// preference than the one that the law of the selected path is computed with.
struct WrongPathOrder {
  int drafts = 2;
  bool clipped = false;  ///< selects by min(1, t/d); else by t/d, of equal ones the higher token

  static constexpr VerifierInfo kInfo{
      .name = "wrong-path-order",
      .parameters = "K=, order=ties|clipped",
      .prose = "selects by other ties, or by min(1, t/d): not by the order of its law",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-path-order(K=2,order=ties)",
      .drafts = "K",
      .fault_of = "path-block(K=2)"};
  static constexpr bool kCarries = false;
  static WrongPathOrder read(SpecReader& spec) {
    const int drafts = read_drafts(spec, "K", 2);
    return {drafts, spec.word("order", {"ties", "clipped"}, "ties") == "clipped"};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    verify_selected(view, root, drafts, window, choices, out,
                    [this](const auto& laws, const auto&, Token x, Token y) {
                      return this->prefers(laws, x, y);
                    });
  }

 private:
  template <class Laws>
  [[nodiscard]] bool prefers(const Laws& laws, Token x, Token y) const {
    using Real = typename Laws::Real;
    // t(x) / d(x) against t(y) / d(y), cleared of the fractions.
    const Real scale = laws.draft(x) * laws.draft(y);
    Real left = laws.target(x) * laws.draft(y);
    Real right = laws.target(y) * laws.draft(x);
    if (clipped) {
      if (scale < left) left = scale;
      if (scale < right) right = scale;
    }
    if (left == right) return clipped ? x < y : x > y;
    return right < left;
  }
};

}  // namespace speclab
