#pragma once

#include "base/types.h"
#include "model/derived.h"

namespace speclab {

/// The token of the largest probability(x), x < vocabulary; ties to the lowest.
template <class Probability>
Token most_probable(Token vocabulary, const Probability& probability) {
  Token best = 0;
  for (Token x = 1; x < vocabulary; ++x) {
    if (probability(best) < probability(x)) best = x;
  }
  return best;
}

template <class Laws>
Token most_probable_draft(const Laws& laws) {
  static constexpr char kRule = 0;
  return *DerivedValue<Token>(laws, {&kRule}, [&laws] {
    return most_probable(laws.vocabulary(), [&](Token x) { return laws.draft(x); });
  });
}

template <class Laws>
Token most_probable_target(const Laws& laws) {
  static constexpr char kRule = 0;
  return *DerivedValue<Token>(laws, {&kRule}, [&laws] {
    return most_probable(laws.vocabulary(), [&](Token x) { return laws.target(x); });
  });
}

/// How a chain is drafted for the rules that never read the draft's law.
enum class ChainDraft {
  sampled,  ///< from the draft's law
  argmax,   ///< its most probable token each time, ties to the lowest
};

/// The next token of such a chain.
template <class Laws, class Choices>
Token next_of_chain(ChainDraft how, const Laws& laws, Choices& choices) {
  return how == ChainDraft::argmax ? most_probable_draft(laws) : choices.draft(laws.draft());
}

}  // namespace speclab
