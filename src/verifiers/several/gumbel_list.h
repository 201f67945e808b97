#pragma once

#include <string>
#include <vector>

#include "base/spec.h"
#include "draft/source.h"
#include "verifiers/info.h"
#include "verifiers/several/list_clocks.h"
#include "verifiers/several/positions.h"

namespace speclab {

/// Gumbel list sampling (GLS): at every position one Exp(1) clock E a token and draft; draft k
/// proposes X_k = argmin E_k / d, the target's token is Y = argmin over v of the least E_k(v) /
/// t(v). Y is emitted; the drafts with X_k = Y go on, and where there is none the iteration ends.
/// After window.drafts matches Y ~ t with fresh clocks. Every Y follows t, whatever was matched
/// before it. At K = 1 it is gumbel.
///
/// clocks=active: the least is over the drafts that agree with what was emitted, so that Y depends
/// on the number of them. clocks=all: over all K, so that the output is a function of the clocks
/// alone and no drafter changes it; it matches less.
///
/// The clocks themselves are not drawn, but the X_k, then Y given them (list_clocks.h).
struct GumbelList {
  int drafts = 1;
  bool all_clocks = false;

  static constexpr VerifierInfo kInfo{
      .name = "gumbel-list",
      .parameters = "K=, clocks=active|all",
      .prose =
          "K drafts, each with exponential clocks of its own, of which the target takes the least",
      .source = "Rowan, Phan, Khisti 2025 (list-level distribution coupling)",
      .kind = VerifierKind::lossless,
      .example = "gumbel-list(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static GumbelList read(SpecReader& spec) {
    GumbelList made{read_drafts(spec, "K")};
    made.all_clocks = spec.word("clocks", {"active", "all"}, "active") == "all";
    return made;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_positions(
        view, drafts, window, choices, out,
        [&](const auto& laws, const std::vector<Token>& candidates, auto& coins, auto& result) {
          const int idle = all_clocks ? drafts - static_cast<int>(candidates.size()) : 0;
          return match_candidates(view, ListClocks(laws, candidates, idle).law(), candidates, coins,
                                  result);
        });
  }
};

}  // namespace speclab
