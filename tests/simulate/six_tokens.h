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
  ExactRequest request;
  request.lengths = {2, 6};
  request.law = true;
  return run_named<double>(verifier, kSmallChain, request);
}

inline SimulateRequest decode_request() {
  SimulateRequest request;
  request.lengths = {2, 6};
  request.trials = 300000;
  request.seed = 21;
  return request;
}

inline std::vector<double> output_law(const ExactNumbers<double>& exact) {
  return speclab::output_law(*exact.decode, 3, 6);
}

}  // namespace speclab::six_tokens
