#pragma once

#include "prove/outcomes.h"
#include "prove/theorem.h"

namespace speclab {

// Losslessness for every draft length, by induction.
//
// A program that pauses (verifiers/pauses.h) goes on from a drafted prefix by its context s, its
// weight w and the number n of drafts that are left, until it ends or refuses the prefix. Claim:
// for every s, w in [0, 1] and n it emits, with some probability m(w) in all that is the same for
// every n, tokens of the target's law at s, and else refuses. (Of a program without a weight, which
// pauses with 0, m is one number.)
//
// Two runs show it, each for all laws at its contexts; both must give the target's law.
//   from kNode, gamma = 1: with a draft that is certain it is n = 0.
//   from kForced, gamma = 2: the draft of the last token is certain, with the ratio t/d = w: the
//     program reaches s = kNode with the weight w and n = 1. What it emits through that token has
//     the target's law, and so has the part of it that is not from s (that token as a correction,
//     and then the target): so the part from s has it too.
// From kForced a drafted token must be accepted with gamma = 1 as often as with gamma = 2: so m(w)
// is as at n = 0. From n to n + 1: below the next context s', of weight w', only m(w') and the law
// of what is emitted there count, and these are as at n = 0. So the run with gamma = 2 stands for
// every n, and the one from kNode for the first token of every gamma. Needed besides: the weights
// that occur are in [0, 1], and the weight at s is w.
//
// What is taken from the contract of pauses and not shown: that at one context a program does the
// same at every length but 0 and gamma, whatever gamma is, and asks for no law of a later one. The
// token whose draft is certain is the last: that tokens may be renumbered is needed in any case.

/// That a theorem of Contexts::step may be asked at all.
/// @throws InputError where it is not of losslessness, or of a program that does not pause, leaves
///         a carry, or depends on the names of tokens
void check_step(const Theorem& theorem);

/// Checks what the induction needs besides the laws, in the run that is current.
/// @param node, forced, last  the outcomes from kNode, from kForced, and from kForced with gamma 1
/// @param ratio  w
/// @throws InputError where the weights or the probabilities of accepting are not as above
void check_induction(const Theorem& theorem, const ProofOutcomes& node, const ProofOutcomes& forced,
                     const ProofOutcomes& last, const Number& ratio);

}  // namespace speclab
