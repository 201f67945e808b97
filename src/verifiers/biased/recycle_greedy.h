#pragma once

#include "verifiers/chain/greedy_block.h"
#include "verifiers/several/recycle.h"

namespace speclab {

/// Greedy block verification along the first of K i.i.d. paths, entered again where its correction
/// was drafted by another path. After X^tau Y the next gamma - tau - 1 tokens have to follow the
/// target that greedy-block modified. With after=carry they do: the rule runs against the modified
/// target, and the law is kept. With after=plain it runs against the target's own law there, as
/// rules without a carry may, and the output is biased.
struct RecycleGreedy {
  int drafts = 1;
  bool carries = false;

  static constexpr VerifierInfo kInfo{
      .name = "recycle-greedy",
      .parameters = "K=, after=plain|carry",
      .prose =
          "greedy-block entered again where its correction was drafted; lossless with its carry",
      .source = "this project, after sun2025 Algorithm 4",
      .kind = VerifierKind::biased,
      .example = "recycle-greedy(K=2,after=plain)",
      .drafts = "K"};
  static constexpr bool kCarries = true;
  static RecycleGreedy read(SpecReader& spec) {
    const int drafts = read_drafts(spec, "K");
    return {drafts, spec.word("after", {"plain", "carry"}, "plain") == "carry"};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    run_recycled(drafts, view, window, choices, out, carries,
                 [](int, const auto& on, const auto& node, Window left, auto& coins, auto& part) {
                   GreedyBlockVerification{}(on, node, left, coins, part);
                 });
  }
};

}  // namespace speclab
