#pragma once

#include <string>
#include <vector>

#include "claims/engine/instance.h"

namespace speclab {

/// One context of a small pair: its two laws and, token by token, the context that follows.
struct Context {
  std::vector<Rational> draft;
  std::vector<Rational> target;
  std::vector<State> next;
};

/// A pair whose contexts are listed; it starts in the first. Named by its contexts:
/// "contexts(0: [1,0]|[1/2,1/2] -> 0,1; 1: [0,1]|[1,0] -> 1,1)", draft | target -> next.
/// @pre every `next` is the index of a context
Instance listed_contexts(std::vector<Context> contexts, int gamma, int drafts = 1);

/// A spine: `sure` tokens that both models are sure of (token 0), then `nodes` on two tokens, each
/// reached by token 1 of the one before. Token 0 of a node leads where draft and target are
/// disjoint for good, token 1 of the last where both are [1/2,1/2] for good. Only the nodes' laws
/// are used. Named "sure 2, then [0,1]|[1/2,1/2] [1/2,1/2]|[0,1]".
Instance spine(int sure, std::vector<Context> nodes, int gamma);

/// The same laws with no token that ends the output: after an end-of-sequence token both models go
/// on with it for ever and every one of them counts, as the proof of sun2025 Theorem 2 has it.
Instance without_end(const Instance& instance);

/// "[1/2,1/2]".
std::string law_text(const std::vector<Rational>& law);

}  // namespace speclab
