#pragma once

#include <vector>

#include "simulate/control_variates.h"
#include "simulate/simulate.h"

namespace speclab {

/// What a decode of given tokens counts in expectation over which of them are accepted.
struct DecodeMeans {
  double tokens = 0;           ///< known: up to the horizon, or the end of the sequence
  double calls = 0;            ///< of the target
  double steps = 0;            ///< of the draft
  ControlVariates controls{};  ///< of the output
};

/// The longest drafts, and the most drafts, of which means are taken: of more as many iterations
/// are under way at a token, and coins cost less than what they add to the variance.
inline constexpr int kLongestAveraged = 8;
inline constexpr int kMostAveraged = 4;

/// Whether decodes of the verifier on the pair have such means: it has an output form without a
/// carry (verifiers/output_step.h), there is a horizon, and drafts are few, and short or to the
/// end.
bool averages_output(const Verifier& verifier, const Pair& pair, const Lengths& lengths);

/// Decodes whose output is drawn from the target: one for each trial, in their order, with the same
/// tokens for every verifier. They have the means of decodes by the verifier's decisions, and vary
/// less, as no coin is tossed.
///
/// A dynamic program over the tokens: which iterations may be under way before a token, by the
/// drafts left to them and what the verifier remembers, and the expected number of each. Worked
/// example: token verification, T = 3, gamma = 1, every token accepted with probability a: an
/// iteration begins at the first token, with probability 1 - a at the second, and at the third
/// where one ended at the second, by a bonus (a) or a correction ((1 - a)(1 - a)): 3 - 2a + a^2
/// calls.
/// @throws std::logic_error where averages_output() is false; Error when interrupted
std::vector<DecodeMeans> output_means(const Verifier& verifier, const Rows<double>& rows,
                                      const SimulateRequest& request);

}  // namespace speclab
