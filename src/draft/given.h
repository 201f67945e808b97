#pragma once

#include "base/types.h"

namespace speclab {

// Announcements that a verifier of several drafts makes before it draws them itself, for an
// interpreter that was given the drafts (see GivenDrafts in run/guide.h); other interpreters
// ignore them. Draft trees (draft/tree.h) make them themselves; a verifier of one chain needs none.

/// The next draft is that of chain `chain` at `position`; later ones continue this chain.
template <class Choices>
void draft_along(Choices& choices, int chain, int position = 0) {
  if constexpr (requires { choices.given(); }) {
    if (auto* given = choices.given()) given->place_chain(chain, position);
  }
}

/// The next draft is draw `number` below a prefix: that of chain `number` among the chains that
/// begin with its tokens. @param prefix  () -> a span of tokens
template <class Choices, class Prefix>
void draft_below(Choices& choices, const Prefix& prefix, int number) {
  if constexpr (requires { choices.given(); }) {
    if (auto* given = choices.given()) given->place(prefix(), number);
  }
}

}  // namespace speclab
