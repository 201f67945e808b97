#pragma once

#include <functional>
#include <vector>

#include "claims/engine/paths.h"

namespace speclab {

/// What one iteration of lin2026's Algorithm 1 has drawn, line by line.
struct ListedIteration {
  std::vector<TokenPath> drafts;  ///< x_1^L .. x_K^L
  int accepted = 0;               ///< tau as Algorithm 1 has it: the length of t
  TokenPath output;               ///< the first L tokens of O = (t, y, x ~ q_new) of Theorem 4.2

  /// tau as Definition 4.1 has it: the longest prefix of the output that a draft begins with.
  [[nodiscard]] int agreement() const;
};

/// A start, an iteration from it, and the probability of both.
using VisitListed =
    std::function<void(State start, const ListedIteration& made, const Rational& mass)>;

/// Calls visit for every iteration from every start: Algorithm 1 with equations (2) to (4),
/// continued by Algorithm 2, written out from the listing and not from the verifier. A coin of 0/0
/// accepts nothing; what a residual of 0/0 would emit is missing.
/// @param from_target  the drafts are drawn from the target, as the words of Theorem 4.2 have it
void each_listed(const Instance& instance, bool from_target, const VisitListed& visit);

}  // namespace speclab
