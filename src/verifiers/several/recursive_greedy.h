#pragma once

#include <utility>

#include "base/spec.h"
#include "draft/given.h"
#include "draft/source.h"
#include "verifiers/chain/greedy_path.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Recursive rejection of whole blocks by greedy block verification: T_1 = T, the joint law of
/// gamma tokens; draft m is verified by greedy-block against T_m. If it is refused at the root,
/// T_{m+1} is the chain y ~ [T_m(uy) - D(uy)]+ from the root, which is one more modification of
/// the target there (see CarriedView), for gamma tokens. If u is accepted at stage m, Y and the
/// next gamma - tau - 1 tokens follow that chain of T_m from u, which nests as in greedy-block;
/// after stage K, Y and the carry follow T_{K+1} from the root. K = 1 is greedy-block.
struct RecursiveGreedy {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "recursive-greedy",
      .parameters = "K=",
      .prose = "K drafts in turn by greedy-block, each against the residual of the last; carry",
      .source = "greedy block verification under recursive rejection",
      .kind = VerifierKind::lossless,
      .example = "recursive-greedy(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = true;
  static RecursiveGreedy read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    auto stage = root;
    for (int m = 0; m < drafts; ++m) {
      const bool last = m + 1 == drafts;
      draft_along(choices, m);
      draft_block(view, stage, window, choices, out);
      out.node = stage;
      if (settle_greedily(view, stage, last ? 0 : 1, window, window.drafts, choices, out)) return;
      stage = view.modified(std::move(stage), typename View::Real(1), window.drafts);
    }
  }

 private:
  /// Drafts a block into out.path with the ratios r_i = T_m / D.
  template <class View, class Choices>
  static void draft_block(const View& view, const typename View::Node& root, Window window,
                          Choices& choices, Iteration<View>& out) {
    out.path.clear();
    typename View::Real r(1);
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      r = r * likelihood_ratio(laws, x);
      node = view.next(node, x);
      out.path.push_back({x, node, r});
    }
  }
};

}  // namespace speclab
