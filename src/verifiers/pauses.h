#pragma once

namespace speclab {

// How a verifier says what its future depends on, so that the exact interpreter need not follow
// every prefix of a draft on its own (see exact/merging.h). A program with
//   static constexpr bool kMerges = true;
// calls these two and returns at once where they say true; every other interpreter never does, and
// a program without kMerges is never stopped.
//
// The contract. A run pauses after prefixes of 1, 2, .. tokens in turn, each the one before with a
// token more. Everything after the pause at length i -- its decisions with their
// probabilities, how many of the tokens from i + 1 on are accepted and emitted, the ending and the
// node reached -- depends on what came before through (i, node, weight) alone, until the run ends
// or comes to paused_before(i - 1). And everything after paused_before(i) depends on the prefix of
// i tokens in the same way: not on what was drafted beyond it. Whatever is emitted is one of the
// prefixes paused after and at most one token more.
//
// A verifier that settles its tokens one after another (token, rrs) pauses after each accepted one
// and never before a shorter prefix. Block verification pauses after each drafted token with its
// weight w_i, and before each sub-block once all longer ones are refused.

/// Pauses after a prefix of `length` >= 1 tokens: it ends with `last`, in the context `node`.
/// @param weight  a Real: what the future depends on besides the node
/// @returns whether the run is to stop here
template <class Choices, class Token, class Node, class Weight>
bool paused_after(Choices& choices, int length, Token last, const Node& node,
                  const Weight& weight) {
  if constexpr (requires { choices.pause_after(length, last, node, weight); }) {
    return choices.pause_after(length, last, node, weight);
  } else {
    return false;
  }
}

/// Pauses before the prefix of `length` >= 0 tokens is looked at, all longer ones being refused.
/// @returns whether the run is to stop here
template <class Choices>
bool paused_before(Choices& choices, int length) {
  if constexpr (requires { choices.pause_before(length); }) {
    return choices.pause_before(length);
  } else {
    return false;
  }
}

/// Whether these choices pause at all: what a verifier works out for its pauses alone is not to be
/// worked out, nor drawn, for the others.
template <class Choices, class View>
inline constexpr bool kPauses = requires(Choices& choices, const typename View::Node& node,
                                         const typename View::Real& weight) {
  choices.pause_after(0, 0, node, weight);
};

/// Whether a program pauses as the contract says.
template <class Program>
constexpr bool merges() {
  if constexpr (requires { Program::kMerges; }) return Program::kMerges;
  return false;
}

}  // namespace speclab
