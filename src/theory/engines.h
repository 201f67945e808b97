#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/threshold.h"
#include "base/types.h"
#include "model/normalise.h"
#include "theory/stepwise.h"

namespace speclab {

// Rules that inference engines run and no paper states.

/// Accepts x iff t(x) >= threshold d(x), 0 <= threshold <= 1; else a token ~ [t - d]+ normalised.
/// Worked example: toy pair, threshold 1/2: every draft is accepted.
template <class Real>
StepLaw<Real> constant_ratio_step(std::span<const Real> draft, std::span<const Real> target,
                                  const Real& threshold) {
  std::vector<Real> accepted, excess;
  Sum<Real> refused;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const bool kept = !(target[x] < threshold * draft[x]);
    accepted.push_back(kept ? draft[x] : Real(0));
    if (!kept) refused += draft[x];
    excess.push_back(positive_part<Real>(target[x] - draft[x]));
  }
  // A refused token has t < d, so that another one has t > d.
  return *step_law(std::move(accepted), std::move(excess), refused.value());
}

/// The tokens that the draft can draw, most probable first, of equal ones the lower; at most
/// `count`.
template <class Real>
std::vector<std::size_t> likeliest_drafts(std::span<const Real> draft, std::size_t count) {
  std::vector<std::size_t> order(draft.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return draft[b] < draft[a]; });
  while (!order.empty() && !(draft[order.back()] > 0)) order.pop_back();
  order.resize(std::min(order.size(), count));
  return order;
}

/// The most probable tokens x_1 .. x_b of the draft, x_j accepted with min(1, t/d) where those
/// before it are refused; else a token ~ [t - d]+ normalised:
///   P(x_j accepted) = min(1, t/d)(x_j) prod_{i<j} [1 - t/d]+(x_i).
/// Worked example: d = (1/2, 1/4, 1/4), t = (1/5, 1/2, 3/10), b = 2: 2/5, 3/5, then nothing.
template <class Real>
StepLaw<Real> dense_tree_step(std::span<const Real> draft, std::span<const Real> target,
                              std::size_t children) {
  std::vector<Real> accepted(draft.size(), Real(0)), excess;
  Real refused(1);
  for (const std::size_t x : likeliest_drafts(draft, children)) {
    const Real missing = positive_part<Real>(draft[x] - target[x]) / draft[x];
    accepted[x] = refused * (1 - missing);
    refused *= missing;
  }
  for (std::size_t x = 0; x < draft.size(); ++x) {
    excess.push_back(positive_part<Real>(target[x] - draft[x]));
  }
  // Where t = d the first child is accepted.
  return *step_law(std::move(accepted), std::move(excess), refused);
}

/// The sign of t(x) - min(eps, e^-H(t)), H in nats; -1 where t(x) is 0. Worked example: six tokens
/// of 1/6, eps = 1/5: 0, as e^-H = 1/6.
template <class Real>
int against_typical(State state, std::span<const Real> target, const Real& eps, std::size_t x) {
  if (!(target[x] > 0)) return -1;
  const int above_eps = compare(target[x], eps);
  if (above_eps > 0) return above_eps;
  LogSum<Real> gap;
  gap.add(Real(1), target[x]);
  for (const Real& share : target) {
    if (share > 0) gap.add(Real(-share), share);
  }
  return std::max(above_eps,
                  decide(gap, Real(0), {"typical tokens", state, "ln t(x) + H(t)", "0"}));
}

/// t on {t >= min(eps, e^-H(t))}, normalised.
template <class Real>
std::vector<Real> typical_law(State state, std::span<const Real> target, const Real& eps) {
  std::vector<Real> law(target.begin(), target.end());
  for (std::size_t x = 0; x < target.size(); ++x) {
    if (against_typical(state, target, eps, x) < 0) law[x] = Real(0);
  }
  normalise(law);
  return law;
}

/// A sampled draft matched with a draw from typical_law.
template <class Real>
StepLaw<Real> typical_match_step(State state, std::span<const Real> draft,
                                 std::span<const Real> target, const Real& eps) {
  StepLaw<Real> law;
  const std::vector<Real> typical = typical_law(state, target, eps);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    law.accepted.push_back(draft[x] * typical[x]);
    law.corrected.push_back((1 - draft[x]) * typical[x]);
  }
  return law;
}

