#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "verifiers/chain/chain_draft.h"
#include "verifiers/choices.h"

namespace speclab {

// A batch: requests of one pair, decoded side by side, that share a budget of verified tokens
// (after DSpark, arXiv 2607.05147, and adaptive verification of engines). In each step every
// unfinished request drafts up to gamma tokens, and the budget goes to the drafted tokens with the
// largest scores, a token after those before it, ties to the earlier request. A request is verified
// with the draft length that it got; without a draft it emits one token of the target.

/// The score of a drafted token: how the budget is split.
enum class BatchSplit {
  even,  ///< by its position alone, the first tokens first
  /// Product of d(x) over the draft up to it, its own included: what is left out is then no sample
  /// of the draft, and the output is biased (claim speclab.batch.own-confidence).
  own,
  top,       ///< product of max d over the contexts of the draft up to it
  known,     ///< product of sum min(d, t) over the contexts of the draft up to it
  survival,  ///< product of min(1, t/d) of the tokens before it, times sum min(d, t) at its context
  /// As even, of drafts of a length that each request adapts: gamma tokens at first, after a draft
  /// of which every verified token was accepted two more, after any other one fewer; 1 to gamma.
  adaptive,
  /// As even, of drafts that end after a token less probable than a threshold that each request
  /// sets anew from its earlier drafts (run/confidence_threshold.h).
  roc,
};

struct BatchSplitInfo {
  BatchSplit split;
  std::string_view name;
};

/// All splits, in the order of the enumeration.
inline constexpr BatchSplitInfo kBatchSplits[] = {{BatchSplit::even, "even"},
                                                  {BatchSplit::own, "own"},
                                                  {BatchSplit::top, "top"},
                                                  {BatchSplit::known, "known"},
                                                  {BatchSplit::survival, "survival"},
                                                  {BatchSplit::adaptive, "adaptive"},
                                                  {BatchSplit::roc, "roc"}};

/// What a batch is.
struct BatchSetting {
  int gamma = 1;  ///< most tokens that a request drafts in a step, or kUnbounded
  int horizon = 1;
  int requests = 2;
  int budget = 0;  ///< drafted tokens that are verified in a step, over all requests
  BatchSplit split = BatchSplit::even;

  /// First tokens of a request whose law is compared with the target's: min(gamma + 1, T), or fewer
  /// where an interpreter cannot.
  [[nodiscard]] int compared_tokens() const { return std::min(gamma, horizon - 1) + 1; }
};

/// What a request drafts in a step, and the scores of its tokens. One that drafts nothing is empty.
template <class Real>
struct ScoredDraft {
  std::vector<Token> tokens;
  std::vector<Real> scores;
  std::vector<Real> probabilities;  ///< d(x) of each token, where it is to end below a threshold
  Real product{1};                  ///< of the tokens so far, where a split multiplies
  bool ended = false;               ///< below the threshold

  void clear() {
    tokens.clear();
    scores.clear();
    probabilities.clear();
    product = Real(1);
    ended = false;
  }

  /// Adds a token that was drafted from these laws. @param threshold  of the split `roc`
  template <class AnyLaws>
  void add(BatchSplit split, const AnyLaws& laws, Token x, const Real& threshold) {
    scores.push_back(score(split, laws, x));
    tokens.push_back(x);
    if (split != BatchSplit::roc) return;
    probabilities.push_back(laws.draft(x));
    ended = probabilities.back() < threshold;
  }

 private:
  template <class AnyLaws>
  Real score(BatchSplit split, const AnyLaws& laws, Token x) {
    switch (split) {
      case BatchSplit::even:
      case BatchSplit::adaptive:
      case BatchSplit::roc:
        return Real(-static_cast<long>(tokens.size()));
      case BatchSplit::own:
        return product *= laws.draft(x);
      case BatchSplit::top:
        return product *= laws.draft(most_probable_draft(laws));
      case BatchSplit::known:
        return product *= shared_mass(laws);
      case BatchSplit::survival:
        break;
    }
    const Real next = product * shared_mass(laws);
    product *= std::min(Real(1), Real(likelihood_ratio(laws, x)));
    return next;
  }
};

/// Gives a budget to drafted tokens.
template <class Real>
class BudgetSplit {
 public:
  /// @param drafts   of each request
  /// @param lengths  of each, set to the number of its tokens that are verified
  /// @returns the sum of the lengths
  std::size_t operator()(std::span<const ScoredDraft<Real>* const> drafts, int budget,
                         std::span<std::size_t> lengths) {
    std::fill(lengths.begin(), lengths.end(), 0);
    heads_.clear();
    // A heap of the requests with a token that is not admitted, by the scores of their next ones.
    const auto after = [&](std::size_t a, std::size_t b) {
      const Real& mine = drafts[a]->scores[lengths[a]];
      const Real& other = drafts[b]->scores[lengths[b]];
      return mine < other || (mine == other && a > b);
    };
    const auto offer = [&](std::size_t request) {
      if (lengths[request] == drafts[request]->tokens.size()) return;
      heads_.push_back(request);
      std::push_heap(heads_.begin(), heads_.end(), after);
    };
    for (std::size_t request = 0; request < drafts.size(); ++request) offer(request);
    std::size_t admitted = 0;
    for (; admitted < static_cast<std::size_t>(budget) && !heads_.empty(); ++admitted) {
      std::pop_heap(heads_.begin(), heads_.end(), after);
      const std::size_t request = heads_.back();
      heads_.pop_back();
      ++lengths[request];
      offer(request);
    }
    return admitted;
  }

 private:
  std::vector<std::size_t> heads_;
};

}  // namespace speclab
