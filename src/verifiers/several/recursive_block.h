#pragma once

#include <utility>

#include "base/spec.h"
#include "draft/given.h"
#include "draft/source.h"
#include "verifiers/chain/block_path.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/several/recursive_rejection.h"

namespace speclab {

/// Recursive rejection of whole blocks: t_1 = t; draft m is verified by block verification against
/// t_m. tau >= 1 ends the iteration as block does. A draft refused at the root (tau = 0) passes
/// t_{m+1}(root) ~ [t_m - d]+ to the next one, deeper contexts are unchanged; after draft K,
/// Y ~ [t_K - d]+. K = 1 is block; one token a draft (gamma = 1) is rrs.
struct RecursiveBlock {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "recursive-block",
      .parameters = "K=",
      .prose = "K drafts in turn as blocks, each against the residual of the last",
      .source = "block verification under recursive rejection",
      .kind = VerifierKind::lossless,
      .example = "recursive-block(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static RecursiveBlock read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    RecursiveTarget target(laws);
    for (int m = 0; m < drafts; ++m) {
      draft_along(choices, m);
      draft_block(view, root, target, window, choices, out);
      if (settle_block(view, root, 1, window, out.path.back().weight, choices, out)) return;
      target.reject();
    }
    out.correct(view, choices, std::move(target).law());
  }

 private:
  /// Drafts a block into out.path with the weights of block verification, where the root's law is
  /// `target`.
  template <class View, class Target, class Choices>
  static void draft_block(const View& view, const typename View::Node& root, const Target& target,
                          Window window, Choices& choices, Iteration<View>& out) {
    using Real = typename View::Real;
    out.path.clear();
    Real w(1);
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      w = min_one<Real>(w * (i == 0 ? target.ratio(x) : likelihood_ratio(laws, x)));
      node = view.next(node, x);
      out.path.push_back({x, node, w});
    }
  }
};

}  // namespace speclab
