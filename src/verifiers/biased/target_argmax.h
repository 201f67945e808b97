#pragma once

#include "base/spec.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/info.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// A draft tree against the target's most probable token m (ties to the lowest): at a node m is
/// entered where it is a child, and otherwise emitted, which ends the iteration; the bonus is m
/// too.
///
/// The output is the greedy decode of the target, whatever its laws are: the TV of T tokens is 1 -
/// T(m_1 .. m_T). Worked example: toy pair, K = 1, gamma 1: m = 1, accepted with 1/3.
struct TargetArgmax {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "target-argmax",
      .parameters = "K= or tree=, draw= or grow=, nodes=",
      .prose =
          "emits the target's most probable token and continues while it is in the draft tree; "
          "biased",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::biased,
      .example = "target-argmax(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static TargetArgmax read(SpecReader& spec) { return {read_draft_source(spec)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    DraftTree<View, Choices> tree(source, view, out.node, window.drafts, choices);
    Vertex at = kRootVertex;
    while (!tree.is_leaf(at)) {
      const Token most = most_probable_target(view.at(out.node));
      tree.children(at);
      const auto child = tree.find(at, most);
      if (!child) return out.add(view, most, Ending::correction);
      out.accept(most, tree.node(*child));
      at = *child;
    }
    if (!window.bonus_after(out.accepted)) return out.finish(view, choices, window);
    out.add(view, most_probable_target(view.at(out.node)), Ending::bonus);
  }
};

}  // namespace speclab
