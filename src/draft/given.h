#pragma once

#include <span>

#include "base/types.h"

namespace speclab {

// Announcements that a verifier of several drafts makes before it draws them itself, for choices
// whose drafts are known beforehand (GivenDrafts in run/guide.h, RecycledPaths in
// verifiers/several/recycle.h); others ignore them. Draft trees (draft/tree.h) make them
// themselves; a verifier of one chain needs none.

/// Drafts that are known beforehand, by their places.
class PlacedDrafts {
 public:
  /// The next draft is that of this chain at this position.
  virtual void place_chain(int chain, int position) = 0;
  /// The next draft is draw `number` below `prefix`: that of the chain with this number among those
  /// that begin so.
  virtual void place(std::span<const Token> prefix, int number) = 0;

 protected:
  ~PlacedDrafts() = default;
};

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
