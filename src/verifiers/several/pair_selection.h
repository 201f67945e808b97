#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/types.h"
#include "model/law.h"

namespace speclab {

/// The choice between two i.i.d. drafted tokens at one node that maximises the acceptance of the
/// test: the linear program of canonical decomposition for K = 2, solved exactly in the arithmetic
/// in use.
///
/// Variables w_ij = P(choose i | the drafts are i and j), i < j. The chosen token has the law
///   r(i) = d_i^2 + sum_j 2 d_i d_j P(choose i | i, j),
/// and sum min(t, r) is maximised; among all optima w = (w_01, w_02, .., w_12, ..)
/// is the lexicographically largest.
///
/// Every r has r(H) >= d(H)^2 for every set H of tokens (two drafts in H choose in H), so
/// sum [r - t]+ >= d(H)^2 - t(H). The best H is a prefix of the tokens in the order of t/d (the
/// threshold of min over l of l^2 + sum min(0, t_i - 2 l d_i)), and by max-flow min-cut it is
/// attained: P(accept) = 1 + min_H [t(H) - d(H)^2] = alpha*(2). Hence r is optimal iff
///   a pair with one token in H chooses the other;   r >= t on H;   r <= t off H,
/// and the pairs within H and those off H are two separate problems. Pairs (i, j) of mass
/// c = 2 d_i d_j are settled one at a time, in the order of w; v = w_ij c is the maximum for which
/// the rest remains feasible (Hall's condition). The open pairs are those of i with tokens after
/// j and all pairs of the tokens R after i, so with slack_k = t_k - (mass assigned to k so far),
///   e_k = slack_k + d_k^2 - 2 d_i d_k [k > j],   A running over the subsets of R without j,
///   off H:  v <= slack_i + min_A [e(A) - d(A)^2]
///   in H:   v <= c + d(R)^2 - e(R) + min_A [e(A) - d(A)^2]
/// The best A is a prefix again, in the order of e_k / d_k.
/// Worked example: toy pair (d = (2/3, 1/3), t = (1/3, 2/3)): H = {0}, w_01 = 0, r = (4/9, 5/9).
///
/// Cost O(V^3) a node, V^2 / 2 numbers (V = tokens with d > 0).
template <class Real>
class PairSelection {
 public:
  PairSelection(const std::vector<Real>& draft, const std::vector<Real>& target)
      : draft_(draft), rank_(draft.size(), 0), chosen_(draft.size(), Real(0)) {
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > 0)) continue;
      rank_[x] = tokens_.size();
      tokens_.push_back(x);
      chosen_[x] = draft[x] * draft[x];
    }
    weights_.assign(tokens_.size() * (tokens_.size() + 1) / 2, Real(0));
    const std::vector<bool> crowded = find_crowded(target);
    settle_across(crowded);
    settle_within(crowded, true, target);
    settle_within(crowded, false, target);
  }

  /// w_ij = P(choose i | i and j drafted), i < j, both of positive draft probability.
  [[nodiscard]] const Real& weight(Token i, Token j) const {
    return weights_[place(static_cast<std::size_t>(i), static_cast<std::size_t>(j))];
  }

  /// r(x), the probability that the chosen token is x.
  [[nodiscard]] const Real& chosen(Token x) const { return chosen_[static_cast<std::size_t>(x)]; }

 private:
  [[nodiscard]] std::size_t place(std::size_t i, std::size_t j) const {
    const std::size_t low = rank_[i];
    const std::size_t high = rank_[j];
    return high * (high + 1) / 2 + low;
  }

  /// The set H with the least t(H) - d(H)^2, the smallest one of its chain.
  [[nodiscard]] std::vector<bool> find_crowded(const std::vector<Real>& target) const {
    // Quotients sort what products of two small doubles, which are 0, would not.
    std::vector<std::pair<Real, std::size_t>> order;
    for (const std::size_t x : tokens_) order.emplace_back(target[x] / draft_[x], x);
    std::sort(order.begin(), order.end());
    Real d(0);
    Real t(0);
    Real least(0);
    std::size_t count = 0;
    for (std::size_t n = 0; n < order.size(); ++n) {
      d += draft_[order[n].second];
      t += target[order[n].second];
      const Real value = t - d * d;
      if (value < least) {
        least = value;
        count = n + 1;
      }
    }
    std::vector<bool> crowded(draft_.size(), false);
    for (std::size_t n = 0; n < count; ++n) crowded[order[n].second] = true;
    return crowded;
  }

  void settle(std::size_t i, std::size_t j, const Real& share) {
    const Real mass = 2 * draft_[i] * draft_[j];
    weights_[place(i, j)] = share;
    chosen_[i] += share * mass;
    chosen_[j] += (1 - share) * mass;
  }

  /// Pairs with one token in H choose the other.
  void settle_across(const std::vector<bool>& crowded) {
    for (std::size_t a = 0; a < tokens_.size(); ++a) {
      for (std::size_t b = a + 1; b < tokens_.size(); ++b) {
        const std::size_t i = tokens_[a];
        const std::size_t j = tokens_[b];
        if (crowded[i] != crowded[j]) settle(i, j, Real(crowded[i] ? 0 : 1));
      }
    }
  }

  /// The tokens of one side that remain in open pairs, in the order of slack / d + d.
  struct Open {
    std::vector<std::size_t> order;
    std::vector<Real> keys;  ///< by token

    void insert(std::size_t token) {
      const auto at =
          std::upper_bound(order.begin(), order.end(), token,
                           [this](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
      order.insert(at, token);
    }
    void erase(std::size_t token) { order.erase(std::find(order.begin(), order.end(), token)); }
  };

  /// Pairs within H (`inside`) or off H.
  void settle_within(const std::vector<bool>& crowded, bool inside,
                     const std::vector<Real>& target) {
    std::vector<std::size_t> group;
    for (const std::size_t x : tokens_) {
      if (crowded[x] == inside) group.push_back(x);
    }
    Open open;
    open.keys.assign(draft_.size(), Real(0));
    for (const std::size_t x : group) {
      open.keys[x] = (target[x] - chosen_[x]) / draft_[x] + draft_[x];
      open.insert(x);
    }
    for (std::size_t a = 0; a < group.size(); ++a) {
      const std::size_t i = group[a];
      open.erase(i);
      for (std::size_t b = a + 1; b < group.size(); ++b) {
        const std::size_t j = group[b];
        const Real mass = 2 * draft_[i] * draft_[j];
        const Real least = least_excess(open, i, j);
        const Real room = inside ? Real(mass + whole_excess(open, i, j) + least)
                                 : Real(target[i] - chosen_[i] + least);
        settle(i, j, !(room > 0) ? Real(0) : room < mass ? Real(room / mass) : Real(1));
        open.erase(j);
        open.keys[j] = (target[j] - chosen_[j]) / draft_[j] + draft_[j];
        open.insert(j);
      }
    }
  }

  /// d(R)^2 - e(R) while (i, j) is settled.
  [[nodiscard]] Real whole_excess(const Open& open, std::size_t i, std::size_t j) const {
    Real d(0);
    Real e(0);
    for (const std::size_t k : open.order) {
      d += draft_[k];
      e += draft_[k] * (open.keys[k] - (k > j ? Real(2 * draft_[i]) : Real(0)));
    }
    return d * d - e;
  }

  /// min over the subsets A of R without j of e(A) - d(A)^2: prefixes of two sorted lists merged,
  /// the tokens before j and those after it, whose keys are lower by 2 d_i.
  [[nodiscard]] Real least_excess(const Open& open, std::size_t i, std::size_t j) const {
    const Real shift = 2 * draft_[i];
    const auto& order = open.order;
    const auto skip = [&](std::size_t& at, bool after) {
      while (at < order.size() && (after ? order[at] <= j : order[at] >= j)) ++at;
    };
    Real d(0);
    Real e(0);
    Real least(0);
    std::size_t before = 0;
    std::size_t after = 0;
    for (;;) {
      skip(before, false);
      skip(after, true);
      if (before == order.size() && after == order.size()) return least;
      const bool shifted =
          before == order.size() ||
          (after < order.size() && open.keys[order[after]] - shift < open.keys[order[before]]);
      const std::size_t k = shifted ? order[after++] : order[before++];
      d += draft_[k];
      e += draft_[k] * (shifted ? Real(open.keys[k] - shift) : open.keys[k]);
      const Real value = e - d * d;
      if (value < least) least = value;
    }
  }

  std::vector<Real> draft_;
  std::vector<std::size_t> tokens_;  ///< those with d > 0, ascending
  std::vector<std::size_t> rank_;    ///< of a token among them
  std::vector<Real> weights_;        ///< w_ij at rank(j) (rank(j) + 1) / 2 + rank(i)
  std::vector<Real> chosen_;         ///< r
};

}  // namespace speclab
