#pragma once

#include <string_view>
#include <vector>

#include "simulate/simulate.h"
#include "simulated_law.h"
#include "toy.h"

namespace speclab::six_tokens {

/// Decodes of six tokens of three kinds, two drafted at a time: the exact law of all outputs, and
/// the trials that are compared with it.
inline constexpr std::string_view kSmallChain = "markov(vocabulary=3,horizon=6,seed=2)";

inline ExactNumbers<double> exact_decode(std::string_view verifier) {
  return run_named<double>(verifier, kSmallChain, {.lengths = {2, 6}, .law = true});
}

inline SimulateRequest decode_request() {
  return {.lengths = {2, 6}, .trials = 300000, .seed = 21};
}

inline std::vector<double> output_law(const ExactNumbers<double>& exact) {
  return speclab::output_law(*exact.decode, 3, 6);
}

}  // namespace speclab::six_tokens
