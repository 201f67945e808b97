#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exact_numbers.h"
#include "model/lengths.h"
#include "model/rows.h"
#include "simulate/simulate.h"
#include "verifiers/registry.h"

namespace speclab {

/// Trials of a verifier, with the law of the tokens up to the horizon.
inline Tally simulated_law(const std::string& verifier, const Rows<double>& rows,
                           const Lengths& lengths, std::uint64_t trials, std::uint64_t seed) {
  return run_trials(make_verifier(verifier), rows,
                    {.lengths = lengths, .law = true, .trials = trials, .seed = seed, .threads = 1})
      .tally;
}

/// The exact law of an output of `horizon` tokens by cell, as Tally::outputs has them: tokens as a
/// number, base V; and last the undefined mass.
inline std::vector<double> output_law(const DecodeNumbers<double>& decode, Token vocabulary,
                                      int horizon) {
  const auto base = static_cast<std::size_t>(vocabulary);
  std::size_t cells = 1;
  for (int i = 0; i < horizon; ++i) cells *= base;
  std::vector<double> law(cells + 1);
  for (const auto& [tokens, probability] : decode.law) {
    std::size_t cell = 0;
    for (const Token x : tokens) cell = base * cell + static_cast<std::size_t>(x);
    law[cell] = probability;
  }
  law.back() = decode.undefined_mass;
  return law;
}

/// How many trials had each cell of such a law, whatever their start.
inline std::vector<std::uint64_t> output_counts(const Tally& tally, std::size_t cells) {
  std::vector<std::uint64_t> counts(cells);
  for (std::size_t i = 0; i < tally.outputs.size(); ++i) {
    counts[i % (cells - 1)] += tally.outputs[i];
  }
  counts.back() = tally.undefined_trials;
  return counts;
}

}  // namespace speclab
