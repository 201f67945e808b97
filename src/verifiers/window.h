#pragma once

#include "model/lengths.h"

namespace speclab {

/// How long one iteration may be.
struct Window {
  int drafts = 1;     ///< tokens drafted: the draft length, cut at the horizon
  bool bonus = true;  ///< whether a token may follow when all of them are accepted

  /// Whether a token may follow a leaf at this depth: a grown tree and a shape have leaves
  /// above the deepest.
  [[nodiscard]] constexpr bool bonus_after(int accepted) const {
    return bonus || accepted < drafts;
  }
};

/// The window with `remaining` >= 1 tokens to go.
constexpr Window window_within(int gamma, int remaining) {
  return {.drafts = gamma < remaining ? gamma : remaining, .bonus = gamma < remaining};
}

/// The window of a full first iteration: gamma drafts and a bonus, cut where the pair's positions
/// end; with gamma unbounded, the whole horizon or the whole pair.
/// @pre check_lengths(pair, lengths) has passed
inline Window full_window(const Pair& pair, const Lengths& lengths) {
  const bool unbounded = lengths.gamma == kUnbounded;
  if (unbounded && lengths.horizon) return window_within(lengths.gamma, *lengths.horizon);
  if (const auto length = pair.length()) return window_within(lengths.gamma, *length);
  return {.drafts = lengths.gamma, .bonus = true};
}

}  // namespace speclab
