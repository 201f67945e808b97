#include "claims/papers/further/reset_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "system/interrupt.h"

namespace speclab {
namespace {

/// What one iteration emits, and the law of the context after it.
struct ResetIteration {
  double tokens = 0;
  std::array<double, ResetPair::kMostContexts> after{};
};

double of_token(double one, int x) { return x == 1 ? one : 1 - one; }

ResetIteration iteration_of_token(const ResetPair& pair, int root, int gamma) {
  ResetIteration found;
  std::array<double, ResetPair::kMostContexts> now{};
  now[static_cast<std::size_t>(root)] = 1;
  for (int offset = 0; offset <= gamma; ++offset) {
    std::array<double, ResetPair::kMostContexts> kept{};
    for (int c = 0; c < pair.contexts; ++c) {
      for (int x = 0; x < 2; ++x) {
        const double t = of_token(pair.target[c], x);
        const double d = offset < gamma ? of_token(pair.draft[root][offset], x) : 0;
        const double mass = now[static_cast<std::size_t>(c)];
        const auto to = static_cast<std::size_t>(pair.next[c][x]);
        kept[to] += mass * std::min(d, t);
        const double ends = mass * (t - std::min(d, t));
        found.after[to] += ends;
        found.tokens += ends * (offset + 1);
      }
    }
    now = kept;
  }
  return found;
}

/// Block verification over all blocks: Algorithm 2 of sun2025, from its last coin to its first.
class ResetBlocks {
 public:
  ResetBlocks(const ResetPair& pair, int root, int gamma)
      : pair_(pair), root_(root), gamma_(gamma), contexts_{root}, weights_{1.0} {
    extend(1);
  }
  [[nodiscard]] const ResetIteration& found() const { return found_; }

 private:
  void extend(double mass) {
    const auto at = contexts_.size() - 1;
    if (static_cast<int>(at) == gamma_) return verify(mass);
    for (int x = 0; x < 2; ++x) {
      const double d = of_token(pair_.draft[root_][at], x);
      if (!(d > 0)) continue;
      const int c = contexts_[at];
      weights_.push_back(std::min(1.0, weights_[at] * of_token(pair_.target[c], x) / d));
      contexts_.push_back(pair_.next[c][x]);
      extend(mass * d);
      weights_.pop_back();
      contexts_.pop_back();
    }
  }

  void verify(double left) {
    for (int i = gamma_; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      const int c = contexts_[at];
      std::array<double, 2> law{};
      for (int x = 0; x < 2; ++x) {
        const double t = weights_[at] * of_token(pair_.target[c], x);
        const double d = i < gamma_ ? of_token(pair_.draft[root_][at], x) : 0;
        law[static_cast<std::size_t>(x)] = std::max(0.0, t - d);
      }
      const double mass = law[0] + law[1];
      // Where it would be 0/0 no mass is left: a later coin of weight 1 is 1.
      if (!(left > 0)) return;
      const double coin = i == gamma_ ? weights_[at] : mass / (mass + 1 - weights_[at]);
      const double ends = i == 0 ? left : left * coin;
      left -= ends;
      if (!(ends > 0)) continue;
      found_.tokens += ends * (i + 1);
      for (int x = 0; x < 2; ++x) {
        found_.after[static_cast<std::size_t>(pair_.next[c][x])] +=
            ends * law[static_cast<std::size_t>(x)] / mass;
      }
    }
  }

  const ResetPair& pair_;
  int root_;
  int gamma_;
  std::vector<int> contexts_;
  std::vector<double> weights_;
  ResetIteration found_;
};

template <class Iterate>
double two_iterations(const ResetPair& pair, const Iterate& iterate) {
  const ResetIteration first = iterate(0);
  double tokens = first.tokens;
  for (int c = 0; c < pair.contexts; ++c) {
    tokens += first.after[static_cast<std::size_t>(c)] * iterate(c).tokens;
  }
  return tokens;
}

std::string law_of(double one) { return one == 0 ? "[1,0]" : one == 1 ? "[0,1]" : "[1/2,1/2]"; }

/// The numbers of a pair of this size as digits, the last one changing fastest; false where they
/// are back at the first.
bool advance(std::vector<int>& digits, const std::vector<int>& largest) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i] < largest[i]) {
      ++digits[i];
      return true;
    }
    digits[i] = 0;
  }
  return false;
}

std::optional<ResetPair> first_of_size(int contexts, int denominator, int gamma, int more,
                                       const ResetProperty& property) {
  ResetPair pair{.contexts = contexts, .offsets = gamma + more};
  const int size = contexts * (3 + pair.offsets);
  std::vector<int> digits(static_cast<std::size_t>(size), 0);
  std::vector<int> largest(digits.size(), denominator);
  std::fill_n(largest.begin() + contexts, 2 * contexts, contexts - 1);
  do {
    check_interrupted();
    auto digit = digits.begin();
    for (int c = 0; c < contexts; ++c) pair.target[c] = *digit++ / static_cast<double>(denominator);
    for (int c = 0; c < contexts; ++c) {
      for (int x = 0; x < 2; ++x) pair.next[c][x] = *digit++;
    }
    for (int c = 0; c < contexts; ++c) {
      for (int j = 0; j < pair.offsets; ++j) {
        pair.draft[c][j] = *digit++ / static_cast<double>(denominator);
      }
    }
    if (property(pair, gamma)) return pair;
  } while (advance(digits, largest));
  return std::nullopt;
}

}  // namespace

std::string ResetPair::text() const {
  std::string drafts, targets, moves;
  for (int c = 0; c < contexts; ++c) {
    const char* comma = c == 0 ? "" : ",";
    targets += comma + law_of(target[c]);
    moves += fmt::format("{}[{},{}]", comma, next[c][0], next[c][1]);
    for (int j = 0; j < offsets; ++j) drafts += (drafts.empty() ? "" : ",") + law_of(draft[c][j]);
  }
  return fmt::format("blocks(draft=[{}],target=[{}],next=[{}],start=0)", drafts, targets, moves);
}

std::optional<std::pair<ResetPair, int>> first_reset_pair(int more, const ResetProperty& property) {
  constexpr int kLongestDraft = 3;
  for (int contexts = 1; contexts <= ResetPair::kMostContexts; ++contexts) {
    for (const int denominator : {1, 2}) {
      for (int gamma = 1; gamma <= kLongestDraft && gamma + more <= ResetPair::kMostOffsets;
           ++gamma) {
        const auto found = first_of_size(contexts, denominator, gamma, more, property);
        if (found) return std::pair(*found, gamma);
      }
    }
  }
  return std::nullopt;
}

double two_iterations_of_token(const ResetPair& pair, int gamma) {
  return two_iterations(pair, [&](int root) { return iteration_of_token(pair, root, gamma); });
}

double two_iterations_of_block(const ResetPair& pair, int gamma) {
  return two_iterations(pair, [&](int root) { return ResetBlocks(pair, root, gamma).found(); });
}

}  // namespace speclab
