#pragma once

#include "base/types.h"

namespace speclab {

// What a verifier of several drafts that draws them itself says before a draw, for an interpreter
// that was given the drafts (see GivenDrafts in exact/guide.h). Nothing to any other. Draft trees
// (draft/tree.h) say it themselves, and a verifier of one chain has nothing to say.

/// The next draft is that of chain `chain` at `position`; those after it go on along this chain.
template <class Choices>
void draft_along(Choices& choices, int chain, int position = 0) {
  if constexpr (requires { choices.given(); }) {
    if (auto* given = choices.given()) given->place_chain(chain, position);
  }
}

/// The next draft is draw `number` below a prefix: of the chains that begin with its tokens the one
/// with this number. @param prefix  () -> a span of tokens
template <class Choices, class Prefix>
void draft_below(Choices& choices, const Prefix& prefix, int number) {
  if constexpr (requires { choices.given(); }) {
    if (auto* given = choices.given()) given->place(prefix(), number);
  }
}

}  // namespace speclab
