#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "model/derived.h"
#include "model/rest_law.h"
#include "verifiers/biased/accepted_set.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// Target-only verification against the target's typical tokens alone: t' is t on {t >= min(eps,
/// alpha e^{-H(t)})}, normalised; at a node y ~ t', a child y is entered, any other y is emitted
/// and ends the iteration; the bonus is drawn from t' too.
///
/// The output has the law of t' whatever the drafts are, so the bias is that of a filter. Since
/// e^{-H(t)} <= max t, the set is never empty for alpha <= 1. Worked example: t = (1/5, 1/2, 3/10),
/// eps = 1/4, alpha = 1: t' = (0, 5/8, 3/8), TV 1/5.
struct TypicalMatch {
  TypicalSet set;
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "typical-match",
      .parameters = "eps=9/100, alpha=3/10, draft=sampled|argmax or tree=, draw=",
      .prose = "target-only against the target's typical tokens: lossless to that filtered law",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::biased,
      .example = "typical-match(eps=2/5,alpha=4/5)"};
  static constexpr bool kCarries = false;
  static TypicalMatch read(SpecReader& spec) {
    const TypicalSet set = TypicalSet::read(spec);
    return {set, read_chain_or_tree(spec)};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    DraftTree<View, Choices> tree(source, view, out.node, window.drafts, choices);
    Vertex at = kRootVertex;
    while (!tree.is_leaf(at)) {
      const auto typical = typical_laws(view, out.node);
      const auto child =
          enter_or_correct(tree, at, 0, RestLaw<Real>::target(typical->laws()), view, choices, out);
      if (!child) return;
      at = *child;
      out.accept(tree.token(at), tree.node(at));
    }
    if (!window.bonus_after(out.accepted)) return out.finish(view, choices, window);
    const auto typical = typical_laws(view, out.node);
    out.add(view, choices.correct(typical->laws().target()), Ending::bonus);
  }

 private:
  /// t on the typical tokens, not normalised, as the target of laws without a draft, which a
  /// recording may lack.
  template <class View, class Node>
  [[nodiscard]] auto typical_laws(const View& view, const Node& node) const {
    using Real = typename View::Real;
    const auto laws = view.at(node);
    const DerivedKey key{&kInfo, {to_double(set.eps), to_double(set.alpha)}};
    return DerivedValue<MadeLaws<Real>>(laws, key, [&] {
      std::vector<Real> weights;
      for (Token x = 0; x < laws.vocabulary(); ++x) {
        const bool kept = set.contains(laws, view.state(node), x, true);
        weights.push_back(kept ? Real(laws.target(x)) : Real(0));
      }
      std::vector<Real> none(weights.size(), Real(0));
      return MadeLaws<Real>(laws, std::move(none), std::move(weights));
    });
  }
};

}  // namespace speclab
