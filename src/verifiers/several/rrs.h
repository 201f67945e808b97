#pragma once

#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/source.h"
#include "verifiers/info.h"
#include "verifiers/several/positions.h"
#include "verifiers/several/recursive_rejection.h"

namespace speclab {

/// Recursive rejection sampling over K i.i.d. drafts, position by position (SpecInfer's multi-round
/// speculative sampling, Miao et al. 2023): the candidates are tried in turn against t^1 = t,
/// t^{m+1} = [t^m - d]+ normalised; after the last rejection Y ~ t^{k+1}.
/// Acceptance of one position with k candidates: 1 - prod r_m, r_m = TV(t^m, d).
struct RecursiveRejection {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "rrs",
      .parameters = "K=",
      .prose = "K drafts position by position, recursive rejection sampling",
      .source = "Miao et al. 2023 (SpecInfer); theory of yin2024 Theorem 3",
      .kind = VerifierKind::lossless,
      .example = "rrs(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static RecursiveRejection read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  /// The stages of the drafts in play: min(1, t^m(y) / d(y)), and 1 - sum of min(d, t^m).
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& in_play,
                        std::vector<OutputStep<Real>>& steps) const {
    if (!(laws.draft(y) > 0)) return;
    std::vector<CandidateStage<Real>> stages;
    RecursiveTarget target(laws);
    for (auto left = static_cast<std::size_t>(to_double(in_play)); left > 0; --left) {
      const Real accepts = min_one<Real>(target.ratio(y));
      stages.push_back({accepts, target.reject()});
    }
    add_position_steps<Real>(laws.target(y), laws.draft(y), stages, steps);
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_positions(view, drafts, window, choices, out,
                     [&view](const auto& laws, const std::vector<Token>& candidates, auto& coins,
                             auto& result) -> std::optional<Token> {
                       RecursiveTarget target(laws);
                       for (const Token x : candidates) {
                         if (coins.accept(target.ratio(x))) return x;
                         target.reject();
                       }
                       result.correct(view, coins, std::move(target).law());
                       return std::nullopt;
                     });
  }
};

}  // namespace speclab
