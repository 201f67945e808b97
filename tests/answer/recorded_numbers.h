// What a recording answers of one prompt's iteration, beside the exact law of the pair that was
// recorded.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "exact_numbers.h"
#include "recorded_questions.h"

namespace speclab {

/// [i]: P(tau = i); then the mass of 0/0 and E[tokens].
using IterationNumbers = std::vector<double>;

inline IterationNumbers recorded_numbers(const RecordedResult& result, std::size_t prompt = 0) {
  IterationNumbers all;
  for (const auto& law : result.law) all.push_back(law[prompt]);
  all.push_back(result.undefined[prompt]);
  all.push_back(result.tokens[prompt]);
  return all;
}

/// The largest difference from the exact law of the verifier on the pair.
inline double distance(const IterationNumbers& found, const Rows<double>& rows,
                       const std::string& verifier, int gamma) {
  const ExactNumbers<double> exact =
      run_exact(make_verifier(verifier), rows, {.lengths = {.gamma = gamma, .iterations = 1}});
  IterationNumbers wanted = exact.accepted_law;
  wanted.push_back(exact.undefined_mass);
  wanted.push_back(exact.expected_tokens.front());
  REQUIRE(found.size() == wanted.size());
  double most = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    most = std::max(most, std::abs(found[i] - wanted[i]));
  }
  return most;
}

}  // namespace speclab
