#pragma once

#include <optional>
#include <vector>

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

}  // namespace speclab
