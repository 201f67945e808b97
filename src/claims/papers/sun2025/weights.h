#pragma once

#include <span>

#include "claims/engine/ingredient.h"
#include "claims/engine/paths.h"
#include "theory/sun2025.h"

namespace speclab {

/// The weight w_i(x^i) of block verification for a drafted path of 0 .. gamma tokens: w_0 = 1, w_i
/// = min(1, w_{i-1} t / d). @pre the draft takes the path
inline Rational block_weight(const Instance& instance, State state, std::span<const Token> path) {
  const Rows<Rational>& rows = *instance.rows;
  Rational weight(1);
  for (const Token token : path) {
    const auto x = static_cast<std::size_t>(token);
    weight = min_one<Rational>(weight * rows.target(state)[x] / rows.draft(state)[x]);
    state = rows.next(state, token);
  }
  return ingredient("block-weights", weight);
}

}  // namespace speclab
