#pragma once

namespace speclab {

// How a verifier declares what its future depends on, so that the exact interpreter merges equal
// prefixes of drafts (see run/merging.h). A program with
//   static constexpr bool kMerges = true;
// calls these two functions and returns at once where they return true. They never do so in other
// interpreters, and a program without kMerges is never paused.
//
// The contract. A run pauses after prefixes of 1, 2, .. tokens in turn, each extending the last by
// one token. Everything after the pause at length i -- its decisions with their probabilities, how
// many of the tokens from i + 1 on are accepted and emitted, the ending and the node reached --
// depends on the past only through (i, node, weight), until the run ends or reaches
// paused_before(i - 1). Everything after paused_before(i) depends in the same way on the prefix of
// i tokens, and not on later drafts. The emitted tokens are one of the prefixes paused after and at
// most one more token.
//
// Proofs for every draft length (prove/step.h) take the following as well. They are made of a
// program whose prefixes of length 1 .. gamma - 1 are all treated alike, whatever gamma is: between
// two pauses it asks for the length only to know the ends, 0 and gamma, and for the laws of the
// context that it paused in and of none after it.
//
// A verifier that decides its tokens one after another (token, rrs) pauses after each accepted one
// and never before a shorter prefix. Block verification pauses after each drafted token with its
// weight w_i, and before each sub-block once all longer ones are refused.

/// Pauses after a prefix of `length` >= 1 tokens: it ends with `last`, in the context `node`.
/// @param weight  a Real: the part of the state besides the node
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

/// Pauses before the prefix of `length` >= 0 tokens is tested, after all longer ones are refused.
/// @returns whether the run is to stop here
template <class Choices>
bool paused_before(Choices& choices, int length) {
  if constexpr (requires { choices.pause_before(length); }) {
    return choices.pause_before(length);
  } else {
    return false;
  }
}

/// Whether these choices pause at all: a verifier neither computes nor draws what only its pauses
/// need where they do not.
template <class View, class Choices>
constexpr bool pauses(const Choices& choices) {
  if constexpr (requires { choices.pauses(); }) {
    return choices.pauses();
  } else {
    return requires(Choices & pausing, const typename View::Node& node,
                    const typename View::Real& weight) {
      pausing.pause_after(0, 0, node, weight);
    };
  }
}

/// Whether a program pauses according to the contract.
template <class Program>
constexpr bool merges() {
  if constexpr (requires { Program::kMerges; }) return Program::kMerges;
  return false;
}

}  // namespace speclab
