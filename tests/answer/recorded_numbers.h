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

using Chains = std::vector<std::vector<Token>>;

/// Drafted chains of one prompt.
struct Drafted {
  Chains chains;
  double probability;
};

/// Every set of K chains of gamma tokens, each drawn from the draft on its own.
inline std::vector<Drafted> all_drafts(const Rows<double>& rows, State start, int gamma,
                                       int count) {
  struct Chain {
    std::vector<Token> tokens;
    State state;
    double probability;
  };
  std::vector<Chain> chains{{{}, start, 1}};
  for (int i = 0; i < gamma; ++i) {
    std::vector<Chain> longer;
    for (const Chain& chain : chains) {
      for (Token x = 0; x < rows.vocabulary(); ++x) {
        const double share = rows.draft(chain.state)[static_cast<std::size_t>(x)];
        if (!(share > 0)) continue;
        longer.push_back({chain.tokens, rows.next(chain.state, x), chain.probability * share});
        longer.back().tokens.push_back(x);
      }
    }
    chains = std::move(longer);
  }
  std::vector<Drafted> sets{{{}, 1}};
  for (int k = 0; k < count; ++k) {
    std::vector<Drafted> larger;
    for (const Drafted& set : sets) {
      for (const Chain& chain : chains) {
        larger.push_back({set.chains, set.probability * chain.probability});
        larger.back().chains.push_back(chain.tokens);
      }
    }
    sets = std::move(larger);
  }
  return sets;
}

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
