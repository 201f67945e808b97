#pragma once

#include "claims/papers/yin2024/fates.h"

namespace speclab {

/// The region of Figure 4 (a) at one token: which (P(reject), TV) the class of Algorithm 2 has.
///
/// With m = b d, sum m = 1 - r, the output is m + r P. Its TV is at least [TV(d, t) - r]+; at most
/// max over sets S of tokens of min(d(S) + r, 1) - t(S), S not empty, since m(S) <= min(d(S), 1 -
/// r). Both are attained, and m and P between those of two rules of one r are a rule's: everything
/// between is realised.
class TradeRegion {
 public:
  /// @pre a memoryless pair
  explicit TradeRegion(const Instance& instance);

  [[nodiscard]] Rational lowest(const Rational& rejected) const;
  [[nodiscard]] Rational highest(const Rational& rejected) const;
  /// b and P with P(reject) = rejected, 0 <= rejected <= 1, between the least TV (share = 0) and
  /// the largest (share = 1).
  [[nodiscard]] Design rule_at(const Rational& rejected, const Rational& share) const;

 private:
  using Masses = std::vector<Rational>;
  /// m and r P, in one list.
  [[nodiscard]] Masses low(const Rational& rejected) const;
  [[nodiscard]] Masses high(const Rational& rejected) const;
  /// The set S of the maximum, by token, and the maximum.
  /// @throws LimitError where there are too many sets
  [[nodiscard]] std::pair<std::vector<bool>, Rational> best_set(const Rational& rejected) const;

  std::span<const Rational> draft_;
  std::span<const Rational> target_;
  Rational between_;  ///< TV(d, t)
};

}  // namespace speclab
