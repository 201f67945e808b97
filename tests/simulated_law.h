#pragma once

#include <cstdint>
#include <string>

#include "model/lengths.h"
#include "model/rows.h"
#include "simulate/simulate.h"
#include "verifiers/registry.h"

namespace speclab {

/// Trials of a verifier, with the law of the tokens up to the horizon.
inline Tally simulated_law(const std::string& verifier, const Rows<double>& rows,
                           const Lengths& lengths, std::uint64_t trials, std::uint64_t seed) {
  SimulateRequest request;
  request.lengths = lengths;
  request.trials = trials;
  request.seed = seed;
  request.threads = 1;
  request.law = true;
  return run_trials(make_verifier(verifier), rows, request).tally;
}

}  // namespace speclab