/// The most probable token of a law, ties to the lowest.
template <class Real>
Token most_of(std::span<const Real> law) {
  return static_cast<Token>(std::max_element(law.begin(), law.end()) - law.begin());
}

/// The greedy decode m of the target from a state: D(m_1 .. m_i) and T(m_1 .. m_i), i = 0 ..
/// length.
template <class Real>
std::vector<std::pair<Real, Real>> greedy_decode(const Rows<Real>& rows, State state, int length) {
  std::vector<std::pair<Real, Real>> masses{{Real(1), Real(1)}};
  for (int i = 0; i < length; ++i) {
    const Token most = most_of(rows.target(state));
    const auto x = static_cast<std::size_t>(most);
    const auto& [draft, target] = masses.back();
    masses.emplace_back(draft * rows.draft(state)[x], target * rows.target(state)[x]);
    state = rows.next(state, most);
  }
  return masses;
}

/// tail[i] = P(tau >= i) of K i.i.d. drafts against the target's argmax: 1 - (1 - D(m^i))^K.
template <class Real>
std::vector<Real> target_argmax_tail(const Rows<Real>& rows, const Measure<Real>& start, int drafts,
                                     int gamma) {
  std::vector<Sum<Real>> sums(static_cast<std::size_t>(gamma) + 1);
  for (const auto& [state, weight] : start.entries()) {
    const auto masses = greedy_decode(rows, state, gamma);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += weight * (1 - power<Real>(1 - masses[i].first, drafts));
    }
  }
  return values_of(sums);
}

/// How a draft under match-with-stop ends.
enum class MatchStop {
  law,   ///< before a token, where max d < theta
  keep,  ///< after a token of d(x) < theta
  drop,  ///< before a token of d(x) < theta, which is discarded
};

/// Adds to tail[i], i > depth, weight times the sum over paths v of i tokens that are drafted whole
/// of T(v) D(v).
template <class Real>
void add_stopped_match(const Rows<Real>& rows, State state, MatchStop stop, const Real& theta,
                       const Real& weight, std::size_t depth, std::vector<Sum<Real>>& tail) {
  if (depth + 1 == tail.size()) return;
  const auto draft = rows.draft(state);
  if (stop == MatchStop::law && *std::max_element(draft.begin(), draft.end()) < theta) return;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const bool unlikely = draft[x] < theta;
    if (stop == MatchStop::drop && unlikely) continue;
    const Real mass = weight * draft[x] * rows.target(state)[x];
    if (!(mass > 0)) continue;
    tail[depth + 1] += mass;
    if (stop == MatchStop::keep && unlikely) continue;
    add_stopped_match(rows, rows.next(state, static_cast<Token>(x)), stop, theta, mass, depth + 1,
                      tail);
  }
}

/// tail[i] = P(tau >= i), i = 0..gamma, of match-with-stop with sampled drafts. Worked example: toy
/// pair, drop, theta = 1/2, gamma 1: 1, 2/9.
template <class Real>
std::vector<Real> stopped_match_tail(const Rows<Real>& rows, const Measure<Real>& start,
                                     MatchStop stop, const Real& theta, int gamma) {
  std::vector<Sum<Real>> sums(static_cast<std::size_t>(gamma) + 1);
  for (const auto& [state, weight] : start.entries()) {
    sums[0] += weight;
    add_stopped_match(rows, state, stop, theta, weight, 0, sums);
  }
  return values_of(sums);
}

