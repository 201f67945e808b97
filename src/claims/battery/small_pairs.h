#pragma once

#include <vector>

#include "claims/engine/instance.h"
#include "model/families/automaton.h"
#include "model/families/listed_tree.h"

namespace speclab {

/// The laws of so many tokens with probabilities of this denominator, in lexicographic order.
std::vector<std::vector<Rational>> laws_of(std::size_t tokens, int denominator);

/// A memoryless pair, named by its spec text. @pre as IidPair
Instance iid_instance(std::vector<Rational> draft, std::vector<Rational> target, int gamma = 1,
                      int drafts = 1);

/// A pair whose states are listed, named by its spec text; it starts in the first.
/// @pre as AutomatonPair
Instance listed_automaton(std::vector<AutomatonState> states, int gamma, int drafts = 1);

/// A pair whose laws are listed by prefix, named by the spec text of the automaton that it is.
/// @pre as ListedTreePair
Instance listed_tree(const ListedLaws& draft, const ListedLaws& target, int gamma, int drafts = 1);

/// The same pair, the draft's laws divided by their sums on these tokens; uniform on them where a
/// law has none of them.
/// @param tokens  in order, each once, one at least
Instance drafted_of(const Instance& instance, std::vector<Token> tokens);

/// The same laws with no token that ends the output: after an end-of-sequence token both models go
/// on with it for ever and every one of them counts, as the proof of sun2025 Theorem 2 has it.
Instance without_end(const Instance& instance);

}  // namespace speclab
