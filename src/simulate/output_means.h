#pragma once

#include <vector>

#include "simulate/control_variates.h"
#include "simulate/simulate.h"
#include "simulate/text_means.h"

namespace speclab {

/// What a decode of given tokens counts in expectation over which of them are accepted.
struct DecodeMeans {
  double tokens = 0;           ///< known: up to the horizon, or the end of the sequence
  double calls = 0;            ///< of the target
  double steps = 0;            ///< of the draft
  ControlVariates controls{};  ///< of the output
};

/// The most drafts of which means are taken (see kLongestAveraged, simulate/text_means.h).
inline constexpr int kMostAveraged = 4;

/// Whether decodes of the verifier on the pair have such means: it has an output form without a
/// carry (verifiers/output_step.h), there is a horizon, and drafts are few, and short or to the
/// end.
bool averages_output(const Verifier& verifier, const Pair& pair, const Lengths& lengths);

/// @pre it has one; outlived by the verifier's program
OutputForm own_form(const Verifier& verifier);

/// Decodes whose output is drawn from the target: one for each trial, in their order, with the same
/// tokens for every verifier. They have the means of decodes by the verifier's decisions, and vary
/// less, as no coin is tossed (simulate/text_means.h).
/// @throws std::logic_error where averages_output() is false; Error when interrupted
std::vector<DecodeMeans> output_means(const Verifier& verifier, const Rows<double>& rows,
                                      const SimulateRequest& request);

}  // namespace speclab
