#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/rest_law.h"
#include "verifiers/output_step.h"
#include "verifiers/several/tree_walk.h"

namespace speclab {

/// Multi-draft verification position by position over the trie of K i.i.d. drafts.
///
/// At each position only the drafts that agree with the accepted prefix remain in play; their
/// tokens there are i.i.d. from d. `rule(laws, candidates, choices, out)` returns the accepted
/// token, or nothing after drawing the correction into `out`. The tokens of drafts that are no
/// longer in play are never used, so they are not drafted.
template <class View, class Choices, class Rule>
void verify_positions(const View& view, int drafts, Window window, Choices& choices,
                      Iteration<View>& out, const Rule& rule) {
  std::vector<Token> candidates;
  walk_tree({Draw::with, drafts, {}}, view, window, choices, out,
            [&](const auto& laws, auto& tree, Vertex at) -> std::optional<Vertex> {
              candidates.clear();
              for (int j = 0; const auto child = tree.draw(at, j); ++j) {
                candidates.push_back(tree.token(*child));
              }
              const std::optional<Token> accepted = rule(laws, candidates, choices, out);
              if (!accepted) return std::nullopt;
              return tree.find(at, *accepted);
            });
}

/// A candidate of a position, given that those before it were refused.
template <class Real>
struct CandidateStage {
  Real accepts;  ///< the probability that it is accepted if it is the token at hand
  Real refused;  ///< that it is refused, whichever it is
};

/// The output form (verifiers/output_step.h) of a position whose candidates are accepted or refused
/// in turn: what is remembered is how many drafts are in play. The accepted candidate is y, and so
/// may be some of those refused before it and of those after it, which were not looked at.
template <class Real>
void add_position_steps(const Real& target, const Real& draft,
                        std::span<const CandidateStage<Real>> stages,
                        std::vector<OutputStep<Real>>& steps) {
  const std::size_t count = stages.size();
  // before[i]: the candidates so far are refused, i of them y; in_play[i]: i are y, one of them
  // accepted.
  std::vector<Real> before(count + 1, Real(0));
  std::vector<Real> in_play(count + 1, Real(0));
  before[0] = 1;
  // Another candidate is y, or another token, with these probabilities.
  const auto extend = [count](std::vector<Real>& law, const Real& same, const Real& other) {
    for (std::size_t i = count; i > 0; --i) law[i] = law[i] * other + law[i - 1] * same;
    law[0] *= other;
  };
  for (const CandidateStage<Real>& stage : stages) {
    extend(in_play, draft, 1 - draft);
    for (std::size_t i = 0; i < count; ++i) in_play[i + 1] += before[i] * draft * stage.accepts;
    const Real same = draft * (1 - stage.accepts);
    extend(before, same, positive_part<Real>(stage.refused - same));
  }
  for (std::size_t i = count; i > 0; --i) {
    if (in_play[i] > 0) steps.push_back({in_play[i] / target, Real(static_cast<double>(i))});
  }
}

/// What a rule returns that draws the target's token, whose law given the candidates is `law`: that
/// token where it is a candidate.
template <class View, class Real, class Choices>
std::optional<Token> match_candidates(const View& view, const std::vector<Real>& law,
                                      const std::vector<Token>& candidates, Choices& choices,
                                      Iteration<View>& out) {
  ListedRest<Real> left(static_cast<Token>(law.size()),
                        [&law](Token y) { return law[static_cast<std::size_t>(y)]; });
  for (const Token x : candidates) {
    if (!(left.weight(x) > 0)) continue;
    if (choices.accept(Real(left.weight(x) / left.mass()))) return x;
    left.strike(x);
  }
  out.correct(view, choices, left);
  return std::nullopt;
}

}  // namespace speclab