/// P(u_1 .. u_i <= p_i for some i >= k) for independent uniforms and p_1 >= .. >= p_n: the points
/// -ln(u_1 .. u_i) are those of a Poisson process of rate 1, and with b_i = -ln p_max(i,k) the
/// first i whose point comes after b_i has the probability e^{-b_i} V_{i-1}, where V_m is the
/// volume of {0 < x_1 < .. < x_m : x_j < b_j}, Steck's determinant:
///   V_m = sum_{j=1..m} (-1)^{j-1} b_{m-j+1}^j / j! V_{m-j}.
/// The sum over i is the probability, since the e^{-b_i} are the p themselves. Logarithms are
/// rounded to doubles. Worked example: n = 2, k = 1: p_1 - p_2 ln p_1.
template <class Real>
Real coin_product_reaches(const std::vector<Real>& levels, std::size_t k) {
  std::vector<Real> bounds;
  std::vector<Real> volumes{Real(1)};
  Sum<Real> sum;
  for (std::size_t i = 1; i <= levels.size(); ++i) {
    const Real& level = levels[std::max(i, k) - 1];
    if (!(level > 0)) break;
    sum += level * volumes.back();
    bounds.push_back(level < 1 ? Real(-std::log(to_double(level))) : Real(0));
    Sum<Real> volume;
    for (std::size_t j = 1; j <= i; ++j) {
      Real term = (j % 2 == 1 ? Real(1) : Real(-1)) * volumes[i - j];
      for (std::size_t factor = 1; factor <= j; ++factor) {
        term = term * bounds[i - j] / static_cast<int>(factor);
      }
      volume += term;
    }
    volumes.push_back(volume.value());
  }
  return sum.value();
}

/// Adds to tail[k] the terms of all drafts below a path; `levels` are its products of min(1, t/d).
template <class Real>
void add_ascend(const Rows<Real>& rows, State state, const Real& weight, int drafts,
                std::vector<Real>& levels, std::vector<Sum<Real>>& tail) {
  if (static_cast<int>(levels.size()) == drafts) {
    for (std::size_t k = 1; k < tail.size(); ++k)
      tail[k] += weight * coin_product_reaches(levels, k);
    return;
  }
  for (std::size_t x = 0; x < rows.draft(state).size(); ++x) {
    const Real& draft = rows.draft(state)[x];
    if (!(draft > 0)) continue;
    const Real before = levels.empty() ? Real(1) : levels.back();
    levels.push_back(before * lesser<Real>(Real(1), rows.target(state)[x] / draft));
    add_ascend(rows, rows.next(state, static_cast<Token>(x)), Real(weight * draft), drafts, levels,
               tail);
    levels.pop_back();
  }
}

/// tail[k] = P(tau >= k), k = 0..gamma, of ascend-block.
template <class Real>
std::vector<Real> ascend_tail(const Rows<Real>& rows, const Measure<Real>& start, int gamma) {
  std::vector<Sum<Real>> sums(static_cast<std::size_t>(gamma) + 1);
  std::vector<Real> levels;
  for (const auto& [state, weight] : start.entries()) {
    sums[0] += weight;
    add_ascend(rows, state, weight, gamma, levels, sums);
  }
  return values_of(sums);
}

/// Of all paths of `length` tokens in the tree of the `children` most probable drafted tokens at
/// every node, in order, the longest beginning of accepted tokens; of several the one of the
/// largest T, and of those the first.
/// @param accepts  whether x is accepted at a state: (state, x)
template <class Real, class Accepts>
std::vector<Token> longest_path(const Rows<Real>& rows, State start, std::size_t children,
                                int length, const Accepts& accepts) {
  std::vector<Token> best;
  Real likeliest(1);
  std::vector<std::size_t> ranks(static_cast<std::size_t>(length), 0);
  for (;;) {
    std::vector<Token> path;
    Real target(1);
    State state = start;
    for (const std::size_t rank : ranks) {
      const auto tokens = likeliest_drafts(rows.draft(state), children);
      if (rank >= tokens.size()) break;
      const auto x = static_cast<Token>(tokens[rank]);
      if (!accepts(state, x)) break;
      path.push_back(x);
      target *= rows.target(state)[tokens[rank]];
      state = rows.next(state, x);
    }
    const bool longer = path.size() > best.size();
    if (longer || (path.size() == best.size() && likeliest < target)) {
      best = path;
      likeliest = target;
    }
    auto at = ranks.rbegin();
    while (at != ranks.rend() && ++*at == children) *at++ = 0;
    if (at == ranks.rend()) return best;
  }
}

}  // namespace speclab
