#pragma once

#include "base/spec.h"
#include "verifiers/chain/sample_match.h"
#include "verifiers/chain/stopping.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// SampleMatch of a draft that a stopping rule ends: a token y ~ t is emitted at every position;
/// where the draft goes on and y equals its next token, the iteration goes on too. Where nothing is
/// drafted y is a bonus.
///
/// Lossless whatever the stop looks at, the discarded token too, since every emitted token is a
/// draw from the target. Worked example: toy pair, sampled drafts, own-drop at theta = 1/2, gamma
/// 1: token 0 alone is drafted, with 2/3, and accepted with 1/3: 2/9.
struct MatchWithStop {
  ChainDraft draft = ChainDraft::sampled;
  StopRule stop;

  static constexpr VerifierInfo kInfo{
      .name = "match-with-stop",
      .parameters = "draft=sampled|argmax, stop=law|own-keep|own-drop, theta=, side=below|above",
      .prose = "sample-match of a draft that stops where d is beyond theta, however it stops",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::lossless,
      .example = "match-with-stop(stop=own-drop,theta=1/100)",
      .lacks = {.full_acceptance = true, .purposes = true}};
  static constexpr bool kCarries = false;
  static constexpr bool kReadsDraft = true;
  static MatchWithStop read(SpecReader& spec) {
    const ChainDraft draft = read_chain_draft(spec);
    const StopRule stop = StopRule::read(spec);
    if (stop.kind == StopRule::Kind::own_drop_renormalised) {
      spec.refuse("the draft's law is not read, so nothing is renormalised; give stop=own-drop");
    }
    return {draft, stop};
  }
  [[nodiscard]] bool drafts_iid() const { return draft == ChainDraft::sampled; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    bool drafts = true;
    while (drafts && out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      if (stop.ends_at(laws)) break;
      const Token x = next_of_chain(draft, laws, choices);
      if (stop.discards(laws, x)) break;
      const Token y = choices.choose(laws.target());
      if (y != x) return out.add(view, y, Ending::correction);
      drafts = !stop.ends_after(laws, x);
      out.accept(x, view.next(out.node, x));
    }
    const bool early = out.accepted < window.drafts;
    out.finish(view, choices, {.drafts = out.accepted, .bonus = window.bonus || early});
  }
};

}  // namespace speclab
