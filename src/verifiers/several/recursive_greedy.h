#pragma once

#include <utility>

#include "base/spec.h"
#include "draft/given.h"
#include "draft/source.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Recursive rejection of whole blocks by greedy block verification: T_1 = T, the joint law of
/// gamma tokens; draft m is verified by greedy-block against T_m. If it is refused at the root,
/// T_{m+1} = is the chain y ~ [T_m(uy) - D(uy)]+ from the root, which is one more modification of
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
      draft_along(choices, m);
      draft_block(view, stage, window, choices, out);
      if (accept_block(view, window, choices, out)) return;
      if (m + 1 < drafts) stage = view.modified(std::move(stage), one<View>(), window.drafts);
    }
    correct(view, stage, one<View>(), window, choices, out);
  }

 private:
  template <class View>
  static typename View::Real one() {
    return typename View::Real(1);
  }

  /// Drafts a block into out.path with the ratios r_i = T_m / D.
  template <class View, class Choices>
  static void draft_block(const View& view, const typename View::Node& root, Window window,
                          Choices& choices, Iteration<View>& out) {
    out.path.clear();
    auto r = one<View>();
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      r = r * likelihood_ratio(laws, x);
      node = view.next(node, x);
      out.path.push_back({x, node, r});
    }
  }

  /// Greedy-block's coins from the longest block down to one token; emits the accepted block.
  template <class View, class Choices>
  static bool accept_block(const View& view, Window window, Choices& choices,
                           Iteration<View>& out) {
    using Real = typename View::Real;
    for (int i = window.drafts; i >= 1; --i) {
      const auto& step = out.path[static_cast<std::size_t>(i) - 1];
      if (i == window.drafts) {
        if (!choices.accept(step.weight)) continue;
        out.accept_path(i);
        out.finish(view, choices, window);
        return true;
      }
      const auto laws = view.at(step.node);
      const Real excess = laws.residual(step.weight).mass();
      const Real deficit = excess + (1 - step.weight);
      if (!(excess > 0)) continue;
      if (excess < deficit && !choices.accept(Real(excess / deficit))) continue;
      out.accept_path(i);
      const Real ratio = step.weight;
      correct(view, out.node, ratio, window, choices, out);
      return true;
    }
    return false;
  }

  /// Y ~ [r t - d]+ at `node`, the end of the accepted block, with the carry.
  template <class View, class Choices>
  static void correct(const View& view, const typename View::Node& node,
                      const typename View::Real& ratio, Window window, Choices& choices,
                      Iteration<View>& out) {
    using Real = typename View::Real;
    const auto at = node;
    const auto laws = view.at(at);
    const Token y = choices.correct(laws.residual(ratio));
    out.node = at;
    out.add(view, y, Ending::correction);
    if (y == kUndefined) return;
    const Real share = laws.draft(y) / (ratio * laws.target(y));
    out.node = view.modified(std::move(out.node), share, window.drafts - out.accepted - 1);
  }
};

}  // namespace speclab
