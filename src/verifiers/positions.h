#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "verifiers/choices.h"

namespace speclab {

/// Multi-draft verification position by position over the trie of K i.i.d. drafts.
///
/// At each position only the drafts that agree with the accepted prefix stay in play; their tokens
/// there are i.i.d. from d. `rule(laws, candidates, choices, out)` returns the accepted token,
/// or nothing after drawing the correction into `out`. Tokens of drafts that fell out of play are
/// never looked at, so they are not drafted.
template <class View, class Choices, class Rule>
void verify_positions(const View& view, int drafts, Window window, Choices& choices,
                      Iteration<View>& out, const Rule& rule) {
  std::vector<Token> candidates;
  auto in_play = static_cast<std::size_t>(drafts);
  for (int i = 0; i < window.drafts; ++i) {
    const auto laws = view.at(out.node);
    candidates.clear();
    for (std::size_t k = 0; k < in_play; ++k) candidates.push_back(choices.draft(laws.draft()));
    const std::optional<Token> accepted = rule(laws, candidates, choices, out);
    if (!accepted) return;
    in_play = static_cast<std::size_t>(std::count(candidates.begin(), candidates.end(), *accepted));
    out.accept(*accepted, view.next(out.node, *accepted));
  }
  out.finish(view, choices, window);
}

}  // namespace speclab
