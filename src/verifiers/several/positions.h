#pragma once

#include <optional>
#include <vector>

#include "model/rest_law.h"
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
