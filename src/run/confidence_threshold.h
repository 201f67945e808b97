#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace speclab {

/// A drafted token that was accepted, or the one after those: its draft probability, and whether it
/// was accepted.
template <class Real>
using Judged = std::pair<Real, bool>;

/// The least draft probability with which a draft goes on, in HuggingFace transformers: a draft
/// ends after a token below it (ConfidenceCriteria, generation/stopping_criteria.py, 5c85490). It
/// is set anew from all judged tokens by their ROC curve (update_candidate_strategy,
/// generation/candidate_generator.py, 00a11b6): of their probabilities the one that minimises
///   fpr + 3 fnr,
/// the share of the refused tokens at or above it, and three times that of the accepted ones below
/// it; of several the largest. With fewer than six tokens, or where all were accepted or all
/// refused, it is 2/5.
/// Worked example: accepted 3/4, 3/4, 1/2, 1/4 and refused 1/2, 1/4: at 3/4 the cost is 0 + 3/2, at
/// 1/2 it is 1/2 + 3/4, at 1/4 it is 1 + 0. The threshold is 1/4.
/// @param judged  from the least probability on
template <class Real>
Real confidence_threshold(const std::vector<Judged<Real>>& judged) {
  constexpr std::size_t kFewest = 6;
  const auto total = static_cast<long>(judged.size());
  const auto accepted = static_cast<long>(
      std::count_if(judged.begin(), judged.end(), [](const auto& one) { return one.second; }));
  const long refused = total - accepted;
  if (judged.size() < kFewest || accepted == 0 || refused == 0) return Real(2) / Real(5);
  // The cost times both numbers, from the least threshold on.
  const Real* best = nullptr;
  long least = 0, accepted_below = 0, refused_below = 0;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const bool is_new = i == 0 || judged[i - 1].first < judged[i].first;
    const long cost = (refused - refused_below) * accepted + 3 * accepted_below * refused;
    if (is_new && (best == nullptr || cost <= least)) {
      best = &judged[i].first;
      least = cost;
    }
    ++(judged[i].second ? accepted_below : refused_below);
  }
  return *best;
}

}  // namespace speclab
