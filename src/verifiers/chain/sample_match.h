#pragma once

#include <vector>

#include "base/spec.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/output_step.h"

namespace speclab {

/// Reads draft=sampled|argmax.
inline ChainDraft read_chain_draft(SpecReader& spec) {
  return spec.choice<ChainDraft>("draft", {"sampled", "argmax"}, "sampled");
}

/// Emits the target's draw and continues while it equals the draft: at every position y ~ t is
/// emitted, y = X_i is an accepted token and anything else ends the iteration; after window.drafts
/// matches one more y ~ t. P(accept) = sum t d, or t at the argmax of d. The draft's law is never
/// read, so the output follows the target whatever the draft is.
struct SampleMatch {
  ChainDraft draft = ChainDraft::sampled;

  static constexpr VerifierInfo kInfo{
      .name = "sample-match",
      .parameters = "draft=sampled|argmax",
      .prose = "emits the target's draw and continues while it equals the draft",
      .source = "Miao et al. 2023 (SpecInfer), naive sampling, on one chain",
      .kind = VerifierKind::lossless,
      .example = "sample-match",
      .lacks = {.full_acceptance = true, .purposes = true}};
  static constexpr bool kCarries = false;
  static SampleMatch read(SpecReader& spec) { return {read_chain_draft(spec)}; }
  [[nodiscard]] bool steps() const { return true; }
  [[nodiscard]] bool drafts_iid() const { return draft == ChainDraft::sampled; }

  /// The probability that y is the draft.
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& memory,
                        std::vector<OutputStep<Real>>& steps) const {
    const bool sampled = draft == ChainDraft::sampled;
    steps.push_back(
        {sampled ? Real(laws.draft(y)) : Real(y == most_probable_draft(laws) ? 1 : 0), memory});
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = next_of_chain(draft, laws, choices);
      const Token y = choices.choose(laws.target());
      if (y != x) return out.add(view, y, Ending::correction);
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

}  // namespace speclab
