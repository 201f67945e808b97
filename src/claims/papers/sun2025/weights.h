#pragma once

#include <map>

#include "claims/engine/ingredient.h"
#include "claims/engine/one_iteration.h"
#include "theory/sun2025.h"

namespace speclab {

/// The weights w_i(x^i) of block verification for every drafted path of 0 .. gamma tokens,
/// path by path: w_0 = 1, w_i = min(1, w_{i-1} t / d).
inline std::map<TokenPath, Rational> block_weights(const Instance& instance, State start) {
  std::map<TokenPath, Rational> weights{{{}, Rational(1)}};
  for (const PathLaws& path : paths_from(*instance.rows, start, instance.gamma)) {
    if (path.tokens.empty() || path.draft == 0) continue;
    TokenPath parent = path.tokens;
    parent.pop_back();
    State state = start;
    for (const Token x : parent) state = instance.rows->next(state, x);
    const auto x = static_cast<std::size_t>(path.tokens.back());
    weights[path.tokens] = min_one<Rational>(weights.at(parent) * instance.rows->target(state)[x] /
                                             instance.rows->draft(state)[x]);
  }
  for (auto& [path, weight] : weights) weight = ingredient("block-weights", weight);
  return weights;
}

}  // namespace speclab
