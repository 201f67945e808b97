#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "simulate/simulate.h"
#include "toy.h"

namespace speclab::six_tokens {

/// Decodes of six tokens of three kinds, two drafted at a time: the exact law of all outputs, and
/// the trials that are compared with it.
inline constexpr std::string_view kSmallChain = "markov(vocabulary=3,horizon=6,seed=2)";
inline constexpr std::size_t kCells = 729;  ///< outputs: numbers of six digits, base 3

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

/// The law of the outputs by cell.
inline std::vector<double> output_law(const ExactNumbers<double>& exact) {
  std::vector<double> law(kCells);
  for (const auto& [tokens, probability] : exact.decode->law) {
    std::size_t at = 0;
    for (const Token x : tokens) at = 3 * at + static_cast<std::size_t>(x);
    law[at] += probability;
  }
  return law;
}

/// How many trials had each, whatever their start.
inline std::vector<std::uint64_t> output_counts(const Tally& tally) {
  std::vector<std::uint64_t> counts(kCells);
  for (std::size_t i = 0; i < tally.outputs.size(); ++i) counts[i % kCells] += tally.outputs[i];
  return counts;
}

}  // namespace speclab::six_tokens
