#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/rational.h"
#include "base/types.h"

namespace speclab {

/// The choice of one of K >= 2 i.i.d. drafted tokens at a node that maximises the acceptance of the
/// test that follows, and among all such choices has the most balanced law r of the chosen token:
/// r / t is lexicographically optimal. (Canonical decomposition of Khisti et al. 2025; that sets of
/// drafts and tokens form a maximum flow, whose laws r are the bases of a polymatroid, is due to
/// Thomas and Pal 2025, Global Resolution. The two closed forms below are derived here.)
///
/// Only tokens with d > 0 count; they are sorted by t/d, ascending, D and T are the sums of d and t
/// over a prefix. Every law r of a chosen draft has r(H) >= d(H)^K, with equality iff a token
/// outside H is chosen wherever one is drafted.
///
/// The law. d(H)^K is convex in d(H), so the sets H with the largest ratio d(H)^K / t(H) are
/// prefixes, and so are all sets of Fujishige's decomposition: they are the corners of the least
/// concave majorant of the points (T, D^K). Between two corners, a block,
///   r = t (D_b^K - D_a^K) / (T_b - T_a);   where t = 0: r = d D_b^(K-1).
/// At every corner r(H) = d(H)^K, so sum min(t, r) = 1 + min_H [t(H) - d(H)^K] = alpha*(K). r/t
/// falls from block to block: a draft is refused only where all drafts have r > t, and so the
/// residual [t - r]+ holds no draft.
///
/// The choice. A border between two neighbours of the order stands or not. The best class, between
/// standing borders, is that of the drafted token of the highest t/d; the first draft in it is
/// chosen. With fixed borders r(prefix) is the function of D that is linear between standing
/// borders and D^K at them. The function r(prefix) is convex, is D^K at corners, and is above it
/// elsewhere, so it is a mixture of such functions over nested sets of borders, in one way only:
/// from all borders at which it bends, take the multiple of their function that leaves a convex
/// rest; there one border no longer bends, which is removed, and so on. A border stands while
/// u < s, its share s of the mixture, where u is uniform in [0, 1) and the same for all borders.
///
/// Worked example: K = 3, d = (1/2, 1/2), t = (2/5, 3/5): order 0, 1; D^3 = 1/8 at the border,
/// where r(prefix) = 2/5 and the line is 1/2: s = (1/2 - 2/5) / (1/2 - 1/8) = 4/15.
///
/// Cost O(V log V + V log K) a node, 3 V numbers.
/// @tparam Real  double or Rational
template <class Real>
class BalancedSelection {
 public:
  /// @param draft, target  the rows of a node  @param drafts  K >= 2
  BalancedSelection(const std::vector<Real>& draft, const std::vector<Real>& target, int drafts);

  /// P(draft j is chosen), by j. @param drawn  tokens with d > 0, in the order of the drafts
  [[nodiscard]] std::vector<Real> weights(std::span<const Token> drawn) const;

  /// r(x), the probability that the chosen token is x.
  [[nodiscard]] const Real& chosen(Token x) const { return chosen_[static_cast<std::size_t>(x)]; }

 private:
  std::vector<std::size_t> rank_;  ///< of a token with d > 0 in the order of t/d
  std::vector<Real> stands_;       ///< s of the border below a rank: 0 where none can stand
  std::vector<Real> chosen_;       ///< r
};

extern template class BalancedSelection<double>;
extern template class BalancedSelection<Rational>;

}  // namespace speclab
