#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>

#include "model/rows.h"

namespace speclab {

/// The most tokens of two requests that token verification is expected to accept in a step where
/// they share a budget: over all schedulers that admit one drafted token after another, know the
/// pair, and see a token after it is admitted. A dynamic program: of a request all that counts is
/// how many tokens were admitted, the state behind them, and the probability that they are
/// accepted; one more is accepted with that probability times the sum of min(d, t) there, whatever
/// its draw will be.
/// Worked example: bernoulli(draft=2/3,target=1/3), gamma = 2, budget 1: 2/3.
template <class Real>
class BestSchedule {
 public:
  /// Places that are remembered at most.
  static constexpr std::size_t kMost = 200'000;

  /// @param rows  must outlive this   @param gamma  tokens that a request drafts
  BestSchedule(const Rows<Real>& rows, int gamma) : rows_(rows), gamma_(gamma) {}

  /// @returns nothing beyond kMost places
  std::optional<Real> accepted(State first, State second, int budget) {
    return most({.state = first}, {.state = second}, std::min(budget, 2 * gamma_));
  }

 private:
  struct Admitted {
    int tokens = 0;
    State state = 0;
    Real kept{1};
    bool operator<(const Admitted& other) const {
      return std::tie(tokens, state, kept) < std::tie(other.tokens, other.state, other.kept);
    }
  };

  std::optional<Real> most(const Admitted& one, const Admitted& other, int budget) {
    if (budget == 0) return Real(0);
    if (known_.size() == kMost) return std::nullopt;
    const auto [place, is_new] = known_.try_emplace({one, other, budget});
    if (!is_new) return place->second;
    std::optional<Real>& best = place->second;  // of a map: it stays where it is
    const auto mine = admit(one, other, budget), its = admit(other, one, budget);
    if (mine && its) best = std::max(*mine, *its);
    return best;
  }

  std::optional<Real> admit(const Admitted& one, const Admitted& other, int budget) {
    if (one.tokens == gamma_) return Real(0);
    const auto draft = rows_.draft(one.state);
    const auto target = rows_.target(one.state);
    Real sum(0);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > 0)) continue;
      sum += one.kept * std::min(draft[x], target[x]);
      const Real ratio = std::min(Real(1), Real(target[x] / draft[x]));
      const auto rest = most(
          {one.tokens + 1, rows_.next(one.state, static_cast<Token>(x)), Real(one.kept * ratio)},
          other, budget - 1);
      if (!rest) return std::nullopt;
      sum += draft[x] * *rest;
    }
    return sum;
  }

  const Rows<Real>& rows_;
  int gamma_;
  std::map<std::tuple<Admitted, Admitted, int>, std::optional<Real>> known_;
};

}  // namespace speclab
